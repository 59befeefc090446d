package resnet12sound_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/network/resnet12sound"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Compute the local embeddings of a second's spectrogram.
func Example() {
	file, err := weights.Decode(resnet12sound.File, resnet12sound.Weights())
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

	spectrogram := tensor.New(1, meta.InputSize, meta.InputSize, 3) // normalized, see package sound
	features, err := network.Forward(spectrogram)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(features.Shape)
	// Output:
	// resnet12-sound [16 32 64 128] 80
	// [1 5 5 128]
}
