//go:build !js

package embed_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// The plain page learns three classes from files, shows its input, and classifies another image.
func TestPlain(t *testing.T) {
	s := open(t, "/examples/plain/", browsertest.Options{})
	s.WaitFor(`document.querySelector("#status").value.startsWith("Ready")`)
	if display := browsertest.Eval[string](s.Browser, `getComputedStyle(document.querySelector("form")).display`); display != "grid" {
		t.Errorf("the form is laid out as %q: the server's policy stops the page's style sheet", display)
	}
	for i, thing := range []string{"apple", "banana", "orange"} {
		section := []string{".hue-0", ".hue-1", ".hue-2"}[i]
		s.Upload(section+" input[type=file]", files(t, thing, 1, 2, 3)...)
		s.WaitCount(section+" canvas", 3)
	}
	for thing, want := range map[string]string{"apple": "cat", "banana": "dog", "orange": "bird"} { // in the page's names
		s.Upload("#query", files(t, thing, 4)...)
		s.WaitFor(`document.querySelector(".best")?.textContent === "` + want + `"`)
	}
	if text := s.Text(".bars"); strings.Count(text, "%") != 3 {
		t.Errorf("the answer reads %q, want three shares", text)
	}
	portraits(s, "plain")
	s.Quiet()

	s.Type(".class input[type=text]", "Apple")
	s.Upload("#query", files(t, "apple", 5)...)
	s.WaitFor(`document.querySelector(".best")?.textContent.startsWith("Apple")`)
	letter := filepath.Join(t.TempDir(), "letter.txt")
	require.NoError(t, os.WriteFile(letter, []byte("Dear reader"), 0o644))
	s.Upload("#query", letter)
	s.WaitFor(`document.querySelector("#status").value.includes("letter.txt")`)
}
