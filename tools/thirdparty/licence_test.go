package thirdparty

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mit is a licence without a heading, as some are.
const mit = `Copyright (c) 2020 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do
so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

// What cannot be shipped is an error that names the module, the file and the remedy.
func TestLicenceOf(t *testing.T) {
	freetype, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/golang/freetype").Output()
	if err != nil {
		t.Fatal(err)
	}
	gpl, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(freetype)), "licenses", "gpl.txt"))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name    string
		module  string
		files   map[string]string
		licence string
		texts   string // names, joined
		fails   string
	}{
		{"mit", "example.org/m", map[string]string{"LICENSE": mit, "main.go": "package m"}, "MIT", "LICENSE", ""},
		{"british", "example.org/m", map[string]string{"LICENCE.md": mit}, "MIT", "LICENCE.md", ""},
		{"another beside it", "example.org/m", map[string]string{"LICENSE": mit, "COPYING.fonts": string(gpl)}, "", "", "GPL-2.0 (COPYING.fonts) is none of those accepted"},
		{"a notice", "example.org/m", map[string]string{"LICENSE": mit, "NOTICE": "Somebody made this."}, "MIT", "LICENSE NOTICE", ""},
		{"in the folder of a package", "example.org/m", map[string]string{"LICENSE": mit, "linked/LICENSE": string(gpl)}, "", "", "linked/LICENSE"},
		{"in a folder that is not linked", "example.org/m", map[string]string{"LICENSE": mit, "tests/LICENSE": string(gpl)}, "MIT", "LICENSE", ""},
		{"none", "example.org/m", map[string]string{"main.go": "package m"}, "", "", "example.org/m: no file with a licence"},
		{"only a notice", "example.org/m", map[string]string{"NOTICE": "Somebody made this."}, "", "", "example.org/m: no file with a licence"},
		{"unknown", "example.org/m", map[string]string{"LICENSE": "You may use this on Tuesdays."}, "", "", "LICENSE is not recognised: read it"},
		{"half of one", "example.org/m", map[string]string{"LICENSE": mit[:700]}, "", "", "is not recognised"},
		{"what was chosen is gone", "github.com/golang/freetype", map[string]string{"LICENSE": mit}, "", "", "no file licenses/ftl.txt"},
		{"what was chosen", "github.com/ajstarks/svgo", map[string]string{"LICENSE": mit, "LICENSE-link.txt": "elsewhere"}, "MIT", "LICENSE LICENSE-link.txt", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				file := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.MkdirAll(filepath.Join(dir, "linked"), 0o755); err != nil {
				t.Fatal(err)
			}
			licence, texts, _, err := licenceOf(&module{path: c.module, dir: dir, packages: map[string]bool{filepath.Join(dir, "linked"): true}})
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) || !strings.Contains(err.Error(), c.module) {
					t.Fatalf("licence %q, error %v, want one with %q", licence, err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, text := range texts {
				names = append(names, text.Name)
			}
			if got := strings.Join(names, " "); licence != c.licence || got != c.texts {
				t.Errorf("licence %q of %q, want %q of %q", licence, got, c.licence, c.texts)
			}
		})
	}
}

// A card has to say where its network comes from, and be about the file beside it.
func TestNetworkPart(t *testing.T) {
	const sum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" // of "test"
	for _, c := range []struct{ name, card, weights, fails string }{
		{"whole", "| Data | [pictures](x.md) of things |\n| SHA-256 | " + sum + " |\n\n**Licence of the data.** Free,\nall of it.\n\nMore.", "test", ""},
		{"another file", "| Data | pictures |\n| SHA-256 | " + sum + " |\n\n**Licence of the data.** Free.\n", "other", "bring the card up to date"},
		{"without data", "| SHA-256 | " + sum + " |\n\n**Licence of the data.** Free.\n", "test", "want a row | Data |"},
		{"without a licence", "| Data | pictures |\n| SHA-256 | " + sum + " |\n", "test", "want a row | Data |"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"README.md": c.card, "net.safetensors": c.weights} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			part, err := NetworkPart(dir, "net", ".")
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("error %v, want one with %q", err, c.fails)
				}
				return
			}
			if want := "Made by this project. Learned from: pictures of things. Free, all of it."; err != nil || part.Note != want || part.SHA256 != sum {
				t.Errorf("%q, %s, %v; want %q", part.Note, part.SHA256, err, want)
			}
		})
	}
}
