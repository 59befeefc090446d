//go:build !js

package keep_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/color"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// sharedPage opens the shared page of a project file in a browser of the given language.
func sharedPage(t *testing.T, file []byte, language string) *studiotest.Studio {
	t.Helper()
	path := studiotest.SharedPage(t, "", publish.Contents{Project: file})
	return studiotest.OpenPage(t, "file://"+path, browsertest.Options{Flags: map[string]any{"lang": language, "accept-lang": language}})
}

// A shared page uses the project's method: it reports unknown images like the studio, in the user's
// language, and ignores disabled classes.
func TestSharedPageNamesStrangers(t *testing.T) {
	strict := method.Default()
	strict.Strangers.Strictness = 0.6
	s := sharedPage(t, studiotest.Discs(t, strict), "de-DE")
	s.WaitFor(`document.querySelector(".status").innerText === "Bereit"`)
	if got := browsertest.Eval[string](s.Browser, `JSON.stringify([engine.method.strangers, engine.classes.map((c) => c.enabled)])`); got != `[{"name":true,"strictness":0.6},[true,true,false]]` {
		t.Errorf("the engine has %s", got)
	}
	show := func(c color.RGBA, caption string) {
		t.Helper()
		s.Upload("#picture", studiotest.PictureFile(t, "shown.jpg", c))
		s.WaitFor(fmt.Sprintf(`document.querySelector(".caption:not([hidden])")?.innerText.includes(%q)`, caption))
	}
	show(studiotest.Blue, "blue disc")
	if best := s.Count(".class.best"); best != 1 {
		t.Errorf("%d classes are marked as the best", best)
	}
	s.Axe("the best class")
	s.Window(844, 390)
	if below := browsertest.Eval[float64](s.Browser, `document.querySelector(".controls").getBoundingClientRect().bottom - innerHeight`); below > 0 {
		t.Errorf("on a phone in landscape the buttons end %v px below the window", below)
	}
	s.Window(1280, 800)
	s.Shot("shared-known")
	show(studiotest.Green, "Unbekannt")
	if best := s.Count(".class.best"); best != 0 {
		t.Errorf("%d classes are marked as the best, of a stranger", best)
	}
	if best := s.Text(".rest.best .name"); best != "Unbekannt" {
		t.Errorf("the best row of a stranger is %q", best)
	}
	if sum := browsertest.Eval[float64](s.Browser, `[...document.querySelectorAll(".classes .fill")].reduce((sum, f) => sum + Number(f.ariaValueNow), 0)`); math.Abs(sum-1) > 1e-5 {
		t.Errorf("the rows sum to %v", sum)
	}
	if rows := browsertest.Eval[string](s.Browser, `[...document.querySelectorAll(".class .name")].map((n) => n.innerText).join()`); rows != "red disc,blue disc" {
		t.Errorf("classes %s", rows)
	}
	s.Shot("shared-unknown")
	s.NoProblems()
}

