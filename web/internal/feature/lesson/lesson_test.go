package lesson

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/lessons"
)

// done returns the completed steps.
func done(l *Lesson) (steps []Step) {
	state := l.State()
	for _, step := range Steps {
		if state.Done[step] {
			steps = append(steps, step)
		}
	}
	return steps
}

// answerWith makes the engine predict a class.
func answerWith(e *kerneltest.Engine, classID string) {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.Answer = kerneltest.Says(0, answer.Score{ID: classID, Score: .9})
}

// some returns n files.
func some(n int) (files []kernel.File) {
	for i := range n {
		files = append(files, kernel.File{Name: fmt.Sprint("picture ", i), Source: fmt.Sprint("p", i)})
	}
	return files
}

func TestLessonIsReachedStepByStep(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		l := New(s)
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		wait()
		if l.State().ID != "" {
			t.Error("a lesson that nobody has begun")
		}
		mine := kerneltest.IDs(s)[0]
		s.Classes.Rename(mine, "mine")
		kerneltest.Rest(kernel.SaveInterval)
		before := s.Project.State().ID
		l.Begin(lessons.Recycling, "")
		kerneltest.Rest(kernel.SaveInterval)
		if !s.Project.Begun() {
			t.Error("the stage still shows the demo")
		}
		if s.Project.State().ID == before || len(store.Kept) != 2 || store.Kept[before].Classes[0].Label != "mine" {
			t.Fatalf("%d projects are kept: want the one of before, too", len(store.Kept))
		}
		var labels []string
		for _, c := range s.Classes.List() {
			labels = append(labels, c.Label)
		}
		if !slices.Equal(labels, s.Texts().Lessons.Recycling.ClassNames()) || s.Classes.Examples() != 0 {
			t.Errorf("the classes are %q with %d examples", labels, s.Classes.Examples())
		}
		if name := s.Project.State().Name; name != s.Texts().Lessons.Recycling.Title {
			t.Errorf("the project is %q", name)
		}
		l.Begin(lessons.Words, "")
		wait()
		if l.State().ID != lessons.Recycling {
			t.Error("a lesson of sounds on a page of pictures")
		}

		all := kerneltest.IDs(s)
		s.AddFiles(all[0], some(5))
		s.AddFiles(all[1], some(4))
		wait()
		if got := done(l); len(got) != 0 {
			t.Errorf("%q is reached with 4 examples of the second class", got)
		}
		s.AddFiles(all[1], some(1))
		wait()
		if got := done(l); !slices.Equal(got, []Step{StepTeach}) {
			t.Errorf("%q is reached with 5 and 5 examples", got)
		}
		if l.State().Judging {
			t.Error("there is no answer, but it can be judged")
		}
		answerWith(e, all[0])
		s.ShowPictures(kernel.File{Name: "new.jpg", Source: "new"})
		wait()
		if !l.State().Judging {
			t.Error("there is an answer, but it cannot be judged")
		}
		judge := func(right bool) { // another picture
			t.Helper()
			s.ShowPictures(kernel.File{Name: "new.jpg", Source: "new"})
			wait()
			l.Judge(right)
		}
		l.Judge(false)
		if state := l.State(); !state.Still || state.Marked != TriedWrong {
			t.Errorf("after a wrong answer about a picture %+v", state)
		}
		l.Judge(true) // it was a slip
		l.Judge(true)
		if got := done(l); !slices.Equal(got, []Step{StepTeach, StepTest}) || l.State().Judged != 1 || l.State().Marked != TriedRight {
			t.Errorf("%q is reached after an answer that was right, with %+v", got, l.State())
		}
		judge(false)
		s.AddFiles(all[0], some(2))
		wait()
		if got := done(l); !slices.Equal(got, []Step{StepTeach, StepTest, StepFool}) {
			t.Errorf("%q is reached after a mistake and two more examples", got)
		}
		s.AddFiles(all[0], some(1))
		wait()
		l.Judge(true) // it has learned, and the steps stay
		if got := done(l); !slices.Contains(got, StepFool) || l.State().Right != 2 || l.State().Judged != 2 {
			t.Errorf("%q is reached after a picture that was wrong is right, with %+v", got, l.State())
		}
		l.Judge(false)
		for range 7 {
			judge(true)
		}
		state := l.State()
		if got := done(l); slices.Contains(got, StepReach) || !slices.Contains(got, StepImprove) || state.Right != 8 || state.Judged != 9 {
			t.Errorf("%q with %d of %d", got, state.Right, state.Judged)
		}
		judge(true)
		if state := l.State(); !state.Complete() || state.Right != 9 || state.Judged != 10 {
			t.Errorf("%q with %d of %d", done(l), state.Right, state.Judged)
		}
		lesson := s.Project.State().ID
		kept := func() project.Lesson {
			kerneltest.Rest(kernel.SaveInterval)
			doc := store.Doc(lesson)
			return doc.Lesson()
		}
		if n := len(kept().Judged); n != 10 {
			t.Errorf("%d marks are kept", n)
		}
		l.Put(true)
		if !kept().Away {
			t.Error("that the steps are hidden is not kept")
		}
		s.Live.DropPicture()
		if l.State().Judging {
			t.Error("there is no picture, but its answer can be judged")
		}
		s.Project.Open(before)
		wait()
		if l.State().ID != "" {
			t.Error("the other project is of a lesson, too")
		}
		s.Project.Open(lesson)
		wait()
		if state := l.State(); state.ID != lessons.Recycling || !state.Complete() || !state.Away || state.Judged != 10 {
			t.Errorf("the lesson came back as %+v", state)
		}
	})
}

