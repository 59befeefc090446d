package learner

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
)

// patient are options of a learner that learns in slices.
func patient() Options {
	opt := with(method.Method{Classifier: method.Mixture})
	opt.Patience = 20
	return opt
}

// A patient learner answers before it has learned; once it has, it answers as one
// without patience. Answers get there by themselves, and calls of Study sooner.
func TestStudyEndsInTheSameAnswers(t *testing.T) {
	for _, idle := range []bool{false, true} {
		opt := patient()
		patient, err := New(&wideEncoder{}, opt)
		if err != nil {
			t.Fatal(err)
		}
		opt.Patience = 0
		prompt, err := New(&wideEncoder{}, opt)
		if err != nil {
			t.Fatal(err)
		}
		if done, err := patient.Study(); !done || err != nil {
			t.Errorf("without examples: done %v, %v", done, err)
		}
		for i := range uint64(40) {
			for c := range uint64(2) {
				for _, l := range []*Learner{patient, prompt} {
					id := fmt.Sprint(c)
					if i == 0 {
						if err := l.AddClass(id, id); err != nil {
							t.Fatal(err)
						}
					}
					if _, err := l.AddExample(id, fmt.Sprint(c, "-", i), speckled(100*c+i)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		picture := speckled(1000)
		want := logits(t, prompt, picture)
		if first := liveLogits(t, patient, picture); near(first, want) {
			t.Error("80 examples were learned within one answer")
		}
		slices := 1
		for ; ; slices++ {
			if idle {
				done, err := patient.Study()
				if err != nil {
					t.Fatal(err)
				}
				if done {
					break
				}
			} else if near(liveLogits(t, patient, picture), want) {
				break
			}
			if slices > 50 {
				t.Fatal("80 examples were not learned in 50 slices")
			}
		}
		t.Logf("80 examples were learned in %d slices", slices)
		if got := liveLogits(t, patient, picture); !near(got, want) {
			t.Errorf("learned in slices %v, at once %v", got, want)
		}
		if _, err := patient.AddExample("0", "more", speckled(77)); err != nil {
			t.Fatal(err)
		}
		if why, err := explainedLive(patient, picture); err != nil || len(why.Head) != 2 {
			t.Errorf("an example came: the head adds %+v (%v), want it to go on", why.Head, err)
		}
	}
}

// A single picture waits until all is learned.
func TestStillsAreAnsweredByAllExamples(t *testing.T) {
	l, err := New(&wideEncoder{}, patient())
	if err != nil {
		t.Fatal(err)
	}
	for c := range uint64(2) {
		var pictures []Picture
		for i := range uint64(40) {
			pictures = append(pictures, speckled(100*c+i))
		}
		teach(t, l, fmt.Sprint(c), pictures...)
	}
	picture := speckled(1000)
	live := liveLogits(t, l, picture)
	still := logits(t, l, picture)
	if near(live, still) {
		t.Error("80 examples were learned within one answer of a stream")
	}
	if done, err := study(l.classifier.Traits().Student); !done || err != nil {
		t.Errorf("after a still there is more to learn (%v)", err)
	}
	if after := liveLogits(t, l, picture); !near(after, still) {
		t.Errorf("the next of the stream %v, a still before it %v", after, still)
	}
}

// Few examples are learned within the next answer.
func TestFewExamplesAreLearnedAtOnce(t *testing.T) {
	l, err := New(&wideEncoder{}, patient())
	if err != nil {
		t.Fatal(err)
	}
	teach(t, l, "a", speckled(1), speckled(2))
	teach(t, l, "b", speckled(3), speckled(4))
	if why, err := explainedLive(l, speckled(5)); err != nil || len(why.Head) != 2 {
		t.Errorf("of four examples the head adds %+v (%v)", why.Head, err)
	}
}

// explainedLive explains a picture of a stream.
func explainedLive(l *Learner, picture Picture) (*answer.Explanation, error) {
	if _, err := l.ClassifyLive(picture); err != nil {
		return nil, err
	}
	return l.Explain("")
}

// What Review says of pictures does not depend on whether there was time to look at them
// before; once there was, a lean learner has none left.
func TestPicturesAreLookedAtWhenThereIsTime(t *testing.T) {
	var reviews []*answer.Review
	for _, studies := range []bool{false, true} {
		l, err := New(&wideEncoder{}, Options{Kit: patient().Kit, Lean: true})
		if err != nil {
			t.Fatal(err)
		}
		for c := range uint64(2) {
			var pictures []Picture
			for i := range uint64(20) {
				pictures = append(pictures, speckled(100*c+i/2))
			}
			teach(t, l, fmt.Sprint(c), pictures...)
		}
		for done := !studies; !done; {
			if done, err = l.Study(); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range l.classes[1].examples {
			if (e.looks == nil) == studies || (e.fresh == nil) != studies || e.seen != nil {
				t.Fatalf("studied %v: looks %v, pixels left %v, kept %v", studies, e.looks != nil, e.fresh != nil, e.seen != nil)
			}
		}
		review, err := l.Review()
		if err != nil {
			t.Fatal(err)
		}
		reviews = append(reviews, review)
	}
	if !reflect.DeepEqual(reviews[0], reviews[1]) {
		t.Errorf("without a look before %+v, with %+v", reviews[0], reviews[1])
	}
	twins := 0
	for _, e := range reviews[0].Examples {
		if e.Twin != "" {
			twins++
		}
	}
	if twins < 20 {
		t.Errorf("%d twins, want the 20 that were taught", twins)
	}
}
