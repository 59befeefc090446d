package resnet12xs_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/network/resnet12xs"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Compute the local embeddings of a picture.
func Example() {
	file, err := weights.Decode(resnet12xs.File, resnet12xs.Weights())
	if err != nil {
		fmt.Println(err)
		return
	}
	network, err := backbone.New(file, backbone.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	meta := network.Meta()
	fmt.Println(meta.Name, meta.Widths, meta.InputSize)

	picture := tensor.New(1, meta.InputSize, meta.InputSize, 3)
	features, err := network.Forward(picture)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(features.Shape)
	// Output:
	// resnet12-xs [32 64 112 208] 84
	// [1 5 5 208]
}
