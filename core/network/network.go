// Package network has the networks that come with deepemd. Programs link only those whose weights they
// use: resnet12-photo for pictures, resnet12-xs for pictures on slow devices, resnet12-sound for
// sounds. resnet12-s is the former default for pictures, for the projects and indexes that it made.
//
// The page, the command and the npm package use the same files. Each folder below this one has a
// file and its model card: data, recipe, accuracy, license of the data.
package network

import _ "embed"

// Names of the networks in their files' metadata.
const (
	ResNet12Photo = "resnet12-photo"
	ResNet12S     = "resnet12-s"
	ResNet12XS    = "resnet12-xs"
	ResNet12Sound = "resnet12-sound"
)

// Names of the networks' files.
const (
	ResNet12PhotoFile = ResNet12Photo + Ending
	ResNet12SFile     = ResNet12S + Ending
	ResNet12XSFile    = ResNet12XS + Ending
	ResNet12SoundFile = ResNet12Sound + Ending
)

// Ending is the extension of a network's file.
const Ending = ".safetensors"

// Each variable is linked only with the function that returns it.
var (
	//go:embed resnet12photo/resnet12-photo.safetensors
	photo []byte
	//go:embed resnet12s/resnet12-s.safetensors
	s []byte
	//go:embed resnet12xs/resnet12-xs.safetensors
	xs []byte
	//go:embed resnet12sound/resnet12-sound.safetensors
	sound []byte
)

// ResNet12PhotoWeights returns the default network: a small ResNet-12 that maps a 112×112 picture to
// 6×6 local embeddings with 320 channels. It is a safetensors file of 3.2 MB (1.1 MB compressed, 3.1
// million parameters) for weights.Decode. Every call returns the same slice, which must not be modified.
func ResNet12PhotoWeights() []byte { return photo }

// ResNet12SWeights is [ResNet12PhotoWeights] for the former default network: a ResNet-12 that maps an
// 84×84 picture to 5×5 local embeddings with 320 channels. The file has 3.2 MB (1.2 MB compressed, 3.1
// million parameters).
func ResNet12SWeights() []byte { return s }

// ResNet12XSWeights is [ResNet12PhotoWeights] for the network for slow devices and connections: a
// ResNet-12 that maps an 84×84 picture to 5×5 local embeddings with 208 channels, with 0.62 of the
// work of resnet12-s. The file has 1.5 MB (0.6 MB compressed, 1.4 million parameters).
func ResNet12XSWeights() []byte { return xs }

// ResNet12SoundWeights is [ResNet12PhotoWeights] for the default network for sounds: a small ResNet-12
// that maps the 80×80 log-mel spectrogram of one second to 5×5 local embeddings with 128 channels, over
// time and frequency. The file has 1.0 MB (0.5 million parameters).
func ResNet12SoundWeights() []byte { return sound }
