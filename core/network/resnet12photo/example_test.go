package resnet12photo_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/network/resnet12photo"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Compute the local embeddings of a picture.
func Example() {
	file, err := weights.Decode(resnet12photo.File, resnet12photo.Weights())
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
	// resnet12-photo [32 80 160 320] 112
	// [1 6 6 320]
}
