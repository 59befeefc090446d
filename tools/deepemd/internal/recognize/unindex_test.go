package recognize

import (
	"slices"
	"strings"
	"testing"
)

// TestMatching: a name selects only its picture, as it is or as `deepemd search` prints it; of other
// characters than * and ?, none is special.
func TestMatching(t *testing.T) {
	x := indexOf(t, "photo[1].webp", "photo1.webp", "photo2.webp", "w?w.webp", "wow.webp", "a[b.webp", "lat\xe9in/UP.JPG", `back\slash.png`, "two\nlines.png", "w?w/x.webp")
	for _, test := range []struct {
		patterns string
		want     []int
	}{
		{"photo[1].webp", []int{0}},
		{"w?w.webp", []int{3}},
		{"w?w.web?", []int{3, 4}},
		{"a[b.webp wow.webp", []int{4, 5}},
		{"photo*.webp photo1.webp", []int{0, 1}},
		{"*[*", []int{0, 5}},
		{`lat\xe9in/UP.JPG`, []int{6}},
		{"lat\xe9in/UP.JPG", []int{6}},
		{`lat\xe9in/*`, []int{6}},
		{`back\slash.png`, []int{7}},
		{`back\*`, []int{7}},
		{`two\nlines.png`, []int{8}},
		{"w*/*", []int{9}},
	} {
		got, err := matching(x, "x.index", strings.Fields(test.patterns))
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, error %v, want %v", test.patterns, got, err, test.want)
		}
	}
	for _, pattern := range []string{"photo2.webp", "photo[12].webp", "[", `\`, "*.jpg"} {
		if got, err := matching(x, "x.index", []string{"wow.webp", pattern}); err == nil || !strings.Contains(err.Error(), "no picture is called "+pattern+": ") {
			t.Errorf("%s: %v, error %v", pattern, got, err)
		}
	}
}
