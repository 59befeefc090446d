package recognize

import (
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
)

// FuzzCandidates: any list is read as candidates that exist as such, or refused.
func FuzzCandidates(f *testing.F) {
	for _, text := range []string{`[1, "a"]`, "1\na\n", "[", "{}", `["\u0000"]`, "[1e9]", `{"id":3,"score":0.5}`} {
		f.Add([]byte(text))
	}
	x := sixPictures(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var list []candidate
		var err error
		bombs.Budget(t, 1<<16, 128, len(raw), func() { list, err = parseCandidates(raw) })
		if (err == nil) != (len(list) > 0) {
			t.Fatalf("%d candidates, error %v", len(list), err)
		}
		pictures, err := picturesOf(x, list)
		if err == nil && len(list) > 0 && len(pictures) == 0 {
			t.Error("candidates, but no pictures")
		}
		for _, i := range pictures {
			if i < 0 || i >= x.Len() || x.Deleted(i) {
				t.Errorf("picture %d", i)
			}
		}
	})
}
