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
	all := require.Value(eachSheet())(t)
	if len(all) < 20 {
		t.Errorf("only %d sheets: are the features' among them?", len(all))
	}
	for i, s := range all {
		if i < len(first) && s.name != first[i] {
			t.Errorf("sheet %d is %s, want %s, on which the others build", i, s.name, first[i])
		}
		if n := bytes.Count(bundle, s.text); n != 1 {
			t.Errorf("%s is in the bundle %d times, want once", s.name, n)
		}
	}
}

// Colors and variables are defined once: other colors would be wrong in the dark, and an
// undefined variable silently voids its rule.
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
	all := require.Value(eachSheet())(t)
	color := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|rgba?\(`)
	for _, s := range all {
		if s.name == "tokens.css" {
			continue
		}
		for i, line := range strings.Split(string(s.text), "\n") {
			if c := color.FindString(line); c != "" {
				t.Errorf("%s:%d writes the color %q: use a token, or make one in tokens.css", s.name, i+1, c)
			}
		}
	}
}
