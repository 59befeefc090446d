package session

import (
	"context"
	"time"
)

// retryPause is how long the live answers wait after an error of the engine,
// which is then most likely being restarted.
const retryPause = 500 * time.Millisecond

// Answer says what the engine takes one picture for.
type Answer struct {
	Scores  []Score
	Millis  float64 // from the call to the answer
	EmbedMs float64 // of that, in the network
	MatchMs float64 // and in matching

	Unknown bool // the picture is none of the classes: it looks like nothing, or the method names strangers and it is one
	Nothing bool // it looks like examples of nothing
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

// LiveState says what the page shows and what the engine takes it for.
type LiveState struct {
	Answer  Answer
	Rate    float64 // answers per second, while a camera is on
	Picture *File   // the picture that is classified instead of a camera, or nil
}

// Live shows something, a camera's frames or a picture, and knows the answer for it.
type Live struct {
	part
	queue   *EngineQueue
	classes *Classes
	why     *Why
	where   *Where
	notices *Notices

	paced    func(millis float64)            // called with what a live answer took
	measured func(perSecond float64)         // called with the rate of live answers
	told     func(answer Answer, still bool) // called with every answer that is shown
	lost     func()                          // called when nothing is shown any more
	deaf     func() bool                     // reports that the page would hear itself: then there are no live answers

	// Shown is the picture that is classified while the camera is off.
	Shown *Shown

	check  func(File) error // whether a file can be shown; nil where every file can
	looked int              // at files, so far
	answer Answer
	rate   rate
	busy   bool // the picture is being classified
	again  bool // and must be once more after that
}

// Shown is the picture that is shown instead of what a camera sees.
type Shown struct {
	part
	picture *File
}

// Picture returns the picture that is shown, or nil.
func (s *Shown) Picture() *File {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.picture
}

func (s *Shown) set(picture *File) { s.update(func() { s.picture = picture }) }

func newLive(queue *EngineQueue, classes *Classes, why *Why, where *Where, notices *Notices) *Live {
	return &Live{queue: queue, classes: classes, why: why, where: where, notices: notices, Shown: &Shown{}}
}

// State returns the latest answer, unless a class that it is about has gone.
func (l *Live) State() LiveState {
	l.mu.Lock()
	state := LiveState{Answer: l.answer, Rate: l.rate.perSecond()}
	l.mu.Unlock()
	state.Picture = l.Shown.Picture()
	if !l.classes.considers(state.Answer) {
		state.Answer = Answer{}
	}
	return state
}

// clear drops the latest answer and its reason: what they were about is shown no more.
func (l *Live) clear() {
	l.update(func() {
		l.answer = Answer{}
		l.rate = rate{}
	})
	l.why.forget()
	l.where.forget()
	l.lost()
}

// newRate counts answers from the beginning.
func (l *Live) newRate() { l.update(func() { l.rate = rate{} }) }

// watch classifies frame after frame until the context is done. There is never more
// than one frame under way: frames that come meanwhile are skipped.
func (l *Live) watch(ctx context.Context, cameras Cameras) {
	engine := l.queue.wait()
	for cameras.NextFrame(ctx) == nil {
		if l.classes.Examples() == 0 || l.deaf() {
			continue
		}
		begin, why := time.Now(), l.why.due()
		explain := why || l.where.due()
		answer, match, err := ask(engine, cameras.Source(), true, explain)
		switch codeOf(err) {
		case "":
			if err == nil {
				l.answered(ctx, answer, match)
				l.where.took(time.Since(begin), explain)
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
	if !l.classes.considers(answer) {
		return
	}
	perSecond, current := 0., false
	l.update(func() {
		if current = ctx.Err() == nil; !current {
			return
		}
		l.answer = answer
		l.rate.add(time.Now())
		if len(l.rate.times) > 3 {
			perSecond = l.rate.perSecond()
		}
	})
	if perSecond > 0 {
		l.measured(perSecond)
	}
	if current {
		l.paced(answer.Millis)
	}
	l.why.publish(ctx, match)
	l.where.publish(ctx, match)
	if current {
		l.told(answer, false)
	}
}

// Check says how to find out whether a file can be shown: an error says that it cannot.
func (l *Live) Check(check func(File) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.check = check
}

// look calls show once it is sure that the file can be shown, unless the person has moved
// on to another by then.
func (l *Live) look(file File, show func()) {
	l.mu.Lock()
	check := l.check
	l.looked++
	mine := l.looked
	l.mu.Unlock()
	if check == nil {
		show()
		return
	}
	go func() {
		err := check(file)
		l.mu.Lock()
		late := l.looked != mine
		l.mu.Unlock()
		switch {
		case late:
		case err != nil:
			l.notices.post(notShown(file.Name))
		default:
			show()
		}
	}()
}

// show classifies a picture, now and whenever the examples change.
func (l *Live) show(file File) {
	l.clear()
	l.Shown.set(&file)
	l.reclassify()
}

// dropPicture ends that.
func (l *Live) dropPicture() { l.Shown.set(nil) }

// reclassify classifies the picture that is shown, if one is.
func (l *Live) reclassify() {
	picture := l.Shown.Picture()
	if picture == nil || l.classes.Examples() == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy {
		l.again = true
		return
	}
	l.busy = true
	go l.classifyPicture(picture)
}

func (l *Live) classifyPicture(file *File) {
	answer, match, err := ask(l.queue.settled(), file.Source, false, l.why.State().Shown || l.where.On())
	if unusable(err) {
		l.notices.post(notPictures([]refusal{{file.Name, err}}))
	} else if err != nil {
		l.notices.trouble(err)
	}
	current := l.Shown.Picture() == file
	if current && unusable(err) {
		l.Shown.set(nil)
	}
	publish := current && err == nil && l.classes.considers(answer)
	again := false
	l.update(func() {
		l.busy = false
		again, l.again = l.again || !current, false
		if publish {
			l.answer = answer
		}
	})
	if publish {
		l.why.PointAt(nil)
		l.why.publish(context.Background(), match)
		l.where.publish(context.Background(), match)
		l.told(answer, true)
	}
	if again {
		l.reclassify()
	}
}

// looks reports whether the picture that is shown is being classified.
func (l *Live) looks() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.busy
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
