//go:build !js

package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestPlainExample teaches the example page three classes with the file
// pickers, as a person would, and asks it about further pictures.
func TestPlainExample(t *testing.T) {
	folders := []string{"n02123394", "n04487081", "n01774750"} // Persian cat, trolleybus, tarantula: none was trained on
	pictures := samples(t, folders, 8)

	s := serve(t)
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(s.URL + "/examples/plain/")
	b.WaitFor(`document.querySelector("#status").value.startsWith("Ready")`, 30*time.Second)
	for i, folder := range folders {
		picker := `document.querySelectorAll(".class input[type=file]")[` + string(rune('0'+i)) + `]`
		b.Do(chromedp.SetUploadFiles(chromedp.JSPath(picker), pictures[folder][:5]))
		b.WaitFor(`(document.querySelector("#status").value.match(/: 5 learnt/g) ?? []).length === `+string(rune('1'+i)), 20*time.Second)
	}
	b.Do(chromedp.Clear(chromedp.CSS(".class input[type=text]")), chromedp.SendKeys(chromedp.CSS(".class input[type=text]"), "Persian\t"))
	names := []string{"Persian", "dog", "bird"} // two labels as the page suggests them
	right := 0
	for i, folder := range folders {
		for _, picture := range pictures[folder][5:] {
			b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#status").value = ""`))
			b.Do(chromedp.SetUploadFiles(chromedp.CSS("#query"), []string{picture}))
			b.WaitFor(`/ ms$/.test(document.querySelector("#status").value)`, 20*time.Second)
			text := browsertest.Eval[string](b, `Array.from(document.querySelectorAll(".bars li"), (line) => line.textContent).join("\n") + "\n" + document.querySelector("#status").value`)
			if !regexp.MustCompile(`^([a-zA-Z]+\d+%\n){3}[\w ]+, after \d+ ms$`).MatchString(text) {
				t.Fatalf("the page says %q", text)
			}
			if strings.HasPrefix(text, names[i]) {
				right++
			}
		}
	}
	t.Logf("%d of 9 right", right)
	if right < 6 {
		t.Errorf("%d of 9 pictures recognised, want 6", right)
	}
	b.NoProblems()

	letter := filepath.Join(t.TempDir(), "letter.txt")
	require.NoError(t, os.WriteFile(letter, []byte("Dear reader"), 0o644))
	b.Do(chromedp.SetUploadFiles(chromedp.CSS("#query"), []string{letter}))
	b.WaitFor(`document.querySelector("#status").value.includes("letter.txt")`, 20*time.Second)
}
