// Package resnet12photo is the default network: a small ResNet-12 that maps a 112×112 picture to 6×6
// local embeddings with 320 channels.
//
// Programs that import this package embed the 3.2 MB file (1.1 MB compressed, 3.1 million
// parameters). The page, the command and the npm package use the same file. README.md in this
// folder is the model card: data, recipe, accuracy, license of the data.
package resnet12photo

import (
	_ "embed"

	"github.com/deepemd/deepemd/core/network"
)

// Name is the network's name in the file's metadata.
const Name = network.ResNet12Photo

// File is the name of the network's file.
const File = Name + network.Ending

//go:embed resnet12-photo.safetensors
var file []byte

// Weights returns the network as a safetensors file for [weights.Decode]. Every call returns the
// same slice, which must not be modified.
//
// [weights.Decode]: https://pkg.go.dev/github.com/deepemd/deepemd/core/weights#Decode
func Weights() []byte { return file }
