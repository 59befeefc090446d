//go:build !js

package embed_test

import (
	"fmt"
	"image/color"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// studio is the studio in a browser, with what only the tests here do to it.
type studio struct{ *studiotest.Studio }

// newcomer opens the studio for who has never been there, in a browser of its own.
func newcomer(t *testing.T, opt browsertest.Options) *studio {
	t.Helper()
	return &studio{studiotest.Open(t, opt, studiotest.Newcomer)}
}

// step is the selector of a step that is reached.
func step(name string) string { return fmt.Sprintf(`.lesson li.done[data-step=%s]`, name) }

// waitStep waits until a step is reached.
func (s *studio) waitStep(name string) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf("document.querySelector(%q)", step(name)), 30*time.Second)
}

// begin begins a lesson of the dialog that is open.
func (s *studio) begin(lesson string) {
	s.T.Helper()
	s.WaitFor(`document.querySelector("#lessons[open]")`, 5*time.Second)
	s.Click(fmt.Sprintf(`#lessons li[data-lesson=%s] .begin`, lesson))
}

// labels are the names of the classes, with spaces between them.
func (s *studio) labels() string {
	s.T.Helper()
	return browsertest.Eval[string](s.Browser, `Array.from(document.querySelectorAll(".cards .card .name"), (e) => e.value ?? e.innerText).join(" ")`)
}

// right counts the tries that are marked so.
func (s *studio) right() int {
	s.T.Helper()
	return s.Count(".lesson .try.right")
}

// tryAll has all drawings tried.
func (s *studio) tryAll() {
	s.T.Helper()
	s.Click("#try-all")
	s.WaitFor(`document.querySelectorAll(".lesson .try .mark").length === 20 && document.querySelector("#try-all").ariaBusy === "false"`, 40*time.Second)
}

