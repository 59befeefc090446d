package kernel

import (
	"context"
	"time"

	"github.com/deepemd/deepemd/core/answer"
)

// retryPause is how long the live answers wait after an error of the engine,
// which is then most likely being restarted.
const retryPause = 500 * time.Millisecond

// Answer is the classification of a picture.
type Answer struct {
	answer.Answer
	MS float64 // milliseconds from the call to the answer
}

// Nothing reports whether the picture looks like examples of nothing.
func (a Answer) Nothing() bool { return a.Verdict != nil && a.Verdict.Nothing != "" }

// Of returns the probability of a class; ok is false if it was not considered.
func (a Answer) Of(classID string) (probability float64, ok bool) {
	for _, s := range a.Scores {
		if s.ID == classID {
			return s.Score, true
		}
	}
	return 0, false
}

// Best returns the id of the most probable class, or "".
func (a Answer) Best() string {
	best := answer.Score{Score: -1}
	for _, s := range a.Scores {
		if s.Score > best.Score {
			best = s
		}
	}
	return best.ID
}

// LiveState says what the page shows and what the engine takes it for.
type LiveState struct {
	Answer  Answer
	Rate    float64 // answers per second, while a camera is on
	Picture *File   // the picture that is classified instead of a camera, or nil
}

// Explainer asks why answers are what they are.
type Explainer interface {
	// Due reports whether the next live answer is to be explained, and counts on it.
	Due() bool
	// Wanted reports whether the answer for a picture is to be explained.
	Wanted() bool
	// Took says how long a live answer took, from asking to the last stroke drawn.
	Took(d time.Duration, explained bool)
	// Explained hands over the match of an answer, nil for none; it comes too late once the
	// context is done.
	Explained(ctx context.Context, match *Match, still bool)
}

// unasked is the Explainer while nobody wants to know.
type unasked struct{}

func (unasked) Due() bool                               { return false }
func (unasked) Wanted() bool                            { return false }
func (unasked) Took(time.Duration, bool)                {}
func (unasked) Explained(context.Context, *Match, bool) {}

// ExplainTo says who asks why, before anything is shown.
func (l *Live) ExplainTo(e Explainer) { l.explainer = e }

// Live shows something, a camera's frames or a picture, and knows the answer for it.
type Live struct {
	Part
	explainer Explainer
	task      Task // of classifying the picture

	// Shown is the picture that is classified while the camera is off.
	Shown *Shown

	check  func(File) error // whether a file can be shown; nil where every file can
	looked int              // at files, so far
	answer Answer
	still  bool      // it is about a picture, which does not move
	muted  time.Time // until when the page would hear itself: then there are no live answers
	rate   rate
}

// Shown is the picture that is shown instead of what a camera sees.
type Shown struct {
	Part
	picture *File
}

// Picture returns the picture that is shown, or nil.
func (s *Shown) Picture() *File {
	s.Lock()
	defer s.Unlock()
	return s.picture
}

func (s *Shown) set(picture *File) {
	s.Update(func() {
		s.picture = picture
		s.K.revisions.Shown++
	})
}

func newLive(s *Kernel) *Live {
	l := &Live{Part: Part{K: s}, explainer: unasked{}, Shown: &Shown{Part: Part{K: s}}}
	l.task = NewTask(&l.Part, 0, 0, l.classifyPicture)
	return l
}

// State returns the latest answer, unless a class that it is about has gone.
func (l *Live) State() LiveState {
	l.Lock()
	state := LiveState{Answer: l.answer, Rate: l.rate.perSecond()}
	l.Unlock()
	state.Picture = l.Shown.Picture()
	if !l.K.Classes.Considers(state.Answer) {
		state.Answer = Answer{}
	}
	return state
}

// Clear drops the latest answer and its reason: what they were about is shown no more.
func (l *Live) Clear() {
	l.Update(func() {
		l.answer = Answer{}
		l.rate = rate{}
		l.K.revisions.Shown++
	})
}

// Latest returns the latest answer, and whether it is about a picture.
func (l *Live) Latest() (answer Answer, still bool) {
	l.Lock()
	defer l.Unlock()
	return l.answer, l.still
}

// Deafen has nothing answered until a time: the page would hear itself.
func (l *Live) Mute(until time.Time) {
	l.Lock()
	defer l.Unlock()
	l.muted = until
}

// Hears reports whether live answers are wanted.
func (l *Live) Muted() bool {
	l.Lock()
	defer l.Unlock()
	return time.Now().Before(l.muted)
}

