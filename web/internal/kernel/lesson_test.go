package kernel_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/lessons"
)

// done lists the steps that are reached.
func done(s *Kernel) (steps []LessonStep) {
	state := s.Lesson.State()
	for _, step := range LessonSteps {
		if state.Done[step] {
			steps = append(steps, step)
		}
	}
	return steps
}

// answerWith has the engine take everything for a class.
func answerWith(e *kerneltest.Engine, classID string) {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.Answer = kerneltest.Says(0, answer.Score{ID: classID, Score: .9})
}

// some are so many files.
func some(n int) (files []File) {
	for i := range n {
		files = append(files, File{Name: fmt.Sprint("picture ", i), Source: fmt.Sprint("p", i)})
	}
	return files
}

func TestLessonIsReachedStepByStep(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		wait()
		if s.Lesson.State().ID != "" {
			t.Error("a lesson that nobody has begun")
		}
		mine := kerneltest.IDs(s)[0]
		s.Classes.Rename(mine, "mine")
		kerneltest.Rest(SaveInterval)
		before := s.Project.State().ID
		s.BeginLesson(lessons.Recycling, "")
		kerneltest.Rest(SaveInterval)
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
		s.BeginLesson(lessons.Words, "")
		wait()
		if s.Lesson.State().ID != lessons.Recycling {
			t.Error("a lesson of sounds on a page of pictures")
		}

		all := kerneltest.IDs(s)
		s.AddFiles(all[0], some(5))
		s.AddFiles(all[1], some(4))
		wait()
		if got := done(s); len(got) != 0 {
			t.Errorf("%q is reached with 4 examples of the second class", got)
		}
		s.AddFiles(all[1], some(1))
		wait()
		if got := done(s); !slices.Equal(got, []LessonStep{StepTeach}) {
			t.Errorf("%q is reached with 5 and 5 examples", got)
		}
		if s.Lesson.State().Judging {
			t.Error("there is no answer, but it can be judged")
		}
		answerWith(e, all[0])
		s.ShowPicture(File{"new.jpg", "new"})
		wait()
		if !s.Lesson.State().Judging {
			t.Error("there is an answer, but it cannot be judged")
		}
		s.Lesson.Judge(true)
		if got := done(s); !slices.Equal(got, []LessonStep{StepTeach, StepTest}) {
			t.Errorf("%q is reached after an answer that was right", got)
		}
		s.Lesson.Judge(false)
		s.AddFiles(all[0], some(2))
		wait()
		if got := done(s); !slices.Equal(got, []LessonStep{StepTeach, StepTest, StepFool}) {
			t.Errorf("%q is reached after a mistake and two more examples", got)
		}
		s.AddFiles(all[0], some(1))
		wait()
		for range 7 {
			s.Lesson.Judge(true)
		}
		state := s.Lesson.State()
		if got := done(s); slices.Contains(got, StepReach) || !slices.Contains(got, StepImprove) || state.Right != 8 || state.Judged != 9 {
			t.Errorf("%q with %d of %d", got, state.Right, state.Judged)
		}
		s.Lesson.Judge(true)
		if state := s.Lesson.State(); !state.Complete() || state.Right != 9 || state.Judged != 10 {
			t.Errorf("%q with %d of %d", done(s), state.Right, state.Judged)
		}
		s.Lesson.Put(true)
		kerneltest.Rest(SaveInterval)

		lesson := s.Project.State().ID
		s.Project.Open(before)
		wait()
		if s.Lesson.State().ID != "" {
			t.Error("the other project is of a lesson, too")
		}
		s.Project.Open(lesson)
		wait()
		if state := s.Lesson.State(); state.ID != lessons.Recycling || !state.Complete() || !state.Away || state.Judged != 10 {
			t.Errorf("the lesson came back as %+v", state)
		}
	})
}

// alphabetOf delivers drawings that are named by sign and person.
func alphabetOf(alphabet lessons.Alphabet, row int) (all [][]Drawing, err error) {
	for sign, label := range alphabet.Labels {
		var drawings []Drawing
		for person := range lessons.Drawings {
			name := fmt.Sprintf("%s by %d", label, person)
			drawings = append(drawings, Drawing{File{name, name}, fmt.Sprint("blob:", row+sign, person)})
		}
		all = append(all, drawings)
	}
	return all, nil
}

