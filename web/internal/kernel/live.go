package kernel

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/answer"
)

// retryPause is the pause of live answers after an error of the engine, which then probably
// restarts.
const retryPause = 500 * time.Millisecond

// Answer is the classification of an image.
type Answer struct {
	answer.Answer
	MS float64 // from the call to the answer, in milliseconds
}

// Nothing reports whether the image resembles a background class.
func (a Answer) Nothing() bool { return a.Verdict != nil && a.Verdict.Nothing != "" }

// Probabilities returns the probabilities of all classes that the answer includes, by id.
func (a Answer) Probabilities() map[string]float64 {
	all := make(map[string]float64, len(a.Scores))
	for _, s := range a.Scores {
		all[s.ID] = s.Score
	}
	return all
}

// Best returns the id of the most probable class, or "".
func (a Answer) Best() string {
	if len(a.Scores) == 0 {
		return ""
	}
	return slices.MaxFunc(a.Scores, func(a, b answer.Score) int { return cmp.Compare(a.Score, b.Score) }).ID
}

// LiveState is the latest answer.
type LiveState struct {
	Answer Answer
	Still  bool    // the answer is about a still picture
	Rate   float64 // answers per second of a camera
}

// Explainer decides which answers get an explanation, and receives it.
type Explainer interface {
	// Due reports whether to explain the next live answer, which then counts as explained.
	Due() bool
	// Wanted reports whether to explain the answer for a still picture.
	Wanted() bool
	// Took reports the time of a live answer, from the request to the last stroke drawn.
	Took(d time.Duration, explained bool)
	// Explained receives the match of an answer, or nil. The match is stale once the context is
	// done.
	Explained(ctx context.Context, match *Match, still bool)
}

// noExplainer is the Explainer without the feature that explains.
type noExplainer struct{}

func (noExplainer) Due() bool                               { return false }
func (noExplainer) Wanted() bool                            { return false }
func (noExplainer) Took(time.Duration, bool)                {}
func (noExplainer) Explained(context.Context, *Match, bool) {}

// Live classifies the frames of a camera, or a still picture.
type Live struct {
	Part
	task task // classifies the picture

	// Shown are the pictures on the stage while the camera is off.
	Shown *Shown
	// Explainer is set before the first answer.
	Explainer Explainer
	// Check reports why a file cannot be shown; optional, and set before the first.
	Check func(File) error

	choice int // number of the latest choice for the stage
	answer Answer
	still  bool      // the answer is about a still picture
	muted  time.Time // no live answers before: the page would hear itself
	rate   rate
}

// Shown are still pictures, one of which is on the stage.
type Shown struct {
	Part
	pictures []File
	at       int
}

// Picture returns the picture on the stage, or nil.
func (s *Shown) Picture() *File {
	s.Lock()
	defer s.Unlock()
	if len(s.pictures) == 0 {
		return nil
	}
	return &s.pictures[s.at]
}

// Place returns the position of the picture on the stage, from 0, and the number of pictures.
func (s *Shown) Place() (at, all int) {
	s.Lock()
	defer s.Unlock()
	return s.at, len(s.pictures)
}

func (s *Shown) set(pictures []File, at int) {
	s.Update(func() {
		s.pictures, s.at = pictures, at
		s.K.revisions.Shown++
	})
}

// State returns the latest answer, unless one of its classes was removed.
func (l *Live) State() LiveState {
	l.Lock()
	state := LiveState{l.answer, l.still, l.rate.perSecond()}
	l.Unlock()
	if !l.K.Classes.Considers(state.Answer) {
		state.Answer = Answer{}
	}
	return state
}

// Clear drops the latest answer with its explanation.
func (l *Live) Clear() {
	l.Update(func() {
		l.answer = Answer{}
		l.rate = rate{}
		l.K.revisions.Shown++
	})
}

// Mute stops live answers until a time, while the page would hear itself.
func (l *Live) Mute(until time.Time) { l.Update(func() { l.muted = until }) }

// Muted reports whether live answers are stopped.
func (l *Live) Muted() bool { return time.Now().Before(Get(&l.Part, &l.muted)) }

// watch classifies frames until the context is done, one at a time. It skips frames that arrive
// during a classification.
func (l *Live) watch(ctx context.Context, cameras Cameras) {
	engine := l.K.Engine.Wait()
	for cameras.NextFrame(ctx) == nil {
		if l.K.Classes.Examples() == 0 || l.Muted() {
			continue
		}
		begin, explain := time.Now(), l.Explainer.Due()
		answer, match, err := ask(engine, cameras.Source(), true, explain)
		switch CodeOf(err) {
		case "":
			if err == nil {
				l.answered(ctx, answer, match)
				l.Explainer.Took(time.Since(begin), explain)
			}
		case CodeEmpty, CodeBadImage, CodeSilent:
			// no examples yet, or the video has no picture yet
		default:
			select {
			case <-ctx.Done():
			case <-time.After(retryPause):
			}
		}
	}
}