// newRate counts answers from the beginning.
func (l *Live) newRate() { l.Update(func() { l.rate = rate{} }) }

// watch classifies frame after frame until the context is done. There is never more
// than one frame under way: frames that come meanwhile are skipped.
func (l *Live) watch(ctx context.Context, cameras Cameras) {
	engine := l.K.Engine.Wait()
	for cameras.NextFrame(ctx) == nil {
		if l.K.Classes.Examples() == 0 || l.Muted() {
			continue
		}
		begin, explain := time.Now(), l.explainer.Due()
		answer, match, err := ask(engine, cameras.Source(), true, explain)
		switch CodeOf(err) {
		case "":
			if err == nil {
				l.answered(ctx, answer, match)
				l.explainer.Took(time.Since(begin), explain)
			}
		case CodeEmpty, CodeBadImage, CodeSilent:
			// Taught a moment later; the video has no picture yet.
		default:
			select {
			case <-ctx.Done():
			case <-time.After(retryPause):
			}
		}
	}
}

// ask asks the engine what a picture is and, if so wanted, why: else the match is nil.
func ask(engine Engine, source Source, live, why bool) (Answer, *Match, error) {
	if why {
		return engine.Explain(source, live, "")
	}
	answer, err := engine.Classify(source, live)
	return answer, nil, err
}

// answered publishes a live answer, unless it came too late, and its reason if it has
// one.
func (l *Live) answered(ctx context.Context, answer Answer, match *Match) {
	if !l.K.Classes.Considers(answer) {
		return
	}
	perSecond := 0.
	l.Update(func() {
		if ctx.Err() != nil {
			return
		}
		l.answer, l.still = answer, false
		l.rate.add(time.Now())
		l.K.revisions.Answer++
		if len(l.rate.times) > 3 {
			perSecond = l.rate.perSecond()
		}
	})
	if perSecond > 0 {
		l.K.Setup.measured(perSecond)
	}
	l.explainer.Explained(ctx, match, false)
}

// Check says how to find out whether a file can be shown: an error says that it cannot.
func (l *Live) Check(check func(File) error) {
	l.Lock()
	defer l.Unlock()
	l.check = check
}

// look calls show once it is sure that the file can be shown, unless the person has moved
// on to another by then.
func (l *Live) look(file File, show func()) {
	l.Lock()
	check := l.check
	l.looked++
	mine := l.looked
	l.Unlock()
	if check == nil {
		show()
		return
	}
	go func() {
		err := check(file)
		l.Lock()
		late := l.looked != mine
		l.Unlock()
		switch {
		case late:
		case err != nil:
			l.K.Notices.Post(notShown(file.Name))
		default:
			show()
		}
	}()
}

// show classifies a picture, now and whenever the examples change.
func (l *Live) show(file File) {
	l.Clear()
	l.Shown.set(&file)
	l.Reclassify()
}

// DropPicture ends that.
func (l *Live) DropPicture() { l.Shown.set(nil) }

// Reclassify classifies the picture that is shown, if one is.
func (l *Live) Reclassify() {
	if l.Shown.Picture() != nil && l.K.Classes.Examples() > 0 {
		l.task.Ask()
	}
}

func (l *Live) classifyPicture(engine Engine) {
	file := l.Shown.Picture()
	if file == nil {
		return
	}
	answer, match, err := ask(engine, file.Source, false, l.explainer.Wanted())
	if Unusable(err) {
		l.K.Notices.Post(notPictures([]refusal{{file.Name, err}}))
	} else if err != nil {
		l.K.Notices.Trouble(err)
	}
	if l.Shown.Picture() != file {
		l.task.Ask()
		return
	}
	switch {
	case Unusable(err):
		l.Shown.set(nil)
	case err == nil && l.K.Classes.Considers(answer):
		l.Update(func() {
			l.answer, l.still = answer, true
			l.K.revisions.Answer++
		})
		l.explainer.Explained(context.Background(), match, true)
	}
}

// looks reports whether the picture that is shown is being classified.
func (l *Live) looks() bool {
	l.Lock()
	defer l.Unlock()
	return l.task.working
}

// rate counts answers over the last second.
type rate struct{ times []time.Time }

func (r *rate) add(now time.Time) {
	r.times = append(r.times, now)
	for now.Sub(r.times[0]) > time.Second {
		r.times = r.times[1:]
	}
}

func (r *rate) perSecond() float64 {
	n := len(r.times)
	if n < 2 {
		return 0
	}
	return float64(n-1) / r.times[n-1].Sub(r.times[0]).Seconds()
}
