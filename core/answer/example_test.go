package answer_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// The same two objects in swapped places: the explanation matches the left half with the right
// half.
func ExampleExplanation() {
	left, right := embed.Region{X1: 0.5, Y1: 1}, embed.Region{X0: 0.5, X1: 1, Y1: 1}
	side := map[embed.Region]string{left: "left", right: "right"}
	handle, leaf := []float32{4, 1, 0}, []float32{0, 1, 4}
	picture := func(onLeft, onRight []float32) *embed.Set {
		return &embed.Set{N: 2, C: 3, Data: append(append([]float32{}, onLeft...), onRight...), Regions: []embed.Region{left, right}}
	}

	matcher := &match.Matcher{Weighting: match.Equal{}}
	query, err := matcher.Prepare(picture(handle, leaf))
	if err != nil {
		fmt.Println(err)
		return
	}
	support, err := matcher.Prepare(picture(leaf, handle))
	if err != nil {
		fmt.Println(err)
		return
	}
	why, err := matcher.Explain(query, support)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, link := range why.Links(0.01) {
		fmt.Printf("%s → %s: weight %.0f, similarity %.2f\n", side[why.From[link.From].Region], side[why.To[link.To].Region], link.Flow, link.Similarity)
	}
	// Output:
	// left → right: weight 1, similarity 1.00
	// right → left: weight 1, similarity 1.00
}
