package session

import (
	"context"
	"slices"
	"time"
)

// retryPause is how long the live answers wait after an error of the engine,
// which is then most likely being restarted.
const retryPause = 500 * time.Millisecond

// Answer is what the engine says about one picture.
type Answer struct {
	Scores  []Score
	Millis  float64 // from the call to the answer
	EmbedMs float64 // of that, in the network
	MatchMs float64 // and in matching

	Stranger *Stranger // nil where it was not asked
}

// Score is how probable a class is, 0 to 1.
type Score struct {
	ClassID     string
	Probability float64
}

// Of returns the probability of a class; ok is false if it was not considered.
func (a Answer) Of(classID string) (probability float64, ok bool) {
	for _, s := range a.Scores {
		if s.ClassID == classID {
			return s.Probability, true
		}
	}
	return 0, false
}

// Best returns the id of the most probable class, or "".
func (a Answer) Best() string {
	best := Score{Probability: -1}
	for _, s := range a.Scores {
		if s.Probability > best.Probability {
			best = s
		}
	}
	return best.ClassID
}

// without returns the answer without a class that is gone: nothing, as the
// other probabilities were relative to it.
func (a Answer) without(classID string) Answer {
	if _, ok := a.Of(classID); ok {
		return Answer{}
	}
	return a
}

// LiveState is what is shown and what it is taken for.
type LiveState struct {
	Answer  Answer
	Rate    float64 // answers per second, while a camera is on
	Picture *File   // the picture that is classified instead of a camera, or nil
}

// Live returns the latest answer.
func (s *Session) Live() LiveState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return LiveState{Answer: s.live, Rate: s.rate.perSecond(), Picture: s.picture}
}

// watchCamera classifies frame after frame until the context is done. There is
// never more than one frame under way: frames that come meanwhile are skipped.
func (s *Session) watchCamera(ctx context.Context, camera Camera) {
	<-s.engineReady
	for camera.NextFrame(ctx) == nil {
		if s.exampleCount() == 0 {
			continue
		}
		answer, match, err := s.ask(camera.Source(), s.timeForWhy())
		switch codeOf(err) {
		case "":
			if err == nil {
				s.answered(ctx, answer, match)
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

// answered publishes a live answer, unless it came too late, and its reason if it
// has one.
func (s *Session) answered(ctx context.Context, answer Answer, match *Match) {
	topics := []Topic{Live}
	if match != nil {
		topics = append(topics, Reasons)
	}
	s.update(func() {
		if ctx.Err() != nil || !s.current(answer) {
			return
		}
		s.live = answer
		s.rate.add(time.Now())
		s.measured()
		s.reason(ctx, match)
	}, topics...)
}

// current reports whether the answer is about classes that are all still there.
// The lock is held.
func (s *Session) current(answer Answer) bool {
	return !slices.ContainsFunc(answer.Scores, func(score Score) bool {
		c := s.class(score.ClassID)
		return c == nil || len(c.Examples) == 0 || c.Disabled
	})
}

// ShowPicture classifies a picture instead of what the camera shows, now and
// whenever the examples change. A project file is opened instead.
func (s *Session) ShowPicture(file File) {
	if len(s.withoutProjects([]File{file})) == 0 {
		return
	}
	s.StopCamera()
	s.update(func() {
		s.picture = &file
		s.live = Answer{}
		s.forgetWhy()
		s.cameraState.Problem = nil
	}, Live, Cameras, Reasons)
	s.reclassify()
}

// reclassify classifies the picture that is shown, if one is.
func (s *Session) reclassify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.picture == nil || s.examples() == 0:
	case s.busy:
		s.again = true
	default:
		s.busy = true
		go s.classifyPicture(s.picture)
	}
}

func (s *Session) classifyPicture(file *File) {
	<-s.settled()
	answer, match, err := s.ask(file.Source, s.Why().Shown)
	unusable := slices.Contains([]string{CodeBadImage, CodeBadSound, CodeSilent}, codeOf(err))
	if unusable {
		s.post(notPictures([]refusal{{file.Name, err}}))
	} else if err != nil {
		s.trouble(err)
	}
	var again bool
	s.update(func() {
		s.busy = false
		again, s.again = s.again, false
		switch {
		case s.picture != file:
			again = true
		case unusable:
			s.picture = nil
		case err == nil && s.current(answer):
			s.live = answer
			s.why.Part = nil
			s.reason(context.Background(), match)
		}
	}, Live, Reasons)
	if again {
		s.reclassify()
	}
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
