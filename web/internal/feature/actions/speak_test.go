package actions

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// The microphone is muted while the page speaks, and for a moment after that.
func TestAnswersPauseWhileThePageSpeaks(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s := kernel.New(project.KindSound, texts.In("en"))
		s.EngineReady(&kerneltest.Engine{})
		then := New(s)
		f := &fakeEffects{lasts: 2 * time.Second}
		then.Connect(f)
		class := kerneltest.IDs(s)[0]
		s.AddFiles(class, kerneltest.Files("a"))
		synctest.Wait()
		subject := then.State().Rows[0].Subject
		then.Edit(subject, func(r *project.Rule) { r.Serial = true })
		then.Try(subject)
		if then.K.Live.Muted() {
			t.Error("a message to a device is said to be heard")
		}
		then.Edit(subject, func(r *project.Rule) { r.Say = true })
		then.Try(subject)
		for _, step := range []struct {
			after time.Duration
			aloud bool
		}{{0, true}, {1900 * time.Millisecond, true}, {900 * time.Millisecond, true}, {300 * time.Millisecond, false}} {
			kerneltest.Rest(step.after)
			if got := then.K.Live.Muted(); got != step.aloud {
				t.Errorf("%v later the page hears itself: %v", step.after, got)
			}
		}
		then.Try(subject)
		kerneltest.Rest(1500 * time.Millisecond)
		then.Try(subject)
		kerneltest.Rest(1900 * time.Millisecond)
		if !then.K.Live.Muted() {
			t.Error("the page hears the second of two effects that overlap")
		}
		kerneltest.Rest(2 * time.Second)
		f.lasts = time.Hour // some browsers never report the end of speech
		then.Try(subject)
		kerneltest.Rest(10*time.Second + time.Second)
		if then.K.Live.Muted() {
			t.Error("the page waits for speech that never ends")
		}
		kerneltest.Rest(time.Hour)
	})
}

func TestTonesHaveNames(t *testing.T) {
	for _, l := range texts.Languages() {
		for _, tone := range Tones {
			if texts.In(l.Code).Then.Tones[tone] == "" {
				t.Errorf("%s.json has no name of the tone %s", l.Code, tone)
			}
		}
	}
}