// A pupil teaches signs of an alphabet by one drawing each, finds that others' drawings are
// often read wrong, teaches more, and gets most right; then draws. The steps are ticked off
// on the way, stay with the project, and are put away and found again.
func TestDrawnCharacters(t *testing.T) {
	s := newcomer(t, browsertest.Options{Timeout: 4 * time.Minute})
	s.Ready()
	s.OpenDialog("#guide-lessons", "#lessons")
	s.Shot("lessons-dialog")
	s.Axe("the dialog of lessons", "")
	s.begin("characters")
	s.WaitCount(".cards .card:not(.nothing)", 5)
	s.WaitFor(`document.querySelector("#teach-drawings:not(:disabled)")`, 20*time.Second)
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
	s.WaitFor(`document.querySelectorAll(".lesson .try img").length === 20 && Array.from(document.querySelectorAll(".lesson .try img")).every((i) => i.naturalWidth === 105)`, 20*time.Second)

	s.Click(`.lesson .try[data-try="1"]`)
	s.WaitFor(`document.querySelector('.lesson .try[data-try="1"] .mark') && document.querySelector(".caption")?.innerText`, 20*time.Second)
	s.waitStep("test")
	s.tryAll()
	s.waitStep("fool")
	once := s.right()
	s.Shot("lesson-tried")
	s.Click("#teach-drawings")
	s.WaitCount(".cards .thumbnail", 25)
	s.waitStep("improve")
	s.WaitFor(`document.querySelectorAll(".lesson .try .mark").length === 1 && !document.querySelector("#teach-drawings")`, 20*time.Second)
	s.tryAll()
	if five := s.right(); five < once || five < 16 {
		t.Errorf("of 20 drawings by other people, %d are right with one example each, %d with five", once, five)
	} else {
		t.Logf("of 20 drawings by other people, %d are right with one example each, %d with five", once, five)
	}
	s.waitStep("reach")
	s.WaitFor(`document.querySelector(".lesson .complete")`, 5*time.Second)
	s.Shot("lesson-complete")
	s.Axe("the lesson, complete", "")

	s.drawLine(t)
	s.Click(studiotest.Card(1) + " .remove") // Nothing was put in its way.
	s.WaitCount(".cards .card:not(.nothing)", 4)
	s.Click("#undo")
	s.WaitCount(".cards .thumbnail", 26)

	s.Click("#put-lesson")
	s.WaitFor(`!document.querySelector(".lesson:not(.hidden)") && document.activeElement.id === "classes"`, 5*time.Second)
	s.IsKept()
	s.Revisit()
	if s.Count(".lesson:not(.hidden)") != 0 {
		t.Error("the lesson that was put away is there again")
	}
	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelector("#projects[open] #open-lessons")`, 5*time.Second)
	s.Shot("projects-dialog")
	s.Click("#open-lessons")
	s.Click("#lessons .go-on")
	s.waitStep("reach")
	s.WaitFor(`document.querySelectorAll(".lesson .try").length === 20`, 20*time.Second)
	s.Quiet()
}

// drawLine draws a line on the pad, says that the answer was wrong, and teaches it.
func (s *studio) drawLine(t *testing.T) {
	t.Helper()
	s.Click("#draw")
	s.WaitFor(`document.querySelector(".pad:not(.hidden) canvas.ready")`, 10*time.Second)
	s.Do(chromedp.ScrollIntoView(chromedp.CSS(".pad canvas")))
	x, y := s.Centre(".pad canvas")
	s.Eval(`globalThis.ink = () => {
		const copy = new OffscreenCanvas(105, 105).getContext("2d", { willReadFrequently: true });
		copy.drawImage(document.querySelector(".pad canvas"), 0, 0, 105, 105);
		return copy.getImageData(0, 0, 105, 105).data.filter((v) => v > 0).length;
	}`)
	for i, typ := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMouseReleased} {
		s.Do(chromedp.MouseEvent(typ, x, y-60+40*float64(i), chromedp.ButtonLeft))
	}
	s.WaitFor(`ink() > 0 && document.querySelector("#judge-wrong") && document.querySelector(".caption")?.innerText`, 20*time.Second)
	s.Shot("lesson-drawn")
	s.Axe("the pad", "")
	if got := s.Text(".lesson .pad-tools"); got == "" {
		t.Error("nothing can be done with the drawing")
	}
	s.Click("#judge-wrong")
	s.Click(".lesson .teach-drawn:nth-of-type(1)")
	s.WaitCount(".cards .thumbnail", 26)
	s.Click("#wipe")
	s.WaitFor(`ink() === 0 && document.querySelector("#wipe").disabled`, 5*time.Second)
	s.Click("#draw")
	s.WaitFor(`!document.querySelector(".pad:not(.hidden)")`, 5*time.Second)
}

// A lesson with a camera counts what pupils say of its answers. What was open before stays
// among the projects.
func TestHandSigns(t *testing.T) {
	words := texts.In("en").Lessons
	s := newcomer(t, browsertest.Options{})
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "mine.jpg", studiotest.Green))
	s.WaitCount(".thumbnail", 1)
	s.IsKept()
	s.Open(s.Origin + "/#lesson=hands")
	s.WaitFor(`document.querySelector(".lesson:not(.hidden)")`, 40*time.Second)
	s.Ready()
	if got, want := s.labels(), "Rock Paper Scissors"; got != want {
		t.Errorf("the classes are %q, want %q", got, want)
	}
	if hash := browsertest.Eval[string](s.Browser, "location.hash"); hash != "" {
		t.Errorf("the address still asks for the lesson: %q", hash)
	}
	for class, colours := range shades {
		var files []string
		for i, colour := range colours {
			files = append(files, studiotest.PictureFile(t, fmt.Sprintf("%d.jpg", i), colour))
		}
		s.Drop(studiotest.Card(class+1), files...)
	}
	s.WaitCount(".thumbnail", 10)
	s.waitStep("teach")
	s.Drop(".view", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector("#judge-right")`, 20*time.Second)
	s.Shot("lesson-judging")
	s.Axe("an answer to judge", "")
	s.Click("#judge-right")
	s.waitStep("test")
	s.Click("#judge-wrong")
	s.waitStep("fool")
	if got, want := s.Text(".lesson .judge .sum"), words.Sum(1, 2); got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelectorAll("#projects .row").length === 2`, 10*time.Second)
	s.Quiet()
}

// The lesson of words is begun on the page of pictures, and opens that of sounds.
func TestSpokenWords(t *testing.T) {
	s := newcomer(t, browsertest.Options{})
	s.Ready()
	s.OpenDialog("#open-projects", "#projects")
	s.Click("#open-lessons")
	s.Eval(`document.querySelector(".studio").dataset.before = "yes"`)
	s.begin("words")
	s.WaitFor(`!document.querySelector("[data-before]") && document.querySelector(".lesson:not(.hidden) #lesson-title") && studio.sounds`, 40*time.Second)
	s.Ready()
	if got := s.labels() + browsertest.Eval[string](s.Browser, "location.hash"); got != "Yes No Stop#sounds" {
		t.Errorf("the classes and the address are %q", got)
	}
	s.Shot("lesson-words")
	s.Axe("the lesson of words", "")
	s.Quiet()
}

// shades are colours of discs that differ a little: reds and blues.
var shades = func() (all [2][5]color.RGBA) {
	for i := range uint8(5) {
		red, blue := studiotest.Red, studiotest.Blue
		red.G += 4 * i
		blue.G += 4 * i
		all[0][i], all[1][i] = red, blue
	}
	return all
}()

// The lesson and its dialog fit every width, in every language, light and dark: nothing is
// wider than the window.
func TestLessonFits(t *testing.T) {
	s := newcomer(t, browsertest.Options{})
	s.Ready()
	s.Open(s.Origin + "/#lesson=characters")
	s.WaitFor(`document.querySelector("#teach-drawings:not(:disabled)")`, 40*time.Second)
	s.Ready()
	s.Click("#teach-drawings")
	s.waitStep("teach")
	s.Click("#draw")
	s.WaitFor(`document.querySelector(".pad:not(.hidden) canvas.ready")`, 10*time.Second)
	s.OpenDialog("#open-settings", "#settings")
	s.CloseDialog("#settings")
	s.OpenDialog("#open-projects", "#projects")
	s.OpenDialog("#open-lessons", "#lessons")
	s.CloseDialog("#lessons")
	for _, language := range languages.Codes(languages.Files) {
		s.Eval(fmt.Sprintf(`document.querySelector("#settings input[name=language][value=%s]").click()`, language))
		s.WaitFor(fmt.Sprintf(`document.documentElement.lang === %q && document.querySelector("#lesson-title").innerText === %q`, language, texts.In(language).Lessons.Characters.Title), 20*time.Second)
		for _, width := range []int{1280, 820, 390, 320} {
			s.Do(chromedp.EmulateViewport(int64(width), 800))
			for _, theme := range []string{"light", "dark"} {
				s.Eval(fmt.Sprintf(`preferences.theme = %q`, theme))
				s.WaitFor(`document.getAnimations().every((a) => a.playState !== "running")`, 10*time.Second)
				s.Eval(`document.querySelector(innerWidth < 860 ? ".lesson" : "body").scrollIntoView({ behavior: "instant" })`)
				s.fits(fmt.Sprintf("lesson-%s-%d-%s", language, width, theme), width)
				s.Eval(`document.querySelector("#lessons").showModal()`)
				s.fits(fmt.Sprintf("dialog-%s-%d-%s", language, width, theme), width)
				s.Eval(`document.querySelector("#lessons").close()`)
			}
		}
	}
	s.Quiet()
}

// fits fails the test if something is wider than the window.
func (s *studio) fits(name string, width int) {
	s.T.Helper()
	wide := browsertest.Eval[[]string](s.Browser, `Array.from(document.querySelectorAll(".lesson, .lesson *, .look, .look *, #lessons[open], #lessons[open] *"))
		.filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.outerHTML.slice(0, 120))`)
	for _, element := range wide {
		s.T.Errorf("%s: beyond the right edge is %s", name, element)
	}
	if got := browsertest.Eval[int](s.Browser, `document.documentElement.scrollWidth`); got > width {
		s.T.Errorf("%s is %d px wide: %s", name, got, browsertest.Eval[string](s.Browser, `Array.from(document.querySelectorAll("body *")).filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML.slice(0, 80)).slice(0, 3).join(" ; ")`))
	}
	s.Shot(name)
}
