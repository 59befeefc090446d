//go:build !js

package embed_test

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

const example = "/examples/gallery/"

// fruits returns a folder of the demo's images and a file that only resembles one.
func fruits(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "fruits")
	require.NoError(t, os.Mkdir(folder, 0o755))
	for _, thing := range []string{"apple", "banana", "cat", "orange"} {
		for n := range 4 {
			name := fmt.Sprintf("%s-%d.jpg", thing, n+1)
			picture := require.Value(os.ReadFile(filepath.Join("../../../static/web/demo", name)))(t)
			require.NoError(t, os.WriteFile(filepath.Join(folder, name), picture, 0o644))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "broken.jpg"), []byte("no picture"), 0o644))
	return folder
}

func (s *tab) says(text string) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`document.querySelector("#status").textContent.includes(%q)`, text))
}

// ready waits until the gallery is open.
func (s *tab) ready() {
	s.T.Helper()
	s.WaitFor(`!document.querySelector("#files").disabled && document.querySelector("#kept").textContent !== ""`)
}

// shows asserts the number of images on the page, in text and as thumbnails.
func (s *tab) shows(pictures string, shown int) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`document.querySelector("#kept").textContent.startsWith(%q) && document.querySelectorAll("#pictures li").length === %d`, pictures, shown))
}

// A folder is added, searched by a file and by a click, survives a reload, and is removed.
func TestExample(t *testing.T) {
	film := studiotest.DiscFilm(t, 30, color.RGBA{200, 40, 30, 255})
	s := openTab(t, example, browsertest.Options{Camera: film})
	s.ready()
	s.shows("No pictures yet", 0)
	s.Upload("#folder", fruits(t))
	s.says("16 added. 1 could not be read: fruits/broken.jpg")
	s.shows("16 pictures, ", 16)

	banana := require.Value(filepath.Abs("../../../static/web/demo/banana-5.jpg"))(t)
	s.Upload("#query", banana)
	s.WaitFor(`document.querySelectorAll("#others button").length === 10 && !document.querySelector("#match").hidden`)
	first := browsertest.Eval[[]string](s.Browser, `Array.from(document.querySelectorAll("#others button"), (b) => b.title).slice(0, 3)`)
	for _, name := range first {
		if !strings.HasPrefix(name, "fruits/banana") {
			t.Errorf("a banana finds %v", first)
		}
	}
	if name := s.Text("#name"); name != first[0] {
		t.Errorf("the match shown is that with %q, the best is %q", name, first[0])
	}
	portraits(s.Studio, "gallery")
	s.Click("#others li:nth-child(3) button")
	s.WaitFor(fmt.Sprintf(`document.querySelector("#name").textContent === %q`, first[2]))

	s.Open(s.Origin + example)
	s.ready()
	s.shows("16 pictures, ", 16)
	s.Upload("#folder", fruits(t))
	s.says("0 added. 16 already stored. 1 could not be read")
	s.Click(`#pictures button[title="fruits/cat-2.jpg"]`)
	s.WaitFor(`document.querySelector("#name").textContent.startsWith("fruits/cat")`)
	gone := s.Text("#name")
	s.Click("#remove")
	s.shows("15 pictures, ", 15)
	s.WaitFor(fmt.Sprintf(`!Array.from(document.querySelectorAll("[title]"), (b) => b.title).includes(%q)`, gone))
	if s.Count(`#others button[title="fruits/cat-2.jpg"]`) != 0 {
		t.Error("after another picture was removed, a picture finds itself")
	}

	s.Click("#camera")
	s.WaitFor(`!document.querySelector("#live").hidden && document.querySelector("video").videoWidth > 0`)
	s.Click("#take")
	s.shows("16 pictures, ", 16)
	s.Click("#look")
	s.WaitFor(`document.querySelector("#name").textContent.startsWith("camera")`)
	s.Click("#off")

	s.Eval(`globalThis.confirm = () => true`)
	s.Click("#clear")
	s.shows("No pictures yet", 0)
	s.Quiet()
}

// A dropped folder is searched recursively. A script cannot make a real drop, so its entries are
// fakes.
func TestDroppedFolders(t *testing.T) {
	s := openTab(t, example, browsertest.Options{})
	names := browsertest.Eval[[]string](s.Browser, `(async () => {
		const { dropped } = await import("./pictures.js");
		const file = (path) => ({ isFile: true, name: path.split("/").pop(), fullPath: path, file: (done) => done(new File(["12345"], path)) });
		const folder = (...lists) => ({ isFile: false, createReader: () => ({ readEntries: (done) => done(lists.shift() ?? []) }) });
		const entries = [file("/one.JPG"), folder([file("/a/two.png"), file("/a/notes.txt")], [folder([file("/a/b/three.webp")])]), null];
		return (await dropped({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) })).map(({ name }) => name);
	})()`)
	if got := strings.Join(names, ", "); got != "one.JPG 5, a/two.png 5, a/b/three.webp 5" {
		t.Errorf("dropped: %s", got)
	}
}

// A damaged gallery is reported and can be restarted, likewise a full device. Adding can be
// stopped.
func TestExampleBeginsAgain(t *testing.T) {
	s := openTab(t, plain, browsertest.Options{})
	does[bool](s, `
		const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("deepemd-galleries", { create: true });
		const file = await (await folder.getFileHandle("example.index", { create: true })).createWritable();
		await file.write("deepemdX, and then something else");
		await file.close();
		return true;`)
	s.Open(s.Origin + example)
	s.WaitFor(`!document.querySelector("#notice").hidden`)
	if text := s.Text("#notice p"); !strings.Contains(text, "the index is cut off or damaged") {
		t.Errorf("the page says %q", text)
	}
	s.Click("#notice button")
	s.ready()
	s.shows("No pictures yet", 0)
	s.Quota(60_000)
	s.Eval(`(async () => {
		const canvas = Object.assign(document.createElement("canvas"), { width: 84, height: 84 }), c = canvas.getContext("2d");
		const transfer = new DataTransfer();
		for (let i = 0; i < 900; i++) {
			c.fillStyle = "hsl(" + i + " 80% 50%)";
			c.fillRect(i % 40, i % 30, 40, 50);
			transfer.items.add(new File([await new Promise((resolve) => canvas.toBlob(resolve))], "drawn " + i + ".png"));
		}
		const field = document.querySelector("#files");
		field.files = transfer.files;
		field.dispatchEvent(new Event("change"));
	})()`)
	s.WaitFor(`/Adding: \d+ of 900, \d+ s left/.test(document.querySelector("#status").textContent) && document.querySelectorAll("#pictures li").length > 0`)
	s.WaitFor(`document.querySelector("#notice").textContent.includes("New pictures are lost when the page closes: the device has no more room for the page.")`)
	s.Click("#stop")
	s.says("Stopped. Added pictures stay")
	s.Quiet()
}
