// Package lesson is the feature of lessons for schools: their projects, steps and drawn characters.
package lesson

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/lessons"
)

// Step is a step of a lesson.
type Step string

// The steps of every lesson. They stay completed.
const (
	StepTeach   Step = "teach"   // two classes have examples
	StepTest    Step = "test"    // an answer was marked
	StepFool    Step = "fool"    // an answer was wrong
	StepImprove Step = "improve" // examples were added since
	StepReach   Step = "reach"   // most answers are right
)

// Steps lists the steps in order.
var Steps = []Step{StepTeach, StepTest, StepFool, StepImprove, StepReach}

// Conditions of the steps.
const (
	lessonExamples = 5  // of each class, unless the page has its pictures
	lessonMore     = 3  // new examples for StepImprove
	lessonJudged   = 10 // number of recent answers
	lessonRight    = 8  // right ones among them, for StepReach
	lessonWrong    = 4  // with drawings, one in lessonWrong answers may be wrong instead
)

// State is the lesson of the open project, and its progress.
type State struct {
	lessons.Lesson // ID is "" without a lesson
	Alphabet       lessons.Alphabet
	Away           bool // hidden
	Done           map[Step]bool
	Examples       int  // minimum per class
	Judging        bool // there is an answer to mark
	Still          bool // it is about a picture
	Marked         Mark // of this picture
	Right, Judged  int  // of the recent answers
	Goal           kernel.Progress
	Tries          []Try
	Trying         bool         // TryAll runs
	Offer          Offer        // drawings to teach
	Drawing        bool         // the pad is visible
	Drawn          *kernel.File // its drawing, or nil
}

// Complete reports whether all steps are completed.
func (s State) Complete() bool { return len(s.Done) == len(Steps) }

// Lesson is the lesson of the open project.
type Lesson struct {
	kernel.Part
	seen kernel.Revisions

	kept      project.Lesson
	marked    []*kernel.File // the pictures of the latest marks in kept.Judged; nil for a camera's
	latest    latest
	answering bool // there is an answer
	begun     bool // the view is to get the focus
	drawings
}

// latest is the picture that was marked last, and the lesson's state before its mark. It is zero once a
// drawing was tried or the examples have changed.
type latest struct {
	picture *kernel.File
	before  project.Lesson
}

// Begin starts a project for a lesson, with named, empty classes. For drawn characters, alphabet
// chooses the classes.
func (l *Lesson) Begin(id, alphabet string) {
	lesson, ok := lessons.Find(id)
	if !ok || lesson.Kind != l.K.Project.Kind() {
		return
	}
	l.K.Project.BeginWith(func() kernel.Document {
		words := l.K.Texts().Lesson(id)
		kept, labels := project.Lesson{ID: id}, words.ClassNames()
		if lesson.Drawn {
			found, _ := lessons.FindAlphabet(alphabet)
			kept.Alphabet, labels = found.ID, found.Labels
		}
		doc := l.K.Project.Fresh()
		doc.Name = l.K.Project.Unused(words.Title)
		doc.Classes = nil
		for i, label := range labels {
			doc.Classes = append(doc.Classes, l.K.Classes.Described(i, label, nil))
		}
		doc.Extensions = kept.Keep(nil)
		return doc
	})
}

// New returns the lesson of a kernel's projects.
func New(k *kernel.Kernel) *Lesson {
	l := &Lesson{K: k}
	k.Project.Extend(l)
	k.Follow(l.follow)
	return l
}

// State returns the lesson and its progress.
func (l *Lesson) State() State {
	shown, classes := l.K.Live.Shown.Picture(), l.K.Classes.List()
	l.Lock()
	defer l.Unlock()
	lesson, _ := lessons.Find(l.kept.ID)
	s := State{
		Lesson: lesson, Away: l.kept.Away, Done: map[Step]bool{},
		Examples: lessonExamples, Goal: kernel.Progress{Done: lessonRight, All: lessonJudged},
		Judged: len(l.kept.Judged), Right: count(l.kept.Judged),
		Tries: l.tries, Trying: l.trying, Drawing: l.pad, Drawn: l.drawn,
	}
	for _, step := range Steps {
		if slices.Contains(l.kept.Done, string(step)) {
			s.Done[step] = true
		}
	}
	s.Judging = l.answering && s.Done[StepTeach]
	s.Still = shown != nil
	if at := l.markOf(shown); at >= 0 {
		s.Marked = TriedWrong
		if l.kept.Judged[at] {
			s.Marked = TriedRight
		}
	}
	if lesson.Drawn {
		s.Alphabet, _ = lessons.FindAlphabet(l.kept.Alphabet)
		s.Examples, s.Offer = 1, offered(s.Alphabet, classes)
		s.Judging = s.Judging && l.pad && l.drawn != nil && shown != nil && shown.Name == l.drawn.Name
		s.Goal = kernel.Progress{Done: len(l.tries) - len(l.tries)/lessonWrong, All: len(l.tries)}
		s.Right, s.Judged = l.marks()
	}
	return s
}

