// Package resnet12sound is the default network for sounds: a small ResNet-12 that
// turns the 80×80 log-mel spectrogram of one second into 5×5 local embeddings of
// 128 channels, over time and frequency.
//
// It has 0.5 million parameters in a file of 1.0 MB. A program that imports this
// package carries the file; the page, the command and the npm package use the same
// one. README.md in this folder is the network's card: data, recipe, accuracy,
// licence of the data.
package resnet12sound

import (
	_ "embed"

	"github.com/deepemd/deepemd/core/network"
)

// Name is the network's name in the file's metadata.
const Name = network.ResNet12Sound

// File is the name under which the network is stored and served.
const File = Name + network.Ending

//go:embed resnet12-sound.safetensors
var file []byte

// Weights returns the network as a safetensors file, which [weights.Decode] reads.
// Every call returns the same bytes: do not change them.
//
// [weights.Decode]: https://pkg.go.dev/github.com/deepemd/deepemd/core/weights#Decode
func Weights() []byte { return file }
