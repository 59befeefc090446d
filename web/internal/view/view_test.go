package view

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestEngineText(t *testing.T) {
	for _, c := range []struct {
		name  string
		state session.EngineState
		want  string
	}{
		{"at first", session.EngineState{}, "Loading the classifier, 0%"},
		{"on the way", session.EngineState{Progress: 0.425}, "Loading the classifier, 42%"},
		{"ready", session.EngineState{Stage: session.Ready, Info: session.Info{Network: "net", InputSize: 64, Kernels: "simd128"}}, "Ready"},
		{"restarting", session.EngineState{Stage: session.Restarting}, "Restarting the classifier"},
		{"failed", session.EngineState{Stage: session.Failed}, "No classifier"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := engineText(texts.In("en"), c.state, nil); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	ready := session.EngineState{Stage: session.Ready}
	if got := engineText(texts.In("en"), ready, &session.Progress{Done: 3, All: 10}); got != "Looking at the examples again, 3 of 10" {
		t.Errorf("while another network takes over it says %q", got)
	}
}

func TestHintSaysWhatToDoNext(t *testing.T) {
	taught := session.Class{Examples: []string{"a"}}
	for _, c := range []struct {
		name    string
		classes []session.Class
		want    string
	}{
		{"nothing taught", []session.Class{{}, {}}, "few examples"},
		{"one class taught", []session.Class{taught, {}}, "second class"},
		{"two classes taught", []session.Class{taught, taught}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := hint(&texts.In("en").Answer, c.classes)
			if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("got %q, want something about %q", got, c.want)
			}
		})
	}
}

func TestWhatExpertsRead(t *testing.T) {
	ready := session.EngineState{Stage: session.Ready, Info: session.Info{Network: "net", InputSize: 64, Kernels: "simd128"}}
	if got, want := engineFacts(texts.In("en"), ready), "net · 64 px · simd128"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	answer := session.Answer{Scores: []session.Score{{}}, Millis: 24.4, EmbedMs: 20, MatchMs: 1.25}
	if got, want := answerFacts(texts.In("en"), answer), "The answer took 24 ms: network 20 ms, matching 1.2 ms"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := engineFacts(texts.In("en"), session.EngineState{}) + answerFacts(texts.In("en"), session.Answer{}); got != "" {
		t.Errorf("%q before there is anything", got)
	}
}

func TestSpeed(t *testing.T) {
	answer := session.Answer{Scores: []session.Score{{}}, Millis: 24.4, EmbedMs: 20, MatchMs: 1.25}
	for _, c := range []struct {
		name string
		live session.LiveState
		want string
	}{
		{"no answer", session.LiveState{}, ""},
		{"a picture", session.LiveState{Answer: answer}, ""},
		{"a camera", session.LiveState{Answer: answer, Rate: 29.7}, "30 answers a second"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := speed(texts.In("en"), c.live); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