func TestLessonOfDrawnCharacters(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		s.Lesson.Deliver(alphabetOf)
		s.BeginLesson(lessons.Characters, "greek")
		kerneltest.Rest(SaveInterval)
		state := s.Lesson.State()
		if len(state.Tries) != 20 || state.Tries[1].Name != "β by 5" || state.Offer != OfferFirst || state.Examples != 1 {
			t.Fatalf("%d tries, offer %d", len(state.Tries), state.Offer)
		}
		alpha := kerneltest.IDs(s)[0]
		s.Classes.Rename(alpha, "A") // It is the same sign.
		s.Lesson.TeachDrawings()
		kerneltest.Rest(SaveInterval)
		if got := done(s); !slices.Equal(got, []LessonStep{StepTeach}) || s.Classes.Examples() != 5 || s.Lesson.State().Offer != OfferMore {
			t.Fatalf("%q reached with %d examples", got, s.Classes.Examples())
		}
		answerWith(e, alpha)
		s.Lesson.Try(0)
		kerneltest.Rest(SaveInterval)
		if state := s.Lesson.State(); state.Tries[0].Mark != TriedRight || state.Judging || !state.Done[StepTest] || state.Done[StepFool] {
			t.Errorf("the first try is %+v", state.Tries[0])
		}
		s.Lesson.TryAll()
		kerneltest.Rest(SaveInterval)
		if state := s.Lesson.State(); state.Right != 4 || state.Judged != 20 || !state.Done[StepFool] || state.Trying {
			t.Errorf("%d of %d right, of 4 drawings of each of 5 signs", state.Right, state.Judged)
		}
		s.Lesson.TeachDrawings()
		kerneltest.Rest(SaveInterval)
		// The picture that is shown was recognised again.
		if state := s.Lesson.State(); s.Classes.Examples() != 25 || state.Offer != NoOffer || state.Judged != 1 || !state.Done[StepImprove] {
			t.Errorf("%d examples, %d tries are marked", s.Classes.Examples(), state.Judged)
		}

		s.Lesson.OpenPad()
		if state := s.Lesson.State(); !state.Drawing || state.Judging {
			t.Errorf("the pad: %+v", state)
		}
		drawing := File{"drawing", "d"}
		s.Lesson.Drew(&drawing)
		kerneltest.Rest(SaveInterval)
		if state := s.Lesson.State(); !state.Drawing || !state.Judging {
			t.Error("what is drawn cannot be judged")
		}
		s.Lesson.TeachDrawn(alpha)
		kerneltest.Rest(SaveInterval)
		if s.Classes.Examples() != 26 {
			t.Errorf("%d examples, want the drawing among them", s.Classes.Examples())
		}
		s.Lesson.Try(3)
		kerneltest.Rest(SaveInterval)
		if state := s.Lesson.State(); state.Drawing {
			t.Error("the pad covers the picture that is tried")
		}
	})
}

func TestDrawingsThatDoNotArrive(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		s.Lesson.Deliver(func(lessons.Alphabet, int) ([][]Drawing, error) { return nil, kerneltest.Failure(CodeNetwork, "404") })
		s.BeginLesson(lessons.Characters, "")
		kerneltest.Rest(SaveInterval)
		if n := s.Notices.List(); len(n) != 1 || n[0].Title != s.Texts().Lessons.Failed {
			t.Errorf("notices %+v", n)
		}
		if a := s.Lesson.State().Alphabet.ID; a != lessons.Alphabets[0].ID {
			t.Errorf("the alphabet is %q", a)
		}
		s.Lesson.TeachDrawings() // of which there are none
		s.Lesson.Try(0)
		s.Lesson.TryAll()
		kerneltest.Rest(SaveInterval)
		if s.Classes.Examples() != 0 || s.Project.Kind() != project.KindImage {
			t.Error("something was taught")
		}
	})
}
