package view

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestEngineText(t *testing.T) {
	for _, c := range []struct {
		name  string
		state kernel.EngineState
		want  string
	}{
		{"at first", kernel.EngineState{}, "Loading the classifier, 0%"},
		{"on the way", kernel.EngineState{Progress: 0.425}, "Loading the classifier, 42%"},
		{"ready", kernel.EngineState{Stage: kernel.Ready, Info: kernel.Info{Network: "net", InputSize: 64, Kernels: "simd128"}}, "Ready"},
		{"restarting", kernel.EngineState{Stage: kernel.Restarting}, "Restarting the classifier"},
		{"failed", kernel.EngineState{Stage: kernel.Failed}, "No classifier"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := engineText(texts.In("en"), c.state, nil); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	ready := kernel.EngineState{Stage: kernel.Ready}
	if got := engineText(texts.In("en"), ready, &kernel.Progress{Done: 3, All: 10}); got != "Updating the examples: 3 of 10" {
		t.Errorf("while another network takes over it says %q", got)
	}
}

// Of changed numbers of examples those of one or two classes are announced, not those of a whole project.
func TestCounted(t *testing.T) {
	class := func(id string, examples int) kernel.Class {
		return kernel.Class{ID: id, Label: strings.ToUpper(id), Examples: make([]string, examples)}
	}
	before := []kernel.Class{class("a", 2), class("b", 1), class("c", 0)}
	for _, c := range []struct {
		now  []kernel.Class
		want string
	}{
		{before, ""},
		{[]kernel.Class{class("a", 5), class("b", 1), class("c", 0)}, "A: 5 examples"},
		{[]kernel.Class{class("a", 1), class("b", 2), class("c", 0)}, "A: 1 example, B: 2 examples"},
		{[]kernel.Class{class("b", 1), class("c", 0)}, ""},
		{[]kernel.Class{class("a", 5), class("b", 5), class("c", 5)}, ""},
	} {
		if got := counted(texts.In("en"), before, c.now); got != c.want {
			t.Errorf("%v: %q, want %q", c.now, got, c.want)
		}
	}
}

func TestHintSaysWhatToDoNext(t *testing.T) {
	taught := kernel.Class{Examples: []string{"a"}}
	for _, c := range []struct {
		name    string
		classes []kernel.Class
		want    string
	}{
		{"nothing taught", []kernel.Class{{}, {}}, "few examples"},
		{"one class taught", []kernel.Class{taught, {}}, "second class"},
		{"two classes taught", []kernel.Class{taught, taught}, ""},
		{"examples on the way", []kernel.Class{{Waiting: 1}, {Waiting: 1}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := hint(texts.In("en"), c.classes)
			if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("got %q, want something about %q", got, c.want)
			}
		})
	}
}

func TestWhatExpertsRead(t *testing.T) {
	ready := kernel.EngineState{Stage: kernel.Ready, Info: kernel.Info{Network: "net", InputSize: 64, Kernels: "simd128"}}
	if got, want := engineFacts(texts.In("en"), ready), "net · 64 px · simd128"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	said := kernel.Answer{Answer: answer.Answer{Scores: make([]answer.Score, 1), EmbedMS: 20, MatchMS: 1.25}, MS: 24.4}
	if got, want := answerFacts(texts.In("en"), said), "The answer took 24 ms: network 20 ms, matching 1.2 ms"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := engineFacts(texts.In("en"), kernel.EngineState{}) + answerFacts(texts.In("en"), kernel.Answer{}); got != "" {
		t.Errorf("%q before there is anything", got)
	}
}

func TestSpeed(t *testing.T) {
	said := kernel.Answer{Answer: answer.Answer{Scores: make([]answer.Score, 1), EmbedMS: 20, MatchMS: 1.25}, MS: 24.4}
	for _, c := range []struct {
		name string
		live kernel.LiveState
		want string
	}{
		{"no answer", kernel.LiveState{}, ""},
		{"a picture", kernel.LiveState{Answer: said}, ""},
		{"a camera", kernel.LiveState{Answer: said, Rate: 29.7}, "30 answers per second"},
		{"a slow device", kernel.LiveState{Answer: said, Rate: 1.2}, "1 answer per second"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := speed(texts.In("en"), c.live); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A button that is pressed keeps its label, and a button whose label changes is never pressed: screen
// readers read both.
func TestTheStateOfAButtonIsSaidOnce(t *testing.T) {
	k := kerneltest.New()
	for _, on := range []bool{false, true} {
		c := &Card{Kernel: k, Texts: k.Texts(), Class: kernel.Class{Label: "cup", Disabled: on}, Held: on, Free: true}
		if got := app.HTMLString(c.enableButton()); !strings.Contains(got, `aria-label="Ignore cup"`) || !strings.Contains(got, "aria-pressed") {
			t.Errorf("ignored %t: %s", on, got)
		}
		if got := app.HTMLString(c.captureButton()); strings.Contains(got, "aria-pressed") {
			t.Errorf("recording %t: %s", on, got)
		}
		c.Free = false
		if got := app.HTMLString(c.captureButton()); !strings.Contains(got, "aria-pressed") {
			t.Errorf("held %t: %s", on, got)
		}
	}
}

// Where the bar of "Unknown" is longer than that of the class in the caption, a note says why.
func TestNotesExplainTheVerdict(t *testing.T) {
	for _, c := range []struct {
		verdict *answer.Verdict
		want    string
	}{
		{nil, ""},
		{&answer.Verdict{Known: 0.9}, ""},
		{&answer.Verdict{Known: 0.55, Together: true}, "more likely one of the classes"},
		{&answer.Verdict{Known: 0.4, Unknown: true}, "unlike any"},
		{&answer.Verdict{Known: 0.4, Unknown: true, Nothing: "nothing"}, "None of these"},
	} {
		got := note(texts.In("en"), kernel.Answer{Answer: answer.Answer{Verdict: c.verdict}})
		if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%+v: %q, want something about %q", c.verdict, got, c.want)
		}
	}
}
