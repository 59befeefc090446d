// Package resnet12s is the default network: a small ResNet-12 that turns a picture
// of 84×84 pixels into 5×5 local embeddings of 320 channels.
//
// It has 3.1 million parameters in a file of 3.2 MB, 1.2 MB compressed. A program that imports this
// package carries the file; the page, the command and the npm package use the same
// one. README.md in this folder is the network's card: data, recipe, accuracy,
// licence of the data.
package resnet12s

import (
	_ "embed"

	"github.com/deepemd/deepemd/core/network"
)

// Name is the network's name in the file's metadata.
const Name = network.ResNet12S

// File is the name under which the network is stored and served.
const File = Name + network.Ending

//go:embed resnet12-s.safetensors
var file []byte

// Weights returns the network as a safetensors file, which [weights.Decode] reads.
// Every call returns the same bytes: do not change them.
//
// [weights.Decode]: https://pkg.go.dev/github.com/deepemd/deepemd/core/weights#Decode
func Weights() []byte { return file }
