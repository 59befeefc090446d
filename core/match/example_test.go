package match_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Two pictures with two nodes each. The first query node sends most of its weight to the similar
// second node of the support, and vice versa.
func ExampleMatcher_Match() {
	query := &embed.Set{N: 2, C: 3, Data: []float32{4, 1, 0, 0, 1, 4}}
	support := &embed.Set{N: 2, C: 3, Data: []float32{0, 2, 8, 4, 1, 0}}

	var m match.Matcher
	found, err := m.Match(query, support)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("score %.3f of %.1f\n", found.Score, found.Temperature)
	fmt.Printf("flow %.2f\n", found.Flow)
	// Output:
	// score 12.073 of 12.5
	// flow [0.04 0.67 1.30 0.00]
}

// To find the best of many matches, solve only those with a sufficient bound.
func ExamplePairing_Bound() {
	var m match.Matcher
	prepare := func(nodes ...float32) *match.Prepared {
		p, err := m.Prepare(&embed.Set{N: len(nodes) / 3, C: 3, Data: nodes})
		if err != nil {
			panic(err)
		}
		return p
	}
	query := prepare(4, 1, 0, 3, 2, 0)
	best := 0.0
	for _, support := range []*match.Prepared{prepare(4, 1, 0, 3, 2, 0), prepare(0, 1, 4, 0, 2, 3)} {
		pairing, err := m.Pair(query, support)
		if err != nil {
			panic(err)
		}
		if pairing.Bound() <= best {
			fmt.Println("cannot win")
			continue
		}
		found, err := pairing.Solve()
		if err != nil {
			panic(err)
		}
		best = max(best, found.Score)
		fmt.Printf("%.1f\n", found.Score)
	}
	// Output:
	// 12.5
	// cannot win
}