func count(judged []bool) (n int) {
	for _, right := range judged {
		if right {
			n++
		}
	}
	return n
}

// Put hides the steps, or shows them again.
func (l *Lesson) Put(away bool) {
	l.Update(func() { l.kept.Away = away })
	l.K.Project.Touch()
}

// Judge marks the present answer. A picture has one mark, and another one replaces it: with the same
// examples, the first was a slip, and its steps are no longer completed.
func (l *Lesson) Judge(right bool) {
	picture, examples := l.K.Live.Shown.Picture(), l.K.Classes.Examples()
	l.Update(func() {
		at := l.markOf(picture)
		if at >= 0 && l.latest.picture == picture {
			l.kept.Done, l.kept.Since = l.latest.before.Done, l.latest.before.Since
		}
		before := l.kept
		judged, marked := slices.Clone(l.kept.Judged), l.marked
		if at >= 0 {
			judged[at] = right
		} else {
			judged, marked = append(judged, right), append(marked, picture)
		}
		l.kept.Judged = judged[max(0, len(judged)-lessonJudged):]
		l.marked = marked[max(0, len(marked)-lessonJudged):]
		l.recordMark(right, examples)
		l.latest = latest{picture, before}
	})
	l.K.Project.Touch()
}

// markOf returns the index in kept.Judged of a picture's mark, or -1. The lock is held.
func (l *Lesson) markOf(picture *kernel.File) int {
	at := slices.Index(l.marked, picture)
	if picture == nil || at < 0 {
		return -1
	}
	return len(l.kept.Judged) - len(l.marked) + at
}

// recordMark records a mark. The lock is held.
func (l *Lesson) recordMark(right bool, examples int) {
	l.latest = latest{}
	l.complete(StepTest)
	if !right {
		l.complete(StepFool)
		l.kept.Since = cmp.Or(l.kept.Since, examples)
	}
	drawn := l.kept.Alphabet != ""
	most, all := l.marks()
	if drawn && len(l.tries) > 0 && all == len(l.tries) && most >= all-all/lessonWrong ||
		!drawn && len(l.kept.Judged) == lessonJudged && count(l.kept.Judged) >= lessonRight {
		l.complete(StepReach)
	}
}

// complete completes a step. The lock is held.
func (l *Lesson) complete(step Step) {
	if !slices.Contains(l.kept.Done, string(step)) {
		l.kept.Done = append(slices.Clip(l.kept.Done), string(step))
	}
}

// follow reacts to examples, answers and pictures.
func (l *Lesson) follow() {
	news := l.News(&l.seen)
	if news.Shown > 0 {
		l.answers(false)
		l.leavePad()
	}
	if news.Answer > 0 {
		l.onAnswer()
	}
	if news.Examples > 0 {
		l.learned()
	}
}

// learned reacts to examples.
func (l *Lesson) learned() {
	examples, full := l.K.Classes.Examples(), 0
	l.Lock()
	id, enough := l.kept.ID, lessonExamples
	if l.kept.Alphabet != "" {
		enough = 1
	}
	l.Unlock()
	if id == "" {
		return
	}
	for _, class := range l.K.Classes.List() {
		if len(class.Examples) >= enough {
			full++
		}
	}
	l.Update(func() {
		l.latest = latest{}
		if full > 1 {
			l.complete(StepTeach)
		}
		if l.kept.Since > 0 && examples >= l.kept.Since+lessonMore {
			l.complete(StepImprove)
		}
		l.outdate(examples)
	})
}

// onAnswer reacts to an answer, and marks the try of a still picture.
func (l *Lesson) onAnswer() {
	live := l.K.Live.State()
	l.answers(live.Answer.Best() != "")
	if picture := l.K.Live.Shown.Picture(); live.Still && picture != nil {
		l.markShown(picture.Name, live.Answer)
	}
}

// answers sets whether there is an answer.
func (l *Lesson) answers(yes bool) {
	l.Lock()
	same := l.answering == yes || l.kept.ID == ""
	l.Unlock()
	if !same {
		l.Update(func() { l.answering = yes })
	}
}

// Keep implements [kernel.Extension].
func (l *Lesson) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	return kernel.Get(&l.Part, &l.kept).Keep(extensions)
}

// Adopt implements [kernel.Extension].
func (l *Lesson) Adopt(manifest *project.Manifest) {
	kept := manifest.Lesson()
	l.Update(func() {
		l.kept, l.answering = kept, false
		l.marked, l.latest = nil, latest{}
		l.drawings = drawings{Deliver: l.Deliver}
	})
	if lesson, ok := lessons.Find(kept.ID); ok && lesson.Drawn {
		l.load(kept.Alphabet)
	}
}