// ask classifies an image, with why also explains it; otherwise the match is nil.
func ask(engine Engine, source Source, live, why bool) (Answer, *Match, error) {
	if why {
		return engine.Explain(source, live, "")
	}
	answer, err := engine.Classify(source, live)
	return answer, nil, err
}

// answered publishes a live answer and its explanation, unless the context is done.
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
	l.Explainer.Explained(ctx, match, false)
}

// choose returns the number of a new choice for the stage. Earlier choices become outdated.
func (l *Live) choose() int {
	l.Lock()
	defer l.Unlock()
	l.choice++
	return l.choice
}

// outdated reports whether the user has chosen other files, or the camera, since a choice.
func (l *Live) outdated(choice int) bool { return Get(&l.Part, &l.choice) != choice }

// showReadable calls show with the files that check accepts, unless their choice is outdated.
func (l *Live) showReadable(choice int, files []File, show func([]File)) {
	if l.outdated(choice) {
		return
	}
	if l.Check == nil {
		show(files)
		return
	}
	go func() {
		var readable []File
		var refused []refusal
		for _, file := range files {
			if err := l.Check(file); err != nil {
				refused = append(refused, refusal{file.Name, err})
			} else {
				readable = append(readable, file)
			}
		}
		if l.outdated(choice) {
			return
		}
		if len(refused) > 0 {
			l.K.Notices.Post(notPictures(refused, false))
		}
		if len(readable) > 0 {
			show(readable)
		}
	}()
}

// show shows one of some pictures on the stage, and classifies it.
func (l *Live) show(pictures []File, at int) {
	l.Clear()
	l.Shown.set(pictures, at)
	l.Reclassify()
}

// Turn shows the picture that is some places after the present one, in a circle.
func (l *Live) Turn(by int) {
	l.Lock()
	pictures, at := l.Shown.pictures, l.Shown.at
	l.Unlock()
	if n := len(pictures); n > 1 {
		l.show(pictures, ((at+by)%n+n)%n)
	}
}

// DropPicture removes the pictures from the stage with the latest answer, and drops chosen pictures that
// are not ready yet.
func (l *Live) DropPicture() {
	l.choose()
	l.Shown.set(nil, 0)
	l.Clear()
}

// Reclassify classifies the picture on the stage, if there is one.
func (l *Live) Reclassify() {
	if l.Shown.Picture() != nil && l.K.Classes.Examples() > 0 {
		l.task.ask()
	}
}

func (l *Live) classifyPicture(engine Engine) {
	file := l.Shown.Picture()
	if file == nil {
		return
	}
	answer, match, err := ask(engine, file.Source, false, l.Explainer.Wanted())
	if Unusable(err) {
		l.K.Notices.Post(notPictures([]refusal{{file.Name, err}}, false))
	} else if err != nil {
		l.K.Notices.Trouble(err)
	}
	if l.Shown.Picture() != file {
		l.task.ask()
		return
	}
	switch {
	case Unusable(err):
		l.drop(file)
	case err == nil && l.K.Classes.Considers(answer):
		l.Update(func() {
			l.answer, l.still = answer, true
			l.K.revisions.Answer++
		})
		l.Explainer.Explained(context.Background(), match, true)
	}
}

// drop removes a picture that cannot be read, unless others are shown by now. Sources cannot be
// compared.
func (l *Live) drop(file *File) {
	l.Lock()
	pictures, at := l.Shown.pictures, l.Shown.at
	l.Unlock()
	if at < len(pictures) && &pictures[at] == file {
		rest := slices.Delete(slices.Clone(pictures), at, at+1)
		l.show(rest, min(at, max(len(rest)-1, 0)))
	}
}

// rate counts the answers of the last second.
type rate struct{ times []time.Time }

func (r *rate) add(now time.Time) {
	r.times = append(r.times, now)
	for now.Sub(r.times[0]) > time.Second {
		r.times = r.times[1:]
	}
}

func (r *rate) perSecond() float64 {
	n := len(r.times)
	if n < 2 || r.times[n-1].Equal(r.times[0]) { // the latter on a coarse clock
		return 0
	}
	return float64(n-1) / r.times[n-1].Sub(r.times[0]).Seconds()
}
