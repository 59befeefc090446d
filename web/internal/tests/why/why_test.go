//go:build !js

package why_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// The explanation: follow a part with mouse and keys, see the weights, open a comparison, compare
// with another class. Texts and drawings must agree with the native explanation of the same pixels.
func TestWhy(t *testing.T) {
	s := taughtThings(t, false)
	w := s.nativeWhy()
	for i, thing := range studiotest.Things {
		s.WaitForSegment(thing.Test)
		s.WaitFor(fmt.Sprintf(`document.querySelector("#why-title").innerText === "Why %s?"`, thing.Name))
		s.Shot("why-" + strings.ToLower(thing.Name))
		s.pointAtPart(12)
		w.held(12)
		// Pointing freezes the match while frames are still classified.
		alike := s.Text(".why .alike")
		s.Eval("spy.answers = 0")
		s.WaitFor("spy.answers >= 5")
		if now := s.Text(".why .alike"); now != alike {
			t.Errorf("%q while a part is pointed at, %q before", now, alike)
		}
		s.Shot("why-" + strings.ToLower(thing.Name) + "-part")
		s.Hover(5, 5)
		s.WaitFor(`!document.querySelector(".why.still")`)
		if i == 0 {
			s.keyboardFollowsParts(w)
		}
	}
	s.Click("#heat")
	s.WaitFor(`document.querySelector("#heat").checked`)
	s.Shot("why-heat")
	s.Click("#heat")
	w.closerLook()

	s.Click("#show-why")
	s.WaitFor(`document.querySelector(".why.folded") && !document.querySelector("#match")`)
	s.Eval("spy.answers = 0")
	s.WaitFor("spy.answers >= 2")
	s.Eval("spy.reasons = []; spy.answers = 0")
	s.WaitFor("spy.answers >= 10")
	if n := browsertest.Eval[int](s.Browser, "spy.reasons.length"); n != 0 {
		t.Errorf("%d explanations while they are hidden", n)
	}
	s.Click("#show-why")
	s.WaitFor(`document.querySelector(".why .alike") && spy.reasons.length > 0`)
	s.Quiet()
}

// On a phone the panel must be opened first, and a finger selects parts.
func TestWhyOnAPhone(t *testing.T) {
	s := taughtThings(t, true)
	s.WaitFor(`document.querySelectorAll(".bar:not(.unknown)").length === 3`)
	if s.Count(".why.folded") != 1 || s.Count("#match") != 0 {
		t.Error("the match takes room before it is asked for")
	}
	s.Eval("scrollTo(0, 0)")
	s.Click("#show-why")
	s.WaitFor(`document.querySelector(".why .alike")`)
	s.Shot("why-phone")
	w := s.nativeWhy()
	x, y := s.part(7)
	s.TouchAt(x, y)()
	s.WaitFor(`document.querySelector(".why.still")`)
	w.held(7)
	s.Shot("why-phone-part")
	s.Click("#closer")
	s.WaitFor(`document.querySelector("#comparison[open] .figures")`)
	s.Shot("why-phone-closer")
	if got := browsertest.Eval[int](s.Browser, `document.querySelector("#comparison").scrollWidth`); got > 390 {
		t.Errorf("the closer look is %d px wide", got)
	}
	s.Eval(`document.querySelector("#comparison").scrollTo(0, 9999)`)
	s.Shot("why-phone-pairs")
	s.Quiet()
}

// taughtThings opens the studio with a film of the three things, and teaches them with their
// buttons.
func taughtThings(t *testing.T, phone bool) *studio {
	t.Helper()
	s := open(t, browsertest.Options{Camera: studiotest.FilmOfThings(t), Timeout: 4 * time.Minute}, studiotest.Spy)
	if phone {
		s.Phone(390, 844)
		s.Eval("location.reload()")
		s.WaitFor(`document.querySelector(".studio:not([inert])")`)
	}
	if scheme := os.Getenv("DEEPEMD_SCHEME"); scheme != "" {
		s.Scheme(scheme)
	}
	s.StartCamera()
	s.Click("#add-class")
	s.WaitCount(".cards .card", len(studiotest.Things))
	for i, thing := range studiotest.Things {
		s.Name(i+1, thing.Name)
	}
	for i, thing := range studiotest.Things {
		s.TeachThing(i+1, thing)
	}
	s.Eval("scrollTo(0, 0)")
	return s
}

// part returns the position of a part in the window.
func (s *studio) part(i int) (x, y float64) {
	s.T.Helper()
	return s.partOf("#match", i)
}

