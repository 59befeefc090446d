package filekind

import "testing"

func TestInstead(t *testing.T) {
	for content, want := range map[string]string{
		"version https://git-lfs.github.com/spec/v1\noid sha256:0": ": it is a Git LFS pointer; fetch the file itself with `git lfs pull`",
		"<!DOCTYPE html>":          ": it is a web page; is the address right?",
		"%PDF-1.7":                 ": it is a PDF; choose another",
		"\x00\x00\x00\x18ftypheic": ": it is a HEIC image; choose another",
		"":                         ": choose another",
		"anything else":            ": choose another",
	} {
		if got := Instead([]byte(content), "choose another"); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}
