package verb

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestBeginsZip(t *testing.T) {
	const head = "PK\x03\x04                      \x05\x00  "
	for text, want := range map[string]bool{
		head + "a.npycontent": true, head + "a.npz": false, head + "x/npy": false, head + "a.n": false, head: false, head[:20]: false, "PK": false, "": false,
	} {
		if BeginsZip("b", "*.npy")([]byte(text)) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
}

// FuzzBeginsZip examines any beginning of a file.
func FuzzBeginsZip(f *testing.F) {
	f.Add([]byte("PK\x03\x04                      \xff\xff  a.npy"))
	f.Fuzz(func(t *testing.T, head []byte) {
		if BeginsZip("*.npy")(head) && !bytes.Contains(head, []byte(".npy")) {
			t.Errorf("%q", head)
		}
	})
}

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o666))
		return path
	}
	project, page, photo, empty := write("a.deepemd", "PK\x03\x04"), write("a.html", "\n<!doctype html>"), write("photo.jpg", "\xff\xd8\xff\xe0"), write("empty", "")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(project, link); err != nil {
		link = project
	}
	for _, c := range []struct {
		path   string
		inputs []string
		begins string
		want   string
	}{
		{filepath.Join(dir, "new.html"), []string{project}, "<", ""},
		{page, []string{project}, "<", ""},
		{empty, []string{project}, "<", ""},
		{project, []string{project}, "PK", "overwrite an input"},
		{link, []string{"nowhere", project}, "PK", "overwrite an input"},
		{photo, []string{project}, "<", "a JPEG image"},
		{page, nil, "\x93NUMPY", "a web page"},
		{"", []string{project}, "<", ""},
		{"-", nil, "<", "-: the output is a file"},
	} {
		var o Output
		err := o.Check(c.path, c.inputs, Begins(c.begins))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", filepath.Base(c.path), err, c.want)
		}
		o.force = true
		if err := o.Check(c.path, c.inputs, Begins(c.begins)); err != nil {
			t.Errorf("%s with --force: %v", filepath.Base(c.path), err)
		}
	}
	for _, force := range []bool{false, true} {
		o := Output{force}
		for path, want := range map[string]string{filepath.Join(dir, "gone", "a.html"): "make the folder", dir: "not a regular file"} {
			if err := o.Check(path, nil, Begins("<")); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", path, err, want)
			}
		}
	}
}
