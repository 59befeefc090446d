//go:build !js

package keep_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// aClock controls the device's clock. A test sets ahead, in days; the next visit is shifted too.
const aClock = `
	const Real = Date;
	globalThis.clock = { get ahead() { return Number(sessionStorage.getItem("ahead")); } };
	globalThis.Date = class extends Real {
		constructor(...args) {
			if (args.length) super(...args);
			else super(Real.now() + 864e5 * clock.ahead);
		}
		static now() { return Real.now() + 864e5 * clock.ahead; }
	};`

// Jumps of the clock while examples are taken lose nothing: the next visit has everything, and
// opens the latest project.
func TestClockJumps(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, aClock)
	s.Ready()
	s.Name(1, "earlier")
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "a.jpg", studiotest.Red))
	s.WaitCount(".thumbnail", 1)
	s.IsKept()
	s.projects()
	s.Click("#new-project")
	s.WaitCount(".thumbnail", 0)
	s.Name(1, "later")
	s.camera()
	release := s.Press(studiotest.Card(1) + " .capture")
	had := 0
	for _, days := range []float64{0.05, -0.1, 400, -400} {
		s.Eval(fmt.Sprintf(`sessionStorage.setItem("ahead", "%g")`, days))
		s.WaitFor(fmt.Sprintf(`document.querySelectorAll(".thumbnail").length > %d`, had))
		had = s.Count(".thumbnail")
	}
	release()
	s.WaitFor(`!document.querySelector(".card.held")`)
	s.IsKept()
	had = s.shows().Examples // and perhaps one in the queue
	var before []float64
	for _, days := range []float64{-400, 0, 400} {
		s.Eval(fmt.Sprintf(`sessionStorage.setItem("ahead", "%g")`, days))
		s.Revisit()
		s.WaitFor(fmt.Sprintf(`document.querySelector(".card input.name").value === "later" && %s >= %d`, examples, had))
		got, after := s.shows().Examples, s.exact()
		if s.labels() != "later, Class 2" || before != nil && got != had {
			t.Fatalf("the clock %g days ahead: %d examples of %q, want %d of the project that was used last", days, got, s.labels(), had)
		}
		if before != nil && !same(before, after, order) {
			t.Errorf("the clock %g days ahead: scores %v, before %v", days, after, before)
		}
		had, before = got, after
	}

	// A removed project can be restored, even if the clock makes it look old.
	s.projects()
	s.WaitCount(".projects .row", 2)
	s.Click(`.projects .row:not(.current) .removes`)
	s.WaitFor(`document.querySelector(".message.news[data-key=removed]")`)
	s.Eval(`sessionStorage.setItem("ahead", "402")`)
	s.projects()
	s.Click(`.projects .row.current .copies`)
	s.WaitFor(`document.querySelector("#open-projects .title").innerText.includes("copy")`)
	s.Eval(`document.querySelector("#projects").close()`)
	s.Click(`.message.news .plain`)
	s.projects()
	s.WaitCount(".projects .row", 3)
	s.Quiet()
}
