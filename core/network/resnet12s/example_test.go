package resnet12s_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Compute the local embeddings of a picture.
func Example() {
	file, err := weights.Decode(resnet12s.File, resnet12s.Weights())
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
	// resnet12-s [32 80 160 320] 84
	// [1 5 5 320]
}
