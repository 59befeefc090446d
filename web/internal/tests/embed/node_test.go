//go:build !js

package embed_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
)

// installed returns a folder with the example for Node and the installed packages.
func installed(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here: install nodejs (20 or later) to test the example for Node")
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../../examples/node")))
	testsite.Install(t, dir)
	return dir
}

// nodeScript runs the example, and returns its output and its errors.
func nodeScript(t *testing.T, dir string, arguments ...string) (lines []string, complaints string, err error) {
	t.Helper()
	cmd := exec.Command("node", append([]string{"classify.mjs"}, arguments...)...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return strings.Split(strings.TrimSpace(out.String()), "\n"), errs.String(), err
}

// The script learns classes from folders, sorts images into others, and repeats that with its saved
// project.
func TestNode(t *testing.T) {
	dir := installed(t)
	place := func(from, to string) {
		t.Helper()
		data := require.Value(os.ReadFile(from))(t)
		to = filepath.Join(dir, filepath.FromSlash(to))
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, data, 0o600))
	}
	var pictures, want []string
	for _, thing := range []string{"apple", "banana", "orange"} {
		for _, from := range files(t, thing, 1, 2, 3) {
			place(from, "things/"+thing+"/"+filepath.Base(from))
		}
		for _, from := range files(t, thing, 4, 5) {
			name := "new/" + filepath.Base(from)
			place(from, name)
			pictures, want = append(pictures, name), append(want, name+" "+thing)
		}
	}

	lines, complaints, err := nodeScript(t, dir, slices.Concat([]string{"things", "--into", "sorted", "--save", "things.deepemd"}, pictures)...)
	if err != nil || complaints != "" {
		t.Fatalf("%v\n%s", err, complaints)
	}
	var got []string
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 || !strings.HasSuffix(fields[2], "%") {
			t.Fatalf("the line %q: want a file, a class and a score", line)
		}
		got = append(got, fields[0]+" "+fields[1])
	}
	if !slices.Equal(got, want) {
		t.Errorf("answers %q, want %q", got, want)
	}
	for _, picture := range want {
		name, thing, _ := strings.Cut(picture, " ")
		original := require.Value(os.ReadFile(filepath.Join(dir, name)))(t)
		if sorted, err := os.ReadFile(filepath.Join(dir, "sorted", thing, filepath.Base(name))); err != nil || !bytes.Equal(sorted, original) {
			t.Errorf("%s is not in sorted/%s as it was: %v", name, thing, err)
		}
	}

	again, complaints, err := nodeScript(t, dir, append([]string{"things.deepemd"}, pictures...)...)
	if err != nil || !slices.Equal(again, lines) {
		t.Errorf("from the project: %v\n%s\n%q, want %q", err, complaints, again, lines)
	}

	// Unreadable files are named and the others sorted; images that were sorted before stay.
	place("node_test.go", "new/letter.jpg")
	lines, complaints, err = nodeScript(t, dir, "things.deepemd", "--into", "sorted", "new/letter.jpg", "new/apple-4.jpg", "new/nowhere.jpg", "new/banana-5.jpg")
	if err == nil || len(lines) != 2 {
		t.Errorf("with files that cannot be read: error %v, lines %q", err, lines)
	}
	for _, named := range []string{"new/letter.jpg: ", "JPEG, PNG or WebP", "new/nowhere.jpg: ", "no such file", "new/apple-4.jpg: ", "EEXIST"} {
		if !strings.Contains(complaints, named) {
			t.Errorf("complaints\n%s: want %q", complaints, named)
		}
	}
	for _, c := range []struct{ arguments, says string }{
		{"things", "usage"}, {"nowhere new/apple-4.jpg", "nowhere"}, {"new new/apple-4.jpg", "one for each class"}, {"new/letter.jpg new/apple-4.jpg", "not a project"},
	} {
		if _, complaints, err := nodeScript(t, dir, strings.Fields(c.arguments)...); err == nil || !strings.Contains(complaints, c.says) {
			t.Errorf("%s: %v\n%s: want %q", c.arguments, err, complaints, c.says)
		}
	}
}
