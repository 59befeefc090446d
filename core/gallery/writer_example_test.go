package gallery_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
)

// Write an index to a file, open it again, and search it.
func ExampleWriter() {
	l, err := learner.Open(network.ResNet12PhotoWeights())
	if err != nil {
		log.Fatal(err)
	}
	const folder = "../../web/static/web/demo"
	picture := func(name string) learner.Picture {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			log.Fatal(err)
		}
		return learner.Picture{Data: data}
	}
	file, err := os.CreateTemp("", "*.index")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	defer file.Close()

	writer, err := gallery.Create(file, gallery.Catalog{
		Source:     folder,
		Preprocess: project.Preprocess(l.Preprocess()),
		Network: project.Network{
			Name: l.Info().Name, SHA256: archive.Digest(network.ResNet12PhotoWeights()), Embedder: l.Method().Embedder,
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"apple-1.jpg", "banana-1.jpg", "cat-1.jpg", "cat-2.jpg", "orange-1.jpg"} {
		set, err := l.Embed(picture(name))
		if err != nil {
			log.Fatal(err)
		}
		if err := writer.Add(name, "", set); err != nil {
			log.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}

	data, err := os.ReadFile(file.Name()) // or a memory map
	if err != nil {
		log.Fatal(err)
	}
	index, err := gallery.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	query, err := l.Embed(picture("cat-4.jpg"))
	if err != nil {
		log.Fatal(err)
	}
	searcher := gallery.Searcher{Gallery: index, Candidates: 200}
	hits, _, err := searcher.Search(query, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range hits {
		fmt.Println(index.Name(hit.Picture))
	}
	// Output:
	// cat-2.jpg
	// cat-1.jpg
}
