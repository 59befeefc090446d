//go:build !js

package teach_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// microphone returns the options of a browser whose microphone hears samples.
func microphone(t *testing.T, samples []float32) browsertest.Options {
	return browsertest.Options{Timeout: 4 * time.Minute, Flags: map[string]any{
		"use-fake-device-for-media-stream": true,
		"use-fake-ui-for-media-stream":     true,
		"use-file-for-fake-audio-capture":  studiotest.Recording(t, samples),
	}}
}

// The microphone hears "seven" four times, then "zero" four times, then the page must recognize one
// more of each.
func TestTeachTwoWordsAndHearThem(t *testing.T) {
	const takes = 4
	silence := func(seconds float64) []float32 { return make([]float32, int(seconds*sound.Rate)) }
	heard := silence(0.5)
	for _, digit := range []int{7, 0} {
		for take := range takes {
			heard = append(append(heard, studiotest.Spoken(t, digit, "george", take)...), silence(0.5)...)
		}
		heard = append(heard, silence(2)...)
	}
	for _, digit := range []int{7, 0} {
		heard = append(append(heard, studiotest.Spoken(t, digit, "george", takes)...), silence(2.5)...)
	}
	s := open(t, microphone(t, heard))
	s.Hear()
	s.Click("#start")
	s.WaitFor(`!document.querySelector("#heard.hidden")`)
	for i, name := range []string{"Seven", "Zero"} {
		s.Name(i+1, name)
	}
	for i := range 2 {
		s.Hold(i+1, takes)
	}
	for _, name := range []string{"Seven", "Zero", "Seven"} {
		s.WaitFor(fmt.Sprintf(`document.querySelector(".caption")?.textContent.startsWith(%q)`, name))
	}
	s.soundPortraits()
	// A higher threshold stops all answers.
	s.Eval(`(() => { const slider = document.querySelector("#threshold"); slider.value = -10; slider.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	if level := browsertest.Eval[string](s.Browser, `localStorage.getItem("deepemd-threshold")`); level != "-10" {
		t.Errorf("the threshold is remembered as %q, want -10", level)
	}
	// Examples can be played, and are saved with their sound.
	if n := browsertest.Eval[int](s.Browser, `[...studio.gallery.contents.keys()].filter((id) => studio.gallery.second(id)?.length === 16000).length`); n < 2*takes {
		t.Errorf("%d examples have their sound, want at least %d", n, 2*takes)
	}
	s.Click(studiotest.Card(1) + " .thumbnail img")
	s.IsKept()
	s.Eval("location.reload()")
	s.WaitFor(`document.querySelector(".studio:not([inert])")`)
	s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length >= %d", studiotest.Card(2)+" .thumbnail", takes))
	s.WaitFor(fmt.Sprintf(`[...studio.gallery.contents.keys()].filter((id) => studio.gallery.second(id)?.length === 16000).length >= %d`, 2*takes))
	// The project's file opens with the same spectrograms.
	before := s.spectrograms(2 * takes)
	s.OpenDialog("#open-projects", "#projects")
	s.Click("#save-file")
	file := s.Saved(".deepemd")
	s.WaitFor(`document.querySelector("#save-file").ariaDisabled === "false"`)
	s.Upload("#open-file", file)
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Project 1 (2)"`)
	s.Ready()
	if after := s.spectrograms(2 * takes); after != before {
		t.Error("the spectrograms of a project file are others than those that were saved")
	}
	s.Click(studiotest.Card(1) + " .thumbnail img")
	s.WaitFor(`document.querySelector(".message[data-key=files]")?.innerText.startsWith("This example has no sound")`)
	// The page for images does not list the project.
	s.Click("#see")
	s.WaitFor(`document.querySelector("video") && !document.querySelector("[inert]")`)
	s.Ready()
	s.WaitCount(".thumbnail", 0)
	s.Quiet()
}

// A tap begins a recording and another ends it, for people who cannot hold a button.
func TestTapRecordsSounds(t *testing.T) {
	s := open(t, microphone(t, studiotest.Spoken(t, 7, "george", 0)))
	s.Hear()
	s.Click("#start")
	s.WaitFor(`!document.querySelector("#heard.hidden")`)
	capture := studiotest.Card(1) + " .capture"
	tap := fmt.Sprintf(`for (const type of ["pointerdown", "pointerup", "lostpointercapture", "click"]) {
		document.querySelector(%q).dispatchEvent(new (type === "click" ? MouseEvent : PointerEvent)(type, { bubbles: true, detail: 1 }));
	}`, capture)
	s.Eval(tap)
	s.WaitFor(fmt.Sprintf(`document.querySelector(%q).ariaPressed === "true" && document.querySelector(%q)`, capture, studiotest.Card(1)+" .thumbnail"))
	s.Eval(tap)
	s.WaitFor(fmt.Sprintf(`document.querySelector(%q).ariaPressed === "false"`, capture))
	s.Quiet()
}

