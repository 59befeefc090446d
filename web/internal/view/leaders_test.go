package view

import (
	"fmt"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

func TestLeaders(t *testing.T) {
	var classes []kernel.Class
	for i := range 12 {
		classes = append(classes, kernel.Class{ID: fmt.Sprint(i)})
	}
	says := func(percents ...float64) (a kernel.Answer) {
		for i, p := range percents {
			a.Scores = append(a.Scores, answer.Score{ID: fmt.Sprint(i), Score: p / 100})
		}
		return a
	}
	for _, c := range []struct {
		name   string
		before []string
		said   kernel.Answer
		want   []string
	}{
		{"no answer yet", nil, kernel.Answer{}, []string{"0", "1", "2", "3", "4"}},
		{"the best are the last", nil, says(0, 0, 0, 1, 0, 0, 0, 9, 10, 15, 25, 40), []string{"10", "11", "7", "8", "9"}},
		{"nothing to be seen of a difference", []string{"1", "2", "3", "4", "5"}, says(.4, 0, 60, 30, 10, 0), []string{"1", "2", "3", "4", "5"}},
		{"one percent more", []string{"1", "2", "3", "4", "5"}, says(1, 0, 60, 29, 10, 0), []string{"0", "1", "2", "3", "4"}},
		{"the best of all leads", []string{"0", "1", "2", "3", "4"}, says(8.3, 8.3, 8.3, 8.3, 8.3, 8.3, 8.3, 8.3, 8.3, 8.3, 8.4, 8.3), []string{"0", "1", "10", "2", "3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := leaders(c.before, classes, c.said, 5)
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("%q lead, want %q", got, c.want)
			}
		})
	}
	if got := leaders(nil, classes[:3], kernel.Answer{}, 5); len(got) != 3 {
		t.Errorf("of three classes %q lead", got)
	}
}
