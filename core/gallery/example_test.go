package gallery_test

import (
	"bytes"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
)

// Pictures go into an index as sets of nodes. The two whose means point closest to
// the query's are candidates, and matched.
func Example() {
	var file bytes.Buffer
	w, err := gallery.NewWriter(&file, gallery.Catalogue{
		Network: project.Network{Name: "example", Embedder: method.Embedder{Kind: method.FCN}},
	})
	if err != nil {
		panic(err)
	}
	for _, p := range []struct {
		name  string
		nodes []float32 // two of three channels
	}{
		{"sea.jpg", []float32{0, 1, 9, 1, 0, 8}},
		{"forest.jpg", []float32{1, 9, 0, 0, 8, 1}},
		{"lake.jpg", []float32{0, 2, 9, 1, 7, 0}},
	} {
		if err := w.Add(p.name, "", &embed.Set{N: 2, C: 3, Data: p.nodes}); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}

	index, err := gallery.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		panic(err)
	}
	s := gallery.Searcher{Gallery: index, Matcher: func() *match.Matcher { return new(match.Matcher) }, Candidates: 2}
	hits, _, err := s.Search(&embed.Set{N: 2, C: 3, Data: []float32{1, 8, 0, 0, 1, 8}}, 10)
	if err != nil {
		panic(err)
	}
	for _, h := range hits {
		fmt.Printf("%s %.1f\n", index.Catalogue().Names[h.Picture], h.Score)
	}
	// Output:
	// lake.jpg 11.4
	// forest.jpg 9.9
}
