package gallery_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
)

// Find the image files most similar to another.
func Example() {
	l, err := learner.Open(network.ResNet12PhotoWeights())
	if err != nil {
		log.Fatal(err)
	}
	embedded := func(file string) *embed.Set {
		data, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		set, err := l.Embed(learner.Picture{Data: data})
		if err != nil {
			log.Fatal(file, err)
		}
		return set
	}
	files, err := filepath.Glob("../../web/static/web/demo/*-[123].jpg")
	if err != nil {
		log.Fatal(err)
	}
	var sets []*embed.Set
	for _, file := range files {
		sets = append(sets, embedded(file))
	}
	images, err := gallery.NewMemory(sets, nil)
	if err != nil {
		log.Fatal(err)
	}

	searcher := gallery.Searcher{Gallery: images, Candidates: gallery.All}
	hits, _, err := searcher.Search(embedded("../../web/static/web/demo/cat-4.jpg"), 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range hits {
		fmt.Println(filepath.Base(files[hit.Picture]))
	}
	// Output:
	// cat-2.jpg
	// cat-3.jpg
}

// Find the picture most similar to a query.
func ExampleSearcher() {
	picture := func(nodes ...float32) *embed.Set { return &embed.Set{N: 2, C: 3, Data: nodes} }
	names := []string{"plant", "mug", "mug with a leaf"}
	pictures, err := gallery.NewMemory([]*embed.Set{
		picture(0, 1, 4, 0, 2, 3),
		picture(4, 1, 0, 3, 2, 0),
		picture(4, 1, 0, 0, 1, 4),
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}

	searcher := gallery.Searcher{
		Gallery:    pictures,
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
