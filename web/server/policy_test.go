package server

import (
	"slices"
	"strings"
	"testing"
)

func TestContents(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       []string
	}{
		{"none", "<p>text</p>", nil},
		{"one", "<script>a()</script>", []string{"a()"}},
		{"attributes and case", "<SCRIPT type=module>\na()\n</Script>", []string{"\na()\n"}},
		{"two", "<script>a</script><script>b</script>", []string{"a", "b"}},
		{"external", `<script src="x.js"></script>`, nil},
		{"other element", "<scripted>a</scripted>", nil},
		{"not closed", "<script>a", nil},
		{"cut short", "<script", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, b := range contents([]byte(c.page), "script") {
				got = append(got, string(b))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPagePolicyAllowsOnlyWhatIsWritten(t *testing.T) {
	got := pagePolicy([]byte("<style>p{}</style><script>alert(1)</script>"))
	for _, want := range []string{
		"script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=' 'wasm-unsafe-eval';",
		"style-src 'self' 'sha256-",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("policy %q lacks %q", got, want)
		}
	}
	if strings.Contains(got, "unsafe-inline") {
		t.Errorf("policy %q allows any inline text", got)
	}
}

func FuzzContents(f *testing.F) {
	f.Add([]byte("<script>a</script>"))
	f.Add([]byte("<script"))
	f.Fuzz(func(t *testing.T, page []byte) {
		for _, b := range contents(page, "script") {
			if len(b) == 0 || len(b) > len(page) {
				t.Errorf("content of %d bytes from a page of %d", len(b), len(page))
			}
		}
	})
}