// alphabetOf returns drawings named by sign and person.
func alphabetOf(alphabet lessons.Alphabet, row int) (all [][]Drawing, err error) {
	for sign, label := range alphabet.Labels {
		var drawings []Drawing
		for person := range lessons.Drawings {
			name := fmt.Sprintf("%s by %d", label, person)
			drawings = append(drawings, Drawing{kernel.File{Name: name, Source: name}, fmt.Sprint("blob:", row+sign, person)})
		}
		all = append(all, drawings)
	}
	return all, nil
}

// greek begins the lesson of drawn Greek letters.
func greek(s *kernel.Kernel) *Lesson {
	l := New(s)
	s.Project.StoreReady(kerneltest.NewStore())
	l.Deliver = alphabetOf
	l.Begin(lessons.Characters, "greek")
	kerneltest.Rest(kernel.SaveInterval)
	return l
}

// Every answer about a camera counts, the last ten.
func TestMarksOfACamera(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		l := New(s)
		s.Project.StoreReady(kerneltest.NewStore())
		l.Begin(lessons.Recycling, "")
		kerneltest.Rest(kernel.SaveInterval)
		for n := 1; n <= 12; n++ {
			l.Judge(n > 2)
			if state := l.State(); state.Judged != min(n, 10) || state.Right != max(n-2, 0) || state.Done[StepReach] != (n >= 10) {
				t.Errorf("after %d answers, all right but two, %d of %d, reached %v", n, state.Right, state.Judged, state.Done[StepReach])
			}
		}
	})
}

// Three of four drawings must be right, and all tried.
func TestLessonOfDrawnCharactersIsReached(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		l := greek(s)
		l.TeachDrawings()
		kerneltest.Rest(kernel.SaveInterval)
		ids := kerneltest.IDs(s)
		mark := func(i int, right bool) {
			class := i % len(ids)
			if !right {
				class = (i + 1) % len(ids)
			}
			l.markShown(l.State().Tries[i].Name, kerneltest.Says(0, answer.Score{ID: ids[class], Score: 1}))
		}
		for i := range 20 {
			if mark(i, i < 14 || i == 19); l.State().Done[StepReach] != (i == 19) {
				t.Errorf("reached %v after %d drawings", i < 19, i+1)
			}
			if i == 18 {
				mark(14, false)
			}
		}
		if state := l.State(); state.Right != 15 || state.Judged != 20 || state.Goal != (kernel.Progress{Done: 15, All: 20}) {
			t.Errorf("%d of %d right, want %v", state.Right, state.Judged, state.Goal)
		}
	})
}

