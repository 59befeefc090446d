//go:build !js

package teach_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A file that is not an image is reported, and the stage keeps its content: the previous picture,
// or the camera.
func TestFileThatIsNoPictureLeavesTheStage(t *testing.T) {
	document := filepath.Join(t.TempDir(), "worksheet.pdf")
	require.NoError(t, os.WriteFile(document, []byte("%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\n%%EOF\n"), 0o600))
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.Ready()
	s.Upload("#test-picture", document)
	s.refuses("worksheet.pdf")
	s.WaitFor(`document.querySelector(".invitation")`)
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 2)
	s.Drop("#view", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("Class 2")`)
	s.Drop("#view", document)
	s.refuses("worksheet.pdf")
	if !browsertest.Eval[bool](s.Browser, `(() => {
		const picture = document.querySelector(".picture:not(.hidden)");
		return picture.width > 0 && picture.getContext("2d").getImageData(picture.width / 2, picture.height / 2, 1, 1).data[2] > 150
			&& document.querySelector(".caption").innerText.includes("Class 2");
	})()`) {
		t.Error("the picture before is gone from the stage")
	}
	s.startCamera()
	s.Drop("#view", document)
	s.refuses("worksheet.pdf")
	if !browsertest.Eval[bool](s.Browser, `document.querySelector("video:not(.hidden)").srcObject?.active`) {
		t.Error("the camera is off")
	}
	s.Quiet()
}

// Two dropped pictures are both tested, even in a zip archive, and a video becomes pictures.
func TestSeveralPicturesAndAVideo(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 2)
	first, second := studiotest.PictureFile(t, "1.jpg", studiotest.Blue), studiotest.PictureFile(t, "2.jpg", studiotest.Red)
	both := bytes.Buffer{}
	archive := zip.NewWriter(&both)
	for i, file := range []string{first, second, second} {
		w := require.Value(archive.Create(fmt.Sprintf("Class 1/%d.jpg", i)))(t)
		require.Value(w.Write(require.Value(os.ReadFile(file))(t)))(t)
	}
	require.NoError(t, archive.Close())
	zipped := filepath.Join(t.TempDir(), "both.zip")
	require.NoError(t, os.WriteFile(zipped, both.Bytes(), 0o600))
	s.Drop("#view", zipped)
	s.WaitFor(`document.querySelector(".pager")?.innerText.includes("1 of 3") && document.querySelector(".caption")?.innerText.includes("Class 2")`)
	s.Drop("#view", first, second)
	s.WaitFor(`document.querySelector(".pager")?.innerText.includes("1 of 2") && document.querySelector(".caption")?.innerText.includes("Class 2")`)
	s.Click("#next-picture")
	s.WaitFor(`document.querySelector(".pager").innerText.includes("2 of 2") && document.querySelector(".caption")?.innerText.includes("Class 1")`)
	s.Shot("several-pictures")
	// A recording of a canvas, which does not state its duration.
	s.Eval(`(async () => {
		const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
		const context = canvas.getContext("2d");
		const recorder = new MediaRecorder(canvas.captureStream(20));
		const parts = [];
		recorder.ondataavailable = ({ data }) => parts.push(data);
		recorder.start();
		for (let i = 0; i < 30; i++) {
			context.fillStyle = "rgb(210, 40, " + i + ")";
			context.fillRect(0, 0, 64, 64);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		await new Promise((resolve) => { recorder.onstop = resolve; recorder.stop(); });
		const transfer = new DataTransfer();
		transfer.items.add(new File(parts, "red.webm", { type: "video/webm" }));
		document.querySelector(".cards .card").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
	})()`)
	s.WaitFor(`document.querySelectorAll(".cards .card:first-child .thumbnail").length >= 3 && document.querySelectorAll(".message").length === 0`)
	s.Quiet()
}

// A picture that is dropped on the stage is tested, though the first example replaces the element below
// the pointer during the drag.
func TestDropWhileTheStageChanges(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.WaitFor(`document.querySelector(".invitation .reel")`)
	drop := s.Carry(".view", studiotest.PictureFile(t, "blue.jpg", studiotest.Blue))
	s.Give(1, studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.WaitFor(`document.querySelector(".invitation:not(:has(.reel))")`)
	drop()
	s.WaitFor(`document.querySelector(".view .picture:not(.hidden)")`)
	s.Quiet()
}

// Files that are dragged over the page show where they can be dropped; a text does not. An import shows the time left,
// and can be stopped and taken back.
func TestImport(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	drag := func(event, item string) {
		s.Eval(fmt.Sprintf(`(() => {
			const transfer = new DataTransfer();
			transfer.items.add(%s);
			document.querySelector(".card").dispatchEvent(new DragEvent(%q, { bubbles: true, cancelable: true, dataTransfer: transfer }));
		})()`, item, event))
	}
	drag("dragover", `"a text", "text/plain"`)
	s.Drawn()
	if !s.Is(`getComputedStyle(document.querySelector(".card")).boxShadow === getComputedStyle(document.querySelector(".card:nth-of-type(2)")).boxShadow`) {
		t.Error("a class is highlighted for a text that it does not take")
	}
	drag("dragleave", `"a text", "text/plain"`)
	const file = `new File(["x"], "x.jpg")`
	drag("dragenter", file)
	s.WaitFor(`document.querySelector(".drop-anywhere").checkVisibility() && getComputedStyle(document.querySelector(".card"), "::after").content.includes("Drop to add to Class 1")`)
	s.Shot("dragging")
	drag("dragleave", file)
	s.WaitFor(`!document.querySelector(".drop-anywhere").checkVisibility()`)

	folder := filepath.Join(t.TempDir(), "animals")
	for _, thing := range studiotest.Things {
		require.NoError(t, os.MkdirAll(filepath.Join(folder, thing.Name), 0o755))
		for i, img := range studiotest.TinyImageNet(t, thing.Wordnet, 0, 80) {
			studiotest.WritePicture(t, filepath.Join(folder, thing.Name, fmt.Sprintf("%d.jpg", i)), img)
		}
	}
	s.Drop("body", folder)
	s.WaitFor(`document.querySelector(".importing")?.innerText.includes("left.")`)
	s.Shot("importing")
	s.Click("#stop-import")
	s.WaitFor(`/Stopped: \d+ pictures were not added/.test(document.querySelector(".messages").innerText)`)
	count := `[...document.querySelectorAll(".card:not(.nothing)")].reduce((n, c) => n + (parseInt(c.innerText.match(/(\d+) examples?/)?.[1] ?? 0)), 0)`
	all := 80 * len(studiotest.Things)
	if n := browsertest.Eval[int](s.Browser, count); n == 0 || n >= all {
		t.Errorf("%d of %d examples stay", n, all)
	}
	s.Click(".message.news button.plain")
	s.WaitFor(fmt.Sprintf(`%s === %d`, count, all))
	if got := s.Text("#open-projects .title"); got != "animals" {
		t.Errorf("the project is called %q, want the folder's name", got)
	}
	s.Quiet()
}

// refuses waits for the notice about a file that is not an image, and dismisses it.
func (s *studio) refuses(name string) {
	s.T.Helper()
	s.WaitFor(`document.querySelector(".message.warning")`)
	if got := s.Text(".message.warning"); !strings.Contains(got, name) || !strings.Contains(got, "screenshot") {
		s.T.Errorf("the page says %q, want the name of the file and what will do", got)
	}
	s.Shot("no-picture")
	s.Click(".message.warning button.quiet")
	s.WaitCount(".message", 0)
}
