// Package resnet12xs is the network for slow devices and connections: a ResNet-12 that maps an
// 84×84 picture to 5×5 local embeddings with 208 channels, with 0.62 of the work of resnet12s.
//
// Programs that import this package embed the 1.5 MB file (0.6 MB compressed, 1.4 million
// parameters). The page, the command and the npm package use the same file. README.md in this
// folder is the model card: data, recipe, accuracy, license of the data.
package resnet12xs

import (
	_ "embed"

	"github.com/deepemd/deepemd/core/network"
)

// Name is the network's name in the file's metadata.
const Name = network.ResNet12XS

// File is the name of the network's file.
const File = Name + network.Ending

//go:embed resnet12-xs.safetensors
var file []byte

// Weights returns the network as a safetensors file for [weights.Decode]. Every call returns the
// same slice, which must not be modified.
//
// [weights.Decode]: https://pkg.go.dev/github.com/deepemd/deepemd/core/weights#Decode
func Weights() []byte { return file }
