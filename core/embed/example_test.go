package embed_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
)

// Crops can be encoded separately, for example by several workers, and combined into nodes.
func ExampleEmbedder() {
	embedder := embed.Grid{Levels: []int{2}, Ratio: 2}
	pre := imaging.Preprocess{Size: 32, Std: [3]float32{1, 1, 1}}
	view := embedder.View(pre, gradient(64, 0))
	crops := embedder.Crops(pre, view)
	var pictures []*imaging.Image
	for _, crop := range crops {
		pictures = append(pictures, crop.Picture)
	}
	features, err := embed.Pool(&tiles{stride: 16}, pre, pictures...)
	if err != nil {
		fmt.Println(err)
		return
	}
	set := embedder.Set(crops, features)
	fmt.Println(set.N, "nodes of", set.C, "channels")
	for _, r := range set.Regions {
		fmt.Println(r)
	}
	// Output:
	// 4 nodes of 3 channels
	// {0 0 0.75 0.75}
	// {0.25 0 1 0.75}
	// {0 0.25 0.75 1}
	// {0.25 0.25 1 1}
}
