//go:build !js

package embed_test

import (
	"fmt"
	"image/color"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// studio adds the helpers of this package to the studio.
type studio struct{ *studiotest.Studio }

// newcomer opens the studio for a first visit, in a new browser.
func newcomer(t *testing.T, opt browsertest.Options) *studio {
	t.Helper()
	return &studio{studiotest.Open(t, opt, studiotest.Newcomer)}
}

// step returns the selector of a completed step.
func step(name string) string { return fmt.Sprintf(`.lesson li.done[data-step=%s]`, name) }

// waitStep waits for a step to be completed.
func (s *studio) waitStep(name string) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf("document.querySelector(%q)", step(name)))
}

// begin starts a lesson in the open dialog.
func (s *studio) begin(lesson string) {
	s.T.Helper()
	s.WaitFor(`document.querySelector("#lessons[open]")`)
	s.Click(fmt.Sprintf(`#lessons li[data-lesson=%s] .begin`, lesson))
}

// labels returns the names of the classes, separated by spaces.
func (s *studio) labels() string {
	s.T.Helper()
	return browsertest.Eval[string](s.Browser, `Array.from(document.querySelectorAll(".cards .card .name"), (e) => e.value ?? e.innerText).join(" ")`)
}

// right counts the tries marked as right.
func (s *studio) right() int {
	s.T.Helper()
	return s.Count(".lesson .try.right")
}

// tryAll tries all drawings.
func (s *studio) tryAll() {
	s.T.Helper()
	s.Click("#try-all")
	s.WaitFor(`document.querySelectorAll(".lesson .try .mark").length === 20 && document.querySelector("#try-all").ariaBusy === "false"`)
}

