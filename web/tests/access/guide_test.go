package access_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A newcomer without a camera tries the page with the pictures that come with it.
func TestGuideAndDemonstration(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Shot("guide")
	s.Click("#demo")
	s.Ready()
	s.WaitCount(".cards .card", 4)
	s.WaitCount(".thumbnail", 12)
	s.WaitCount(".try", 8)
	if got := s.Count(".guide.steps"); got != 0 {
		t.Error("the guide is still in the way")
	}
	kinds := map[string]string{"cat": "Cat", "cup": "Cup", "gravel": "Gravel", "grass": "Grass"}
	for n := 1; n <= 8; n++ {
		button := fmt.Sprintf(".tries li:nth-child(%d) .try", n)
		s.Click(button)
		file := browsertest.Eval[string](s.Browser, fmt.Sprintf("document.querySelector(%q).dataset.picture", button))
		want := kinds[strings.Split(file, "-")[0]]
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q).ariaPressed === "true" && document.querySelector(".caption:not(.hidden)")?.innerText.startsWith(%q)`, button, want), 20*time.Second)
	}
	s.Shot("demo")
	s.Quiet()
}

// The guide does not move the page under a finger: it stays while one teaches,
// and is not there on the next visit.
func TestGuideStaysWhileOneTeaches(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	top := fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().top`, studiotest.Card(2))
	before := browsertest.Eval[float64](s.Browser, top)
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 2)
	if after := browsertest.Eval[float64](s.Browser, top); after != before {
		t.Errorf("the second class moved from %v to %v while it was taught", before, after)
	}
	s.Revisit()
	if h := browsertest.Eval[int](s.Browser, `document.querySelector(".guide.steps").offsetHeight`); h != 0 {
		t.Error("the guide is there for somebody who has taught the page before")
	}
	s.Quiet()
}

// Who has read the guide puts it away for good.
func TestGuideIsPutAway(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Click("#guide-done")
	s.WaitFor(`document.querySelector(".guide.steps").offsetHeight === 0`, 5*time.Second)
	s.Visit()
	if h := browsertest.Eval[int](s.Browser, `document.querySelector(".guide.steps").offsetHeight`); h != 0 {
		t.Error("the guide is back after a reload")
	}
	s.Quiet()
}
