package gallery_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
)

// A gallery of three pictures is searched for those most like a fourth.
func ExampleSearcher() {
	picture := func(nodes ...float32) *embed.Set { return &embed.Set{N: 2, C: 3, Data: nodes} }
	names := []string{"plant", "mug", "mug with a leaf"}
	pictures, err := gallery.NewMemory([]*embed.Set{
		picture(0, 1, 4, 0, 2, 3),
		picture(4, 1, 0, 3, 2, 0),
		picture(4, 1, 0, 0, 1, 4),
	}, &match.Matcher{})
	if err != nil {
		fmt.Println(err)
		return
	}

	searcher := gallery.Searcher{
		Gallery:    pictures,
		Matcher:    func() *match.Matcher { return &match.Matcher{} },
		Candidates: gallery.All,
	}
	hits, _, err := searcher.Search(picture(3, 2, 0, 4, 1, 0), 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, hit := range hits {
		fmt.Printf("%s: %.1f\n", names[hit.Picture], hit.Score)
	}
	// Output:
	// mug: 12.5
	// mug with a leaf: 9.8
}