// A pupil teaches one drawing per sign, sees that other people's drawings are often misread,
// teaches more, succeeds, and draws. The steps are completed on the way, saved with the project,
// and can be hidden and shown.
func TestDrawnCharacters(t *testing.T) {
	s := newcomer(t, browsertest.Options{Timeout: 4 * time.Minute})
	s.Ready()
	s.OpenDialog("#guide-lessons", "#lessons")
	s.Shot("lessons-dialog")
	s.begin("characters")
	s.WaitCount(".cards .card:not(.nothing)", 5)
	s.WaitFor(`document.querySelector("#teach-drawings:not(:disabled)")`)
	if got, want := s.labels(), "a ㅏ ae ㅐ ya ㅑ yae ㅒ eo ㅓ"; got != want {
		t.Errorf("the classes are %q, want %q", got, want)
	}
	if n := s.Count(".lesson li.done") + s.Count(".lesson .try"); n != 0 || browsertest.Eval[bool](s.Browser, `document.querySelector(".guide").checkVisibility()`) {
		t.Errorf("%d steps and tries at first, or a guide beside the lesson", n)
	}
	s.Shot("lesson-begun")
	s.Click("#teach-drawings")
	s.waitStep("teach")
	s.WaitCount(".cards .thumbnail", 5)
	s.WaitFor(`document.querySelectorAll(".lesson .try img").length === 20 && Array.from(document.querySelectorAll(".lesson .try img")).every((i) => i.naturalWidth === 105)`)

	s.Click(`.lesson .try[data-try="1"]`)
	s.WaitFor(`document.querySelector('.lesson .try[data-try="1"] .mark') && document.querySelector(".caption")?.innerText`)
	s.waitStep("test")
	s.tryAll()
	s.waitStep("fool")
	once := s.right()
	s.Shot("lesson-tried")
	s.Click("#teach-drawings")
	s.WaitCount(".cards .thumbnail", 25)
	s.waitStep("improve")
	s.WaitFor(`document.querySelectorAll(".lesson .try .mark").length === 1 && !document.querySelector("#teach-drawings")`)
	s.tryAll()
	if five := s.right(); five < once || five < 15 {
		t.Errorf("of 20 drawings by other people, %d are right with one example each, %d with five", once, five)
	} else {
		t.Logf("of 20 drawings by other people, %d are right with one example each, %d with five", once, five)
	}
	s.waitStep("reach")
	s.WaitFor(`document.querySelector(".lesson .complete")`)
	s.Shot("lesson-complete")

	s.drawLine(t)
	s.Click(studiotest.Card(1) + " .remove") // the click was not intercepted
	s.WaitCount(".cards .card:not(.nothing)", 4)
	s.Click("#undo")
	s.WaitCount(".cards .thumbnail", 26)

	s.Click("#put-lesson")
	s.WaitFor(`!document.querySelector(".lesson:not(.hidden)") && document.activeElement.id === "classes"`)
	s.IsKept()
	s.Revisit()
	if s.Count(".lesson:not(.hidden)") != 0 {
		t.Error("the lesson that was put away is there again")
	}
	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelector("#projects[open] #open-lessons")`)
	s.Shot("projects-dialog")
	s.Click("#open-lessons")
	s.Click("#lessons .go-on")
	s.waitStep("reach")
	s.WaitFor(`document.querySelectorAll(".lesson .try").length === 20`)
	s.Quiet()
}

// drawLine draws a line on the pad, marks the answer as wrong, and teaches the drawing.
func (s *studio) drawLine(t *testing.T) {
	t.Helper()
	s.Click("#draw")
	s.WaitFor(`document.querySelector(".pad:not(.hidden) canvas.ready")`)
	s.ScrollTo(".pad canvas")
	x, y := s.Center(".pad canvas")
	s.Eval(`globalThis.ink = () => {
		const copy = new OffscreenCanvas(105, 105).getContext("2d", { willReadFrequently: true });
		copy.drawImage(document.querySelector(".pad canvas"), 0, 0, 105, 105);
		return copy.getImageData(0, 0, 105, 105).data.filter((v) => v > 0).length;
	}`)
	s.Drag(x, y-60, x, y+60, 3)
	s.WaitFor(`ink() > 0 && document.querySelector("#judge-wrong") && document.querySelector(".caption")?.innerText`)
	s.Shot("lesson-drawn")
	if got := s.Text(".lesson .pad-tools"); got == "" {
		t.Error("nothing can be done with the drawing")
	}
	s.Click("#judge-wrong")
	s.Click(".lesson .teach-drawn:nth-of-type(1)")
	s.WaitCount(".cards .thumbnail", 26)
	s.Click("#wipe")
	s.WaitFor(`ink() === 0 && document.querySelector("#wipe").ariaDisabled === "true"`)
	s.Click("#draw")
	s.WaitFor(`!document.querySelector(".pad:not(.hidden)")`)
}

// A lesson with a camera counts the pupils' marks. The previous project stays in the list.
func TestHandSigns(t *testing.T) {
	words := texts.In("en").Lessons
	s := newcomer(t, browsertest.Options{})
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "mine.jpg", studiotest.Green))
	s.WaitCount(".thumbnail", 1)
	s.IsKept()
	s.Open(s.Origin + "/#lesson=hands")
	s.WaitFor(`document.querySelector(".lesson:not(.hidden)")`)
	s.Ready()
	if got, want := s.labels(), "Rock Paper Scissors"; got != want {
		t.Errorf("the classes are %q, want %q", got, want)
	}
	if hash := browsertest.Eval[string](s.Browser, "location.hash"); hash != "" {
		t.Errorf("the address still asks for the lesson: %q", hash)
	}
	for class, colors := range shades {
		var files []string
		for i, color := range colors {
			files = append(files, studiotest.PictureFile(t, fmt.Sprintf("%d.jpg", i), color))
		}
		s.Drop(studiotest.Card(class+1), files...)
	}
	s.WaitCount(".thumbnail", 10)
	s.waitStep("teach")
	s.Drop(".view", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector("#judge-right")`)
	s.Shot("lesson-judging")
	s.Click("#judge-right")
	s.waitStep("test")
	s.WaitFor(`document.querySelector("#judge-right").ariaPressed === "true"`)
	s.Click("#judge-wrong") // a picture has one mark
	s.waitStep("fool")
	if got, want := s.Text(".lesson .judge .sum"), words.Sum(0, 1); got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelectorAll("#projects .row").length === 2`)
	s.Quiet()
}

// The lesson of words is started on the page for images, and opens the page for sounds.
func TestSpokenWords(t *testing.T) {
	s := newcomer(t, browsertest.Options{})
	s.Ready()
	s.OpenDialog("#open-projects", "#projects")
	s.Click("#open-lessons")
	s.Eval(`document.querySelector(".studio").dataset.before = "yes"`)
	s.begin("words")
	s.WaitFor(`!document.querySelector("[data-before]") && document.querySelector(".lesson:not(.hidden) #lesson-title") && studio.sounds`)
	s.Ready()
	if got := s.labels() + browsertest.Eval[string](s.Browser, "location.hash"); got != "Yes No Stop#sounds" {
		t.Errorf("the classes and the address are %q", got)
	}
	s.Shot("lesson-words")
	s.Quiet()
}

// shades are slightly different reds and blues.
var shades = func() (all [2][5]color.RGBA) {
	for i := range uint8(5) {
		red, blue := studiotest.Red, studiotest.Blue
		red.G += 4 * i
		blue.G += 4 * i
		all[0][i], all[1][i] = red, blue
	}
	return all
}()