// partOf returns the position of a part of the picture in an element, at its left edge and as high.
func (s *studio) partOf(selector string, i int) (x, y float64) {
	s.T.Helper()
	s.Eval(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" })`, selector))
	r := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x, r.y, r.height]; })()`, selector))
	across := s.across()
	at := func(place int) float64 { return (float64(place) + 0.5) / float64(across) }
	return r[0] + r[2]*at(i%across), r[1] + r[2]*at(i/across)
}

// across returns the number of parts across a picture.
func (s *studio) across() int {
	s.T.Helper()
	meta := require.Value(weights.Decode(network.ResNet12PhotoFile, network.ResNet12PhotoWeights()))(s.T).Meta
	return require.Value(strconv.Atoi(meta.Extra[backbone.KeyGrid]))(s.T)
}

// pointAtPart moves the mouse to a part of the picture.
func (s *studio) pointAtPart(i int) {
	s.T.Helper()
	x, y := s.part(i)
	s.Hover(5, 5)
	s.Hover(x, y)
	s.still()
}

// still waits until the page has frozen a match, and for the answer in progress.
func (s *studio) still() {
	s.T.Helper()
	s.WaitFor(`document.querySelector(".why.still")`)
	s.Eval("spy.answers = 0")
	s.WaitFor("spy.answers > 0")
}

// keyboardFollowsParts moves between parts with the arrow keys.
func (s *studio) keyboardFollowsParts(w *why) {
	s.T.Helper()
	s.Eval(`document.querySelector("#match").focus()`)
	press := func(key string, code int64) {
		s.Tap(key, code)
	}
	press("ArrowDown", 40)
	s.still()
	r, at := w.held(-1)
	for across := s.across(); at%across < across-1; {
		press("ArrowRight", 39)
		at++
		s.waitWords(r.Match, false, at)
	}
	press("ArrowRight", 39)
	s.waitWords(r.Match, true, r.Best(at))
	press("Escape", 27)
	s.WaitFor(`!document.querySelector(".why.still")`)
}

// waitWords waits until the page shows the native text for a part.
func (s *studio) waitWords(e *answer.Match, ofExample bool, part int) {
	s.T.Helper()
	want := words(e, ofExample, part)
	browsertest.Until(s.T, fmt.Sprintf("of part %d (of the example: %v) the page says %q", part, ofExample, want), func() bool {
		return s.Text(".why .words") == want
	})
}

// closerLook opens a comparison, points at pairs, and compares with the other classes.
func (w *why) closerLook() {
	w.T.Helper()
	w.WaitForSegment(studiotest.Things[0].Test)
	w.pointAtPart(12)
	first, _ := w.held(12)
	w.Click("#closer")
	w.WaitFor(`document.querySelector("#comparison[open] .figures")`)
	w.checkCloser(first, "Why %s?")
	w.Shot("why-closer")

	w.Hover(w.partOf("#comparison [data-figure='0']", 12))
	w.waitPair(first, 12, first.Best(12))
	w.Hover(w.partOf("#comparison [data-figure='2']", 12))
	w.waitPair(first, first.Reverse().Best(12), 12)
	w.Eval(`document.querySelector("#pairs").focus()`)
	w.Tap("ArrowRight", 39)
	w.waitPair(first, first.Reverse().Best(12), 13)

	buttons := browsertest.Eval[[]string](w.Browser, `Array.from(document.querySelectorAll(".compare .class"), (b) => b.dataset.class)`)
	if len(buttons) != len(studiotest.Things) || buttons[0] != first.classID {
		w.T.Fatalf("classes to compare with: %v, want three, %s first", buttons, first.classID)
	}
	for _, id := range buttons[1:] {
		w.Click(fmt.Sprintf(".compare [data-class='%s']", id))
		w.WaitFor(fmt.Sprintf(`document.querySelector(".closer:not(.waiting) .compare [data-class='%s'][aria-pressed=true]")`, id))
		other := w.explain(first.seen, id)
		w.adoptFlow(other, "spy.reasons.at(-1)")
		w.checkCloser(other, "Why not %s?")
	}
	w.Shot("why-not")
	w.Tap("Escape", 27)
	w.WaitFor(`!document.querySelector("#comparison").open && !document.querySelector(".figures")`)
	w.Eval("spy.reasons = []")
	w.WaitFor("spy.reasons.length > 0")
}

// checkCloser fails the test unless the comparison shows a native explanation.
func (w *why) checkCloser(r reason, title string) {
	w.T.Helper()
	name := w.Text(fmt.Sprintf(".compare [data-class='%s'] .name", r.classID))
	if got, want := w.Text("#comparison-title"), fmt.Sprintf(title, name); got != want {
		w.T.Errorf("title %q, want %q", got, want)
	}
	if got, want := w.Text(".closer .alike"), alike(r.Match); got != want {
		w.T.Errorf("%s: the page says %q, native code %q", name, got, want)
	}
	link := r.Links(0)[0]
	w.waitPair(r, link.From, link.To)
	w.checkBuilt(1, r.Match, w.pixels[r.exampleID])
	w.checkBuilt(3, r.Reverse(), r.seen)
}

// waitPair waits for the text of a pair, and checks it.
func (w *why) waitPair(r reason, from, to int) {
	w.T.Helper()
	t, k := texts.In("en"), from*r.To.N()+to
	like := t.Percent(max(0, r.Similarity[k]))
	want := t.Why.PairApart(like)
	if sent := r.Mass(from, to); sent > 0 {
		want = t.Why.Pair(t.Number.Percent(t.Decimal(100*sent/r.Total, 1)), like)
	}
	browsertest.Until(w.T, fmt.Sprintf("of pair %d, %d the page says %q", from, to, want), func() bool { return w.Text(".pair p") == want })
}