// A shared page of sounds hears the microphone, and explains why there is none.
func TestSharedPageOfSounds(t *testing.T) {
	network := network.ResNet12SoundWeights()
	l := require.Value(learner.OpenWith(network, learner.Options{Hearing: sound.ForLearner(), Digest: archive.Digest(network)}))(t)
	for label, digit := range map[string]int{"seven": 7, "zero": 0} {
		require.NoError(t, l.AddClass(label, label))
		for i, speaker := range []string{"george", "theo"} {
			data := require.Value(os.ReadFile(studiotest.Recording(t, studiotest.Spoken(t, digit, speaker, i))))(t)
			require.Value(l.AddExample(label, fmt.Sprint(label, i), learner.Picture{Data: data}))(t)
		}
	}
	var file bytes.Buffer
	require.NoError(t, archive.Save(&file, l, project.Manifest{Name: "Digits"}))
	path := studiotest.SharedPage(t, "", publish.Contents{Project: file.Bytes(), Language: "en"})
	heard := append(make([]float32, sound.Rate/2), studiotest.Spoken(t, 7, "jackson", 0)...)
	open := func(answer any) *studiotest.Studio {
		return studiotest.OpenPage(t, "file://"+path, browsertest.Options{Flags: map[string]any{
			"use-fake-device-for-media-stream": true, "use-fake-ui-for-media-stream": answer,
			"use-file-for-fake-audio-capture": studiotest.Recording(t, append(heard, make([]float32, sound.Rate)...)),
		}})
	}
	s := open(true)
	s.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	s.Click("#camera")
	s.WaitFor(`document.querySelector(".caption:not([hidden])")?.innerText.includes("seven") && document.querySelector(".level.loud:not([hidden])")`)
	s.Axe("a shared page that hears")
	s.Shot("shared-sounds")
	s.Click("#camera")
	if got := s.Text(".view"); got != "Start the microphone, or drop a recording here." {
		t.Errorf("without the microphone the page shows %q", got)
	}
	s.Upload("#picture", studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.WaitFor(`document.querySelector(".note").innerText.includes("cannot read this as a recording")`)
	s.NoProblems()

	s = open("deny")
	s.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	s.Click("#camera")
	s.WaitFor(`document.querySelector(".note").innerText.includes("The microphone is blocked")`)
	if got := s.Text("#camera"); got != "Start microphone" {
		t.Errorf("the button says %q", got)
	}
}

// A shared page performs the actions of its project, each once until something else is seen.
func TestSharedPageActs(t *testing.T) {
	data := studiotest.Discs(t, method.Default())
	discs := require.Value(archive.Read(bytes.NewReader(data), int64(len(data))))(t)
	examples := slices.Concat(discs.Manifest.Classes[0].Examples, discs.Manifest.Classes[1].Examples, discs.Manifest.Classes[2].Examples)
	actions := project.Actions{Hold: 0.4, Rules: []project.Rule{
		{Class: "red disc", Show: "👍", Count: true, Sound: "bell"}, {Class: "blue disc", Show: "A blue disc"}, {Class: "green disc", Picture: "media-1"},
		{Of: project.OfUnknown, Picture: "media-1"}, {Class: "red disc", Show: "a second rule"}, {Of: "others", Show: "no subject"},
	}, Media: map[string]string{"media-1": "data:image/png;base64," + base64.StdEncoding.EncodeToString(require.Value(os.ReadFile(studiotest.PictureFile(t, "medium.png", studiotest.Green)))(t))}}
	discs.Manifest.Extensions = require.Value(actions.Keep(discs.Manifest.Extensions))(t)
	var file bytes.Buffer
	require.NoError(t, archive.Write(&file, &discs.Manifest, archive.Contents{
		Picture: func(i int) (*imaging.Image, error) { return discs.Picture(examples[i]) },
	}))
	s := sharedPage(t, file.Bytes(), "en-GB")
	s.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	s.Eval(`globalThis.tones = 0;
		const start = OscillatorNode.prototype.start;
		OscillatorNode.prototype.start = function (...args) { tones++; return start.apply(this, args); }`)
	show := func(c color.RGBA, effect string) {
		t.Helper()
		s.Upload("#picture", studiotest.PictureFile(t, "shown.jpg", c))
		s.WaitFor(`document.querySelector(".caption:not([hidden])") && ` + effect)
	}
	const text = `document.querySelector(".effect:not([hidden])")?.innerText`
	s.Click("h1") // browsers play sounds only after a click
	show(studiotest.Red, text+` === "👍" && !document.querySelector(".effect.word")`)
	s.WaitFor(`tones === 3`) // a bell
	s.Shot("shared-action")
	show(studiotest.Blue, text+` === "A blue disc" && document.querySelector(".effect.word")`)
	show(studiotest.Green, `document.querySelector(".effect:not([hidden]) img.medium")?.naturalWidth > 0`)
	show(studiotest.Red, text+` === "👍"`)
	if got := s.Text(".class .name"); got != "red disc ×2" {
		t.Errorf("the first row is %q", got)
	}
	s.NoProblems()
}
