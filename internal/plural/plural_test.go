package plural

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 classes", 1: "1 class", 2: "2 classes"} {
		if got := Count(n, "class", "classes"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
