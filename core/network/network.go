// Package network is the room of the networks that come with deepemd, each a
// package that embeds its weights: [resnet12s] for pictures, [resnet12xs] for
// pictures on slow devices, [resnet12sound] for sounds. There is no other copy of
// them, and a program links only those that it imports. The package itself holds
// their names.
//
// [resnet12s]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12s
// [resnet12xs]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12xs
// [resnet12sound]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12sound
package network

// The networks' names, as their files say them: for programs that name a network without
// carrying it.
const (
	ResNet12S     = "resnet12-s"
	ResNet12XS    = "resnet12-xs"
	ResNet12Sound = "resnet12-sound"
)

// Ending is what the name of a network's file has behind the network's.
const Ending = ".safetensors"
