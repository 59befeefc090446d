// Package network names the networks that come with deepemd. Each is a package that embeds its
// weights, so that a program links only the networks that it imports: [resnet12photo] for pictures,
// [resnet12xs] for pictures on slow devices, [resnet12sound] for sounds. [resnet12s] is the former
// default for pictures, for the projects and indexes that it made.
//
// [resnet12photo]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12photo
// [resnet12xs]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12xs
// [resnet12sound]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12sound
// [resnet12s]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12s
package network

// Names of the networks in their files' metadata, for programs that do not link the weights.
const (
	ResNet12Photo = "resnet12-photo"
	ResNet12S     = "resnet12-s"
	ResNet12XS    = "resnet12-xs"
	ResNet12Sound = "resnet12-sound"
)

// Ending is the extension of a network's file.
const Ending = ".safetensors"
