// Package resnet12sound is the default network for sounds: a small ResNet-12 that maps the 80×80
// log-mel spectrogram of one second to 5×5 local embeddings with 128 channels, over time and
// frequency.
//
// Programs that import this package embed the 1.0 MB file (0.5 million parameters). The page, the
// command and the npm package use the same file. README.md in this folder is the model card: data,
// recipe, accuracy, license of the data.
package resnet12sound

import (
	_ "embed"

	"github.com/deepemd/deepemd/core/network"
)

// Name is the network's name in the file's metadata.
const Name = network.ResNet12Sound

// File is the name of the network's file.
const File = Name + network.Ending

//go:embed resnet12-sound.safetensors
var file []byte

// Weights returns the network as a safetensors file for [weights.Decode]. Every call returns the
// same slice, which must not be modified.
//
// [weights.Decode]: https://pkg.go.dev/github.com/deepemd/deepemd/core/weights#Decode
func Weights() []byte { return file }
