package kernel_test

import (
	"testing"

	. "github.com/deepemd/deepemd/web/internal/kernel"
)

func TestLeadComparesWithTheRival(t *testing.T) {
	shares := []Share{{"cup", 6, 3}, {"pen", 7, 1}, {"key", 2, 2}}
	for _, c := range []struct {
		name   string
		class  string
		shares []Share
		want   *Lead
	}{
		{"the best against the runner-up", "cup", shares, &Lead{"cup", "pen", -1, 2}},
		{"another against the best, which is ahead", "key", shares, &Lead{"cup", "key", 4, 1}},
		{"the runner-up against the best", "pen", shares, &Lead{"cup", "pen", -1, 2}},
		{"no head", "cup", nil, nil},
		{"no other class", "cup", shares[:1], nil},
		{"a class that has gone", "mug", shares, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := (&Match{ClassID: c.class, Shares: c.shares}).Lead()
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