// spectrograms waits for n spectrograms, and sums their pixels.
func (s *studio) spectrograms(n int) string {
	s.T.Helper()
	const pixels = `[...studio.gallery.contents.values()].map((c) => c.pixels).filter(Boolean)`
	s.WaitFor(fmt.Sprintf("%s.length >= %d", pixels, n))
	return browsertest.Eval[string](s.Browser, pixels+`.map((p) => p.reduce((a, v, i) => (a * 31 + v) % 1000003, 7)).sort().join(" ")`)
}

// Problems with sounds are reported, and lose nothing.
func TestTroubleWithSounds(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Hear()
	s.Click("#start")
	s.WaitFor(`/microphone/i.test(document.querySelector(".invitation.problem")?.textContent)`)

	good := studiotest.Recording(t, studiotest.Spoken(t, 3, "theo", 0))
	whole := require.Value(os.ReadFile(good))(t)
	dir := t.TempDir()
	files := []string{good}
	for name, data := range map[string][]byte{
		"cut.wav": whole[:len(whole)/2], "silent.wav": append(whole[:44:44], make([]byte, len(whole)-44)...), "letter.mp3": []byte("this is a letter"),
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		files = append(files, path)
	}
	// A file that is no recording is refused before the first example, too.
	s.Ready()
	s.Upload("#test-picture", studiotest.PictureFile(t, "cover.jpg", studiotest.Red))
	s.WaitFor(`document.querySelector(".message")?.textContent.includes("cover.jpg")`)
	if s.Is(`document.querySelector(".recording:not(.hidden)")`) {
		t.Error("a picture is on the stage")
	}
	s.Eval(`document.querySelector(".message [aria-label=Dismiss]").click()`)

	s.Drop(studiotest.Card(1), files...)
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 1)
	s.WaitFor(`/cut.wav|silent.wav|letter.mp3/.test(document.querySelector(".message")?.textContent)`)
	said := s.Text(".message")
	for _, want := range []string{"cut.wav", "silent.wav", "letter.mp3", "recordings", "The other recordings were added"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page says %q, want it to mention %q", said, want)
		}
	}
	// A tested recording stays when another cannot be used.
	s.Ready()
	s.Upload("#test-picture", good)
	s.WaitFor(`document.querySelector(".recording:not(.hidden)")`)
	s.Eval(`for (const b of document.querySelectorAll(".message button")) if (b.getAttribute("aria-label") === "Dismiss") b.click()`)
	s.WaitFor(`!/letter.mp3/.test(document.body.innerText)`)
	for _, file := range files[1:] {
		if !strings.HasSuffix(file, "cut.wav") {
			s.Upload("#test-picture", file)
			s.WaitFor(fmt.Sprintf(`document.querySelector(".messages").innerText.includes(%q)`, filepath.Base(file)))
			s.Drawn()
		}
	}
	if !s.Is(`document.querySelector(".recording:not(.hidden)")`) {
		t.Error("an unusable recording has replaced the tested one")
	}
	s.Press(studiotest.Card(1) + " .capture")() // reports that the microphone is off
	s.WaitFor(`/The microphone is off/.test(document.body.innerText)`)
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 1)
	s.Quiet()
}

// The recordings of an archive show their spectrograms as soon as the engine has learned them.
func TestImportedRecordingsAreShown(t *testing.T) {
	const takes = 2
	path := filepath.Join(t.TempDir(), "words.zip")
	file := require.Value(os.Create(path))(t)
	archive := zip.NewWriter(file)
	for _, digit := range []int{7, 0} {
		for take := range takes {
			w := require.Value(archive.Create(fmt.Sprintf("words/%d/%d.wav", digit, take)))(t)
			require.Value(w.Write(require.Value(os.ReadFile(studiotest.Recording(t, studiotest.Spoken(t, digit, "george", take))))(t)))(t)
		}
	}
	require.NoError(t, archive.Close())
	require.NoError(t, file.Close())
	s := open(t, browsertest.Options{})
	s.Hear()
	s.OpenDialog("#open-projects", "#projects")
	s.Upload("#open-file", path)
	s.WaitCount(".cards .thumbnail", 2*takes)
	s.spectrograms(2 * takes)
	s.WaitFor(`[...document.querySelectorAll(".thumbnail img")].every((image) => image.complete && image.naturalWidth === 80)`)
	s.Quiet()
}

// soundPortraits takes the README's screenshot of the page for sounds.
func (s *studio) soundPortraits() {
	s.T.Helper()
	if os.Getenv("DEEPEMD_SCREENSHOTS") == "" {
		return
	}
	s.Window(1280, 760)
	s.Eval("scrollTo(0, 0)")
	// Sounds and moving bars must not change the page during the screenshot.
	s.WaitFor(`(() => {
		if (!/^Seven(9[0-9]|100)%/.test(document.querySelector(".caption")?.textContent)) return false;
		const slider = document.querySelector("#threshold");
		slider.value = -10;
		return slider.dispatchEvent(new Event("input", { bubbles: true }));
	})()`)
	s.WaitFor(`document.querySelector(".bars").getAnimations({ subtree: true }).length === 0`)
	s.Shot("sound")
	s.Window(1280, 800)
}
