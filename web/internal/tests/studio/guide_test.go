//go:build !js

package studio_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A newcomer without a camera tries the page with the demo.
func TestGuideAndDemonstration(t *testing.T) {
	s := open(t, browsertest.Options{}, studiotest.Newcomer)
	s.Shot("guide")
	s.Click("#demo")
	s.Ready()
	s.WaitCount(".cards .card", 4)
	s.WaitCount(".thumbnail", 12)
	s.WaitCount(".try", 8)
	if !s.Is(`document.activeElement.matches(".tries li:first-child .try")`) {
		t.Error("the focus is not on the first picture to try")
	}
	if got := s.Count(".guide.steps"); got != 0 {
		t.Error("the guide is still in the way")
	}
	kinds := map[string]string{"apple": "Apple", "banana": "Banana", "orange": "Orange", "cat": "Cat"}
	for n := 1; n <= 8; n++ {
		button := fmt.Sprintf(".tries li:nth-child(%d) .try", n)
		s.Click(button)
		file := browsertest.Eval[string](s.Browser, fmt.Sprintf("document.querySelector(%q).dataset.picture", button))
		want := kinds[strings.Split(file, "-")[0]]
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q).ariaPressed === "true" && document.querySelector(".caption:not(.hidden)")?.innerText.startsWith(%q)`, button, want))
	}
	s.Shot("demo")
	const ringed = `document.querySelector(".ring").className.split(" ")[1] === document.querySelector(".caption").className.split(" ")[1]`
	s.WaitFor(ringed)
	s.Click("#full-screen")
	s.WaitFor(`document.fullscreenElement?.matches(".look")`)
	s.Shot("full-screen")
	s.Window(768, 1024) // where the picture is above the answer
	if got := browsertest.Eval[[]float64](s.Browser, `(() => {
		const box = (what) => document.querySelector(what).getBoundingClientRect();
		return [box(".view").bottom - box(".caption").top, box(".view").width - box(".view").height];
	})()`); got[0] > 0 || got[1] != 0 {
		t.Errorf("the picture covers %v px of the answer, and is %v px wider than high", got[0], got[1])
	}
	s.Window(1280, 800)
	s.Click("#full-screen")
	s.WaitFor(`!document.fullscreenElement`)
	s.Eval(`document.querySelector(".look").requestFullscreen = () => Promise.reject(new TypeError("Permissions check failed"))`)
	s.Click("#full-screen")
	s.WaitFor(`document.querySelector(".messages")?.innerText.includes("did not allow full screen")`)

	// The pictures to try depend on the demo's classes.
	for left := 3; left >= 0; left-- {
		s.Click(studiotest.Card(1) + " .remove")
		s.WaitCount(".cards .card", left)
	}
	s.WaitCount(".try", 0)
	s.Click("#undo")
	s.WaitCount(".try", 8)
	s.OpenDialog("#open-projects", "#projects")
	s.Click("#new-project")
	s.WaitCount(".try", 0)
	s.WaitCount(".cards .card", 2)
	s.Quiet()
}

// The first screen shows a name at a time, and whole pictures in low windows. On a slow device it shows the first
// one only.
func TestReelShowsOneName(t *testing.T) {
	s := open(t, browsertest.Options{}, studiotest.Newcomer)
	most := browsertest.Eval[[]int](s.Browser, `(() => {
		const moves = document.getAnimations(), most = [0, 0, 0];
		for (const move of moves) move.pause();
		for (let time = 0; time < 18000; time += 50) {
			for (const move of moves) move.currentTime = time;
			const opacity = (element) => Number(getComputedStyle(element).opacity);
			const names = [...document.querySelectorAll(".reel li")].map((item) => opacity(item) * opacity(item.querySelector("span")));
			if (names.filter((shown) => shown > 0.01).length > 1) return [time];
			names.forEach((shown, i) => { most[i] = Math.max(most[i], Math.round(100 * shown)); });
		}
		return document.querySelector("[data-spared]") ? [most[0], 100, 100] : most;
	})()`)
	if !slices.Equal(most, []int{100, 100, 100}) {
		t.Errorf("names mix after milliseconds, or show at most in percent: %v", most)
	}
	for _, screen := range [][2]int{{844, 390}, {683, 325}} {
		s.Window(screen[0], screen[1])
		if shape := browsertest.Eval[float64](s.Browser, `(({ width, height }) => width / height)(document.querySelector(".reel img").getBoundingClientRect())`); shape > 1.1 {
			t.Errorf("at %v the pictures are strips, %.1f times as wide as high", screen, shape)
		}
	}
	s.Quiet()
}

// The guide does not move the page under a finger: it stays during teaching, disappears after that,
// and does not return.
func TestGuideGoesAfterTeaching(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, studiotest.Newcomer)
	s.StartCamera()
	s.WaitCount(".guide.steps li.done", 1)
	s.Press(studiotest.Card(1) + " .capture")()
	s.WaitCount(".guide.steps li.done", 2)
	s.WaitFor(`document.querySelector(".thumbnail") && !document.querySelector(".card.held")`)
	top := fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().top`, studiotest.Card(2))
	release := s.Press(studiotest.Card(2) + " .capture")
	before := browsertest.Eval[float64](s.Browser, top)
	s.WaitFor(fmt.Sprintf(`document.querySelectorAll(%q).length >= 5`, studiotest.Card(2)+" .thumbnail"))
	if after := browsertest.Eval[float64](s.Browser, top); after != before {
		t.Errorf("the second class moved from %v to %v while it was taught", before, after)
	}
	release()
	gone := `document.querySelector(".guide.steps").offsetHeight === 0`
	s.WaitFor(gone)
	s.IsKept()
	s.Revisit()
	if !browsertest.Eval[bool](s.Browser, gone) {
		t.Error("the guide is there for somebody who has taught the page before")
	}
	s.Quiet()
}

// Readers can close the guide forever.
func TestGuideIsPutAway(t *testing.T) {
	s := open(t, browsertest.Options{}, studiotest.Newcomer)
	s.Click("#guide-done")
	s.WaitFor(`document.querySelector(".guide.steps").offsetHeight === 0 && document.activeElement.id === "classes"`)
	s.Visit()
	if h := browsertest.Eval[int](s.Browser, `document.querySelector(".guide.steps").offsetHeight`); h != 0 {
		t.Error("the guide is back after a reload")
	}
	s.Quiet()
}
