// Package resnet12xs is the network for slow devices and slow lines: a ResNet-12 that turns
// a picture of 84×84 pixels into 5×5 local embeddings of 208 channels, for 0.62 of the work
// of resnet12s.
//
// It has 1.4 million parameters in a file of 1.5 MB, 0.7 MB compressed. A program that
// imports this package carries the file; the page, the command and the npm package use the
// same one. README.md in this folder is the network's card: data, recipe, accuracy, licence
// of the data.
package resnet12xs

import (
	_ "embed"

	"github.com/deepemd/deepemd/core/network"
)

// Name is the network's name in the file's metadata.
const Name = network.ResNet12XS

// File is the name under which the network is stored and served.
const File = Name + network.Ending

//go:embed resnet12-xs.safetensors
var file []byte

// Weights returns the network as a safetensors file, which [weights.Decode] reads.
// Every call returns the same bytes: do not change them.
//
// [weights.Decode]: https://pkg.go.dev/github.com/deepemd/deepemd/core/weights#Decode
func Weights() []byte { return file }
