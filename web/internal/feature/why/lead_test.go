package why

import (
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

func TestLeadComparesWithTheRival(t *testing.T) {
	shares := []answer.Shares{{ClassID: "cup", Match: 6, Head: 3}, {ClassID: "pen", Match: 7, Head: 1}, {ClassID: "key", Match: 2, Head: 2}}
	for _, c := range []struct {
		name   string
		class  string
		shares []answer.Shares
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
			got := LeadOf(&kernel.Match{Explanation: &answer.Explanation{ClassID: c.class, Head: c.shares}})
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
