//go:build !js

package embed_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// disk replaces the folder picker, which scripts cannot use: it provides a folder of the
// browser's private file system.
const disk = `globalThis.disk = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("photos", { create: true });
	globalThis.showDirectoryPicker = disk;`

// fill writes demo images to given paths of the folder; tree lists the folder.
const fill = `(async (paths) => {
	for (const path of paths) {
		const parts = path.split("/"), name = parts.pop();
		let folder = await disk();
		for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
		const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
		await file.write(await (await fetch("/web/demo/" + name)).blob());
		await file.close();
	}
})(%s)`

const tree = `(async () => {
	const found = [];
	for await (const [name, handle] of (await disk()).entries()) {
		if (handle.kind === "file") found.push(name);
		else for await (const inner of handle.keys()) found.push(name + "/" + inner);
	}
	return found.sort();
})()`

// After one photo per subfolder and one correction, the page sorts the rest, and moves all of them.
func TestSortMoves(t *testing.T) {
	s := openBefore(t, "/examples/sort/", disk)
	s.WaitFor(`document.querySelector("#status").textContent === "Ready."`)
	browsertest.Eval[any](s.Browser, fmt.Sprintf(fill, `["apple/apple-1.jpg", "banana/banana-1.jpg", "apple-2.jpg", "apple-3.jpg", "banana-2.jpg", "banana-3.jpg", "orange-1.jpg", "orange-2.jpg", "orange-3.jpg"]`))
	s.Click("#choose")
	s.WaitFor(`/photos have an album/.test(document.querySelector("#status").textContent)`)

	s.Focus("#add input")
	s.Keys("orange\n")
	s.WaitFor(`document.querySelectorAll("#albums h2").length === 4`)
	place(s, "orange-1.jpg", "orange")
	portraits(s, "sort")
	want := []string{"apple/apple-1.jpg", "apple/apple-2.jpg", "apple/apple-3.jpg", "banana/banana-1.jpg", "banana/banana-2.jpg", "banana/banana-3.jpg", "orange/orange-1.jpg", "orange/orange-2.jpg", "orange/orange-3.jpg"}
	for _, photo := range want {
		album, name := filepath.Split(photo)
		place(s, name, filepath.Clean(album))
	}
	s.Click("#move")
	s.WaitFor(`/photos are in their folders/.test(document.querySelector("#status").textContent)`)
	if got := browsertest.Eval[[]string](s.Browser, tree); !slices.Equal(got, want) {
		t.Errorf("the folder holds %v", got)
	}
	s.Quiet()
}

// Without the File System Access API, the folder comes from a file field, and the result is a zip
// or a list. Files that are not images are skipped.
func TestSortIntoZip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "photos")
	for path, from := range map[string]string{
		"apple/a.jpg": "apple-1", "apple/b.jpg": "apple-2", "banana/a.jpg": "banana-1", "banana/b.jpg": "banana-2", "1.jpg": "apple-4", "2.jpg": "banana-4",
	} {
		data := require.Value(os.ReadFile(filepath.Join(demo, from+".jpg")))(t)
		write(t, filepath.Join(dir, filepath.FromSlash(path)), data)
	}
	write(t, filepath.Join(dir, "letter.jpg"), []byte("Dear reader"))
	write(t, filepath.Join(dir, "notes.txt"), []byte("no picture"))

	s := openBefore(t, "/examples/sort/", `delete Window.prototype.showDirectoryPicker; delete globalThis.showDirectoryPicker`)
	s.WaitFor(`document.querySelector("#status").textContent === "Ready."`)
	s.Upload("#files", dir)
	s.WaitFor(`/^6 of 6 photos have an album/.test(document.querySelector("#status").textContent)`)
	if s.Count("#move:not([hidden])") != 0 {
		t.Error("the page offers to move files, which this browser cannot")
	}
	s.Click("#zip")
	archive := require.Value(zip.OpenReader(s.Saved(".zip")))(t)
	defer archive.Close()
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
		data := require.Value(f.Open())(t)
		if _, err := data.Read(make([]byte, 1<<20)); err != nil && err.Error() != "EOF" {
			t.Errorf("%s: %v", f.Name, err)
		}
		data.Close()
	}
	slices.Sort(names)
	if want := []string{"apple/1.jpg", "apple/a.jpg", "apple/b.jpg", "banana/2.jpg", "banana/a.jpg", "banana/b.jpg"}; !slices.Equal(names, want) {
		t.Errorf("the archive holds %v, want %v", names, want)
	}
	s.Click("#list")
	list := require.Value(os.ReadFile(s.Saved(".csv")))(t)
	if want := "photo,album\r\n\"1.jpg\",\"apple\"\r\n\"2.jpg\",\"banana\"\r\n"; len(list) < len(want) || string(list[:len(want)]) != want {
		t.Errorf("the list begins with %q", list)
	}
	s.Quiet()
}

// place sets the album of a photo, unless the page has already.
func place(s *studiotest.Studio, name, album string) {
	s.T.Helper()
	field := fmt.Sprintf(`document.querySelector('[aria-label="Album of %s"]')`, name)
	s.WaitFor(field)
	if browsertest.Eval[string](s.Browser, field+".value") == album {
		return
	}
	s.T.Logf("%s: %q is corrected to %q", name, browsertest.Eval[string](s.Browser, field+".value"), album)
	s.Eval(fmt.Sprintf(`(() => { const field = %s; field.value = %q; field.onchange(); })()`, field, album))
	s.WaitFor(fmt.Sprintf(`%s?.value === %q && %s.closest(".photo").matches(".sure")`, field, album, field))
}

// openBefore opens a page after a script of the test.
func openBefore(t *testing.T, path, script string) *studiotest.Studio {
	t.Helper()
	s := open(t, "/examples/", browsertest.Options{})
	s.RunFirst(script)
	s.Open(s.Origin + path)
	return s
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, data, 0o644))
}
