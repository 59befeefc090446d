package actions

import (
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Shared pages see the same.
func TestSighting(t *testing.T) {
	const tick = 100 * time.Millisecond
	shared := nodetest.Start(t, `
		const { Actions } = await import(ROOT + "internal/publish/actions.js");
		function answer({ kind, hold, answers, tick }) {
			let at = 0;
			const seen = [];
			globalThis.performance = { now: () => 1e6 + at * tick };
			const actions = new Actions({ kind, classes: [], extensions: { actions: { hold } } }, { display: () => seen.push(at) }, "en");
			for (const letter of answers) {
				const unknown = letter === "?" ? { unknown: true } : undefined;
				if (letter !== "_") actions.observe({ scores: letter === "." ? [] : [{ id: letter }], unknown }, false);
				at++;
			}
			return seen;
		}`)
	for _, c := range []struct {
		name    string
		sounds  bool
		hold    time.Duration
		answers string // one per tick: a class, ? for unknown, . for no answer, _ for a tick without
		want    []int  // ticks of sightings
	}{
		{"at once", false, 0, "aab", []int{0, 2}},
		{"after the time", false, 3 * tick, "aaaaaaaa", []int{3}},
		{"a break begins it again", false, 3 * tick, "aabaaaa", []int{6}},
		{"once, though something else is the answer for a moment", false, 3 * tick, "aaaabbaaaaa", []int{3}},
		{"again after something else was seen", false, 3 * tick, "aaaabbbbaaaa", []int{3, 7, 11}},
		{"again after something unknown was seen", false, 2 * tick, "aaa???aaa", []int{2, 5, 8}},
		{"again after silence", false, 2 * tick, "aaa...aaa", []int{2, 5, 8}},
		{"slow answers count", false, 3 * tick, "a____a____a", []int{5}},
		{"too slow ones do not", false, 3 * tick, "a" + times('_', 25) + "aaaa", []int{29}},
		{"but for long times they do", false, 30 * tick, "a" + times('_', 25) + "a____a", []int{31}},
		{"the same after a lapse is still the same", false, tick, "aaa" + times('_', 30) + "aaa", []int{1}},
		{"but a sound after silence is another", true, tick, "aaa" + times('_', 6) + "aaa", []int{1, 10}},
		{"unless the silence is a breath", true, tick, "aaa" + times('_', 5) + "aaa", []int{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sighting{ofSounds: c.sounds}
			var got []int
			for i, letter := range c.answers {
				if letter == '_' {
					continue
				}
				subject := Subject{ClassID: string(letter)}
				switch letter {
				case '?':
					subject = Subject{Of: project.OfUnknown}
				case '.':
					subject = Subject{}
				}
				if s.observe(subject, time.Unix(1000, 0).Add(time.Duration(i)*tick), c.hold) {
					got = append(got, i)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("seen at %v, want %v", got, c.want)
			}
			var page []int
			kind := map[bool]string{false: project.KindImage, true: project.KindSound}[c.sounds]
			err := shared.Ask(t, map[string]any{"kind": kind, "hold": c.hold.Seconds(), "answers": c.answers, "tick": tick.Milliseconds()}, &page)
			if err != nil || !slices.Equal(page, c.want) {
				t.Errorf("a shared page sees it at %v, want %v; error %+v", page, c.want, err)
			}
		})
	}
}

// times repeats a letter.
func times(letter rune, n int) string { return string(slices.Repeat([]rune{letter}, n)) }

func TestSubjectOfAnAnswer(t *testing.T) {
	scores := []answer.Score{{ID: "a", Score: .3}, {ID: "b", Score: .7}}
	judged := func(v *answer.Verdict) kernel.Answer {
		return kernel.Answer{Answer: answer.Answer{Scores: scores, Verdict: v}}
	}
	for _, c := range []struct {
		name   string
		answer kernel.Answer
		want   Subject
	}{
		{"none", kernel.Answer{}, Subject{}},
		{"a class", judged(nil), Subject{ClassID: "b"}},
		{"unknown", judged(&answer.Verdict{Unknown: true}), Subject{Of: project.OfUnknown}},
		{"nothing, which is unknown too", judged(&answer.Verdict{Unknown: true, Nothing: "empty"}), Subject{Of: project.OfNothing}},
	} {
		if got := subjectOfAnswer(c.answer); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
