// Package network is the room of the networks that come with the project, each a
// package that embeds its weights: [resnet12s] for pictures, [resnet12sound] for
// sounds. They are the only copies; a program links those that it imports. The
// package itself is empty but for its tests.
//
// [resnet12s]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12s
// [resnet12sound]: https://pkg.go.dev/github.com/deepemd/deepemd/core/network/resnet12sound
package network