// Drawings that arrive late belong to the lesson that was begun last.
func TestDrawingsThatArriveLate(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		l := New(s)
		s.Project.StoreReady(kerneltest.NewStore())
		l.Deliver = func(alphabet lessons.Alphabet, row int) ([][]Drawing, error) {
			time.Sleep(10 * time.Second)
			return alphabetOf(alphabet, row)
		}
		for _, alphabet := range []string{"greek", "latin", "latin"} {
			l.Begin(lessons.Characters, alphabet)
			kerneltest.Rest(3 * time.Second)
		}
		kerneltest.Rest(time.Minute)
		if state := l.State(); len(state.Tries) != 20 || state.Tries[0].Name != "a by 5" {
			t.Errorf("%d drawings %+v, want 20 of the Latin letters", len(state.Tries), state.Tries)
		}
		l.OpenPad()
		s.Project.New()
		kerneltest.Rest(time.Second)
		if state := l.State(); len(state.Tries) > 0 || state.Drawing {
			t.Errorf("another project has %d drawings, its pad is open: %v", len(state.Tries), state.Drawing)
		}
	})
}

func TestLessonOfDrawnCharacters(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		l := greek(s)
		state := l.State()
		if len(state.Tries) != 20 || state.Tries[1].Name != "β by 5" || state.Offer != OfferFirst || state.Examples != 1 {
			t.Fatalf("%d tries, offer %d", len(state.Tries), state.Offer)
		}
		alpha := kerneltest.IDs(s)[0]
		s.Classes.Rename(alpha, "A")
		l.TeachDrawings()
		kerneltest.Rest(kernel.SaveInterval)
		if got := done(l); !slices.Equal(got, []Step{StepTeach}) || s.Classes.Examples() != 5 || l.State().Offer != OfferMore {
			t.Fatalf("%q reached with %d examples", got, s.Classes.Examples())
		}
		answerWith(e, alpha)
		l.Try(0)
		kerneltest.Rest(kernel.SaveInterval)
		if state := l.State(); state.Tries[0].Mark != TriedRight || state.Judging || !state.Done[StepTest] || state.Done[StepFool] {
			t.Errorf("the first try is %+v", state.Tries[0])
		}
		e.Mu.Lock()
		e.Working = make(chan struct{})
		e.Mu.Unlock()
		calls := len(e.Calls())
		l.TryAll()
		l.TryAll()
		wait()
		if !l.State().Trying {
			t.Error("nothing is tried")
		}
		close(e.Working)
		kerneltest.Rest(kernel.SaveInterval)
		if n := len(e.Calls()) - calls; n != 20 {
			t.Errorf("%d calls of the engine to try 20 drawings", n)
		}
		if state := l.State(); state.Right != 4 || state.Judged != 20 || !state.Done[StepFool] || state.Trying {
			t.Errorf("%d of %d right, of 4 drawings of each of 5 signs", state.Right, state.Judged)
		}
		l.TeachDrawings()
		kerneltest.Rest(kernel.SaveInterval)
		// The picture on the stage was classified again.
		if state := l.State(); s.Classes.Examples() != 25 || state.Offer != NoOffer || state.Judged != 1 || !state.Done[StepImprove] {
			t.Errorf("%d examples, %d tries are marked", s.Classes.Examples(), state.Judged)
		}

		l.OpenPad()
		if state := l.State(); !state.Drawing || state.Judging {
			t.Errorf("the pad: %+v", state)
		}
		drawing := kernel.File{Name: "drawing", Source: "d"}
		l.Drew(&drawing)
		kerneltest.Rest(kernel.SaveInterval)
		if state := l.State(); !state.Drawing || !state.Judging {
			t.Error("what is drawn cannot be judged")
		}
		l.TeachDrawn(alpha)
		kerneltest.Rest(kernel.SaveInterval)
		if s.Classes.Examples() != 26 {
			t.Errorf("%d examples, want the drawing among them", s.Classes.Examples())
		}
		l.Try(3)
		kerneltest.Rest(kernel.SaveInterval)
		if state := l.State(); state.Drawing {
			t.Error("the pad covers the picture that is tried")
		}
	})
}

