//go:build !js

package studio_test

import (
	"fmt"
	"image/color"
	"os"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// slowly delays every answer of the engine by a fifth of a second while it is set.
const slowly = `
	globalThis.slowly = true;
	globalThis.asked = 0;
	const post = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (message, ...rest) {
		if (message?.type === "classify") asked++;
		if (!slowly || message?.type !== "classify") return post.call(this, message, ...rest);
		setTimeout(() => post.call(this, message, ...rest), 200);
	};`

// watching opens the studio in a language, with a camera that shows discs, and two classes with one
// example each.
func watching(t *testing.T, language string) *studio {
	t.Helper()
	orange, blue := color.RGBA{230, 120, 20, 255}, color.RGBA{20, 60, 200, 255}
	s := open(t, browsertest.Options{Camera: studiotest.DiscFilm(t, 1, orange, blue)},
		studiotest.Measuring, slowly, `localStorage.getItem("deepemd.language") ?? localStorage.setItem("deepemd.language", "`+language+`")`)
	s.Ready()
	s.Give(1, studiotest.PictureFile(t, "orange.png", orange))
	s.Give(2, studiotest.PictureFile(t, "blue.png", blue))
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 1)
	s.Click("#start.primary")
	return s
}

// told waits for a notice with some words, and returns it.
func (s *studio) told(words string) string {
	s.T.Helper()
	s.WaitFor(`document.querySelector(".message[data-key=network]")?.innerText.includes("` + words + `")`)
	return s.Text(".message[data-key=network]")
}

// spared waits until the page spares a slow device frames and animations, or stops that.
func (s *studio) spared(is bool) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`(() => {
		const [track] = document.querySelector("video").srcObject?.getVideoTracks() ?? [];
		const slides = getComputedStyle(document.querySelector(".answer .fill > div")).transitionProperty !== "none";
		const rate = track?.getConstraints().frameRate; // which Chromium simplifies
		return slides !== %[1]t && (!track || ((rate?.ideal ?? rate) === 15) === %[1]t);
	})()`, is))
}

// On a slow device the small network takes over, in this visit and the next. The page reports that
// with the rates, and a click reverts it.
func TestSlowDevice(t *testing.T) {
	s := watching(t, "en")
	s.told("answers per second here; the small one gives more")
	if name := s.facts(); name != "resnet12-xs" {
		t.Errorf("%s answers", name)
	}
	s.Eval(`slowly = false`)
	if said := s.told("It gives "); !strings.Contains(said, "This device is slow") || !strings.Contains(said, "the default network gave ") {
		t.Errorf("it says %q", said)
	}
	s.spared(true)
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		s.shots("slow-device", ".message[data-key=network]")
	}
	s.IsKept()

	s.Revisit()
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 1)
	if name := s.facts(); name != "resnet12-xs" || s.Count(".message[data-key=network]") != 0 {
		t.Errorf("on the next visit %s answers, and it says %q", name, s.Text(".messages"))
	}
	s.experts()
	if now := s.Text("#network-now"); now != "resnet12-xs, the small network of the page" {
		t.Errorf("the network is %q", now)
	}
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		s.shots("slow-device-settings", ".setup .network")
	}
	s.Click("#other-weights")
	s.WaitFor(`document.querySelector("#network-now").innerText === "` + network.ResNet12Photo + `, the network of the page"`)
	s.leave()
	if name := s.facts(); name != network.ResNet12Photo {
		t.Errorf("%s answers", name)
	}
	s.spared(false)
	s.IsKept()

	s.Revisit()
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 1)
	s.Click("#start.primary")
	s.WaitFor(`document.querySelectorAll(".bar:not(.unknown)").length === 2`)
	s.WaitFor("asked > 50") // more than it takes to judge
	if name := s.facts(); name != network.ResNet12Photo || s.Count(".message[data-key=network]") != 0 {
		t.Errorf("%s answers, and it says %q: want what the person has chosen", name, s.Text(".messages"))
	}
	s.Quiet()
}

// The notice also reverts it, in every language.
func TestSlowDeviceUndone(t *testing.T) {
	for language, words := range map[string][2]string{
		"de": {"Dieses Gerät ist langsam", "Standardnetz verwenden"},
		"es": {"Este dispositivo es lento", "Usar la red estándar"},
	} {
		t.Run(language, func(t *testing.T) {
			s := watching(t, language)
			if said := s.told(words[0]); !strings.Contains(said, words[1]) {
				t.Errorf("it says %q, without %q", said, words[1])
			}
			s.Click(`.message[data-key=network] .plain`)
			s.WaitFor(`!document.querySelector(".message[data-key=network]") && studio.engine.then((e) => e.info.name === "` + network.ResNet12Photo + `")`)
			s.Quiet()
		})
	}
}

// taught opens the studio with seven teapots and seven koalas.
func taught(t *testing.T) *studio {
	t.Helper()
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Name(1, "Teapot")
	s.Name(2, "Koala")
	s.Give(1, studiotest.Photographs(t, "n04398044", 0, 7)...)
	s.Give(2, studiotest.Photographs(t, "n01882714", 0, 7)...)
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 7)
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 7)
	return s
}
