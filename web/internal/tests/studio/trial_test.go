//go:build !js

package studio_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Sounds are tested like images, with a folder of recordings per class. Unreadable files are
// reported in the page's language.
func TestTrialOfSounds(t *testing.T) {
	s := open(t, browsertest.Options{Flags: map[string]any{"lang": "de-DE", "accept-lang": "de-DE"}})
	s.Hear()
	recording := func(dir, name string, digit, take int) string {
		t.Helper()
		data := require.Value(os.ReadFile(studiotest.Recording(t, studiotest.Spoken(t, digit, "george", take))))(t)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	folder := t.TempDir()
	for i, class := range []struct {
		name  string
		digit int
	}{{"Sieben", 7}, {"Null", 0}} {
		s.Name(i+1, class.name)
		var files []string
		for take := range 3 {
			files = append(files, recording(t.TempDir(), fmt.Sprintf("%d.wav", take), class.digit, take))
		}
		s.Drop(studiotest.Card(i+1), files...)
		s.WaitCount(studiotest.Card(i+1)+" .thumbnail", 3)
		for take := range 2 {
			recording(filepath.Join(folder, class.name), fmt.Sprintf("neu-%d.wav", take), class.digit, 3+take)
		}
	}
	recording(filepath.Join(folder, "Null"), "falsch.wav", 7, 3) // a seven among the zeros
	require.NoError(t, os.WriteFile(filepath.Join(folder, "Null", "brief.mp3"), []byte("ein Brief"), 0o600))
	s.WaitFor(`document.querySelector("#test-folder")`)
	s.Drop(".trial", folder)
	s.WaitFor(`document.querySelector(".trial .accuracy") && !document.querySelector(".trial .running")`)
	said := s.Text(".trial")
	for _, want := range []string{"von 5 Aufnahmen", "1 Datei ist keine brauchbare Aufnahme", "Null, erkannt als Sieben", "falsch.wav"} {
		if !strings.Contains(said, want) {
			t.Errorf("the test says %q, want %q", said, want)
		}
	}
	if announced := s.Text(".trial > .said[role=status]"); !strings.Contains(announced, "von 5 Aufnahmen") {
		t.Errorf("announced is %q", announced)
	}
	s.Eval(`document.querySelector(".trial").scrollIntoView()`)
	s.Shot("sound-trial")
	s.Eval(`globalThis.played = new Promise((resolve) => { const play = Audio.prototype.play; Audio.prototype.play = function () { this.addEventListener("playing", resolve); return play.call(this); }; })`)
	s.Click(".mistakes button")
	s.Eval(`played`)

	s.Drop("#view", filepath.Join(folder, "Null", "brief.mp3"))
	s.WaitFor(`document.querySelector(".message")?.innerText.includes("brief.mp3")`)
	s.Click(".message button.quiet")
	s.WaitCount(".message", 0)
	s.Drop(studiotest.Card(1), filepath.Join(folder, "Null", "brief.mp3"))
	s.WaitFor(`document.querySelector(".message")?.innerText.includes("brief.mp3")`)
	if said := s.Text(".message"); !strings.Contains(said, "Nimm MP3 oder WAV") || strings.Contains(said, "not an MP3") {
		t.Errorf("the page says %q", said)
	}
	s.Quiet()
}