// Classes that have all their drawings do not get them again.
func TestDrawingsForTheClassesThatLackThem(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		l := greek(s)
		for range 2 {
			l.TeachDrawings()
			kerneltest.Rest(kernel.SaveInterval)
		}
		alpha := s.Classes.List()[0]
		s.Classes.RemoveExamples(alpha.Examples...)
		for _, want := range []int{1, 5} {
			l.TeachDrawings()
			kerneltest.Rest(kernel.SaveInterval)
			class, _ := s.Classes.Find(alpha.ID)
			if n, all := len(class.Examples), s.Classes.Examples(); n != want || all != n+4*lessons.Examples {
				t.Errorf("%d examples, %d of them of the class that had none, want %d", all, n, want)
			}
		}
	})
}

func TestDrawingsThatDoNotArrive(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		l := New(s)
		s.Project.StoreReady(kerneltest.NewStore())
		l.Deliver = func(lessons.Alphabet, int) ([][]Drawing, error) {
			return nil, kerneltest.Failure(kernel.CodeNetwork, "404")
		}
		l.Begin(lessons.Characters, "")
		kerneltest.Rest(kernel.SaveInterval)
		if n := s.Notices.List(); len(n) != 1 || n[0].Title != s.Texts().Lessons.Failed {
			t.Errorf("notices %+v", n)
		}
		if a := l.State().Alphabet.ID; a != lessons.Alphabets[0].ID {
			t.Errorf("the alphabet is %q", a)
		}
		l.TeachDrawings()
		l.Try(0)
		l.TryAll()
		kerneltest.Rest(kernel.SaveInterval)
		if s.Classes.Examples() != 0 || s.Project.Kind() != project.KindImage {
			t.Error("something was taught")
		}
	})
}

// waiting is a camera that starts once the user allows it.
type waiting struct {
	*kerneltest.Camera
	allowed chan struct{}
}

func (w waiting) Start(id string) (kernel.Device, error) {
	<-w.allowed
	return w.Camera.Start(id)
}

// The pad stays though the browser still asks whether to allow the camera, which the user no longer wants.
func TestPadWhileTheCameraStarts(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		l, camera := New(s), waiting{c, make(chan struct{})}
		s.Camera.Connect(camera)
		s.Project.StoreReady(kerneltest.NewStore())
		l.Begin(lessons.Characters, "greek")
		s.Camera.Start("")
		wait()
		l.OpenPad()
		for _, drawn := range []*kernel.File{{Name: "drawing", Source: "d"}, nil} {
			l.Drew(drawn)
			wait()
			if state := l.State(); !state.Drawing || state.Drawn != drawn {
				t.Errorf("drawing %v; drawn %v, want %v", state.Drawing, state.Drawn, drawn)
			}
		}
		close(camera.allowed)
		wait()
		if !l.State().Drawing || s.Camera.State().Stage != kernel.CameraOff {
			t.Error("the camera starts though the pad is open")
		}
		s.Camera.Start("")
		wait()
		if l.State().Drawing {
			t.Error("the pad covers the camera")
		}
	})
}

// The button of the pad changes its label; with a state too, screen readers would read "stop, pressed".
func TestTheButtonOfThePadIsNeverPressed(t *testing.T) {
	l := New(kerneltest.New())
	for _, drawing := range []bool{false, true} {
		if got := app.HTMLString(l.drawingsView(State{Drawing: drawing})); strings.Contains(got, "aria-pressed") {
			t.Errorf("drawing %t: %s", drawing, got)
		}
	}
}
