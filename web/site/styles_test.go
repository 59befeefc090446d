package site

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestBundleHoldsEverySheetOnce(t *testing.T) {
	bundle := require.Value(Styles())(t)
	last := -1
	for _, name := range first {
		sheet := require.Value(sheets.ReadFile("styles/" + name))(t)
		at := bytes.Index(bundle, sheet)
		if at <= last {
			t.Errorf("%s begins at %d, want it after the sheets that it builds on, which begin at %d", name, at, last)
		}
		last = at
	}
	entries := require.Value(sheets.ReadDir("styles"))(t)
	for _, e := range entries {
		sheet := require.Value(sheets.ReadFile("styles/" + e.Name()))(t)
		if n := bytes.Count(bundle, sheet); n != 1 {
			t.Errorf("%s is in the bundle %d times, want once", e.Name(), n)
		}
	}
}

// Colours and variables have one home: a colour written elsewhere would be wrong
// in the dark, and a variable that is not there makes the rule void unnoticed.
func TestSheetsUseTokens(t *testing.T) {
	bundle := require.Value(Styles())(t)
	known := map[string]bool{"--fill": true} // set by the program
	for _, m := range regexp.MustCompile(`(--[\w-]+)\s*:`).FindAllSubmatch(bundle, -1) {
		known[string(m[1])] = true
	}
	for _, m := range regexp.MustCompile(`var\((--[\w-]+)`).FindAllSubmatch(bundle, -1) {
		if !known[string(m[1])] {
			t.Errorf("var(%s) is used, but nothing sets it: is it a token?", m[1])
		}
	}
	entries := require.Value(sheets.ReadDir("styles"))(t)
	colour := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|rgba?\(`)
	for _, e := range entries {
		sheet := require.Value(sheets.ReadFile("styles/" + e.Name()))(t)
		if e.Name() == "tokens.css" {
			continue
		}
		for i, line := range strings.Split(string(sheet), "\n") {
			if c := colour.FindString(line); c != "" {
				t.Errorf("%s:%d writes the colour %q: use a token, or make one in tokens.css", e.Name(), i+1, c)
			}
		}
	}
}
