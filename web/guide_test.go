package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// A newcomer without a camera tries the page with the pictures that come with it.
func TestGuideAndDemonstration(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.shot("guide")
	s.click("#demo")
	s.ready()
	s.waitCount(".card", 4)
	s.waitCount(".thumbnail", 12)
	s.waitCount(".try", 8)
	if got := s.count(".guide.steps"); got != 0 {
		t.Error("the guide is still in the way")
	}
	kinds := map[string]string{"cat": "Cat", "cup": "Cup", "gravel": "Gravel", "grass": "Grass"}
	for n := 1; n <= 8; n++ {
		button := fmt.Sprintf(".tries li:nth-child(%d) .try", n)
		s.click(button)
		file := browsertest.Eval[string](s.Browser, fmt.Sprintf("document.querySelector(%q).dataset.picture", button))
		want := kinds[strings.Split(file, "-")[0]]
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q).ariaPressed === "true" && document.querySelector(".caption:not(.hidden)")?.innerText.startsWith(%q)`, button, want), 20*time.Second)
	}
	s.shot("demo")
	s.quiet()
}

// The guide does not move the page under a finger: it stays while one teaches,
// and is not there on the next visit.
func TestGuideStaysWhileOneTeaches(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.ready()
	top := fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().top`, card(2))
	before := browsertest.Eval[float64](s.Browser, top)
	s.drop(card(1), pictureFile(t, "red.jpg", red))
	s.drop(card(2), pictureFile(t, "blue.jpg", blue))
	s.waitCount(".thumbnail", 2)
	if after := browsertest.Eval[float64](s.Browser, top); after != before {
		t.Errorf("the second class moved from %v to %v while it was taught", before, after)
	}
	s.again()
	if h := browsertest.Eval[int](s.Browser, `document.querySelector(".guide.steps").offsetHeight`); h != 0 {
		t.Error("the guide is there for somebody who has taught the page before")
	}
	s.quiet()
}

// Who has read the guide puts it away for good.
func TestGuideIsPutAway(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.click("#guide-done")
	s.WaitFor(`document.querySelector(".guide.steps").offsetHeight === 0`, 5*time.Second)
	s.reload()
	if h := browsertest.Eval[int](s.Browser, `document.querySelector(".guide.steps").offsetHeight`); h != 0 {
		t.Error("the guide is back after a reload")
	}
	s.quiet()
}
