// Package core is the room of everything that inference needs; it holds no code
// itself. A Go program that recognises pictures begins with the learner, and
// reaches for the packages below it when it wants a part of its own.
//
// How things are recognised, from the pixels to the answer:
//
//   - learner: what learns and answers, from pictures or from features of one's own;
//     keep, below it, saves and opens projects
//   - method: how things are recognised, in one value, and every default
//   - answer: the plain data of answers, such as why two pictures match
//   - parts: makes what a method names
//   - imaging: pictures from bytes, cropped, scaled and normalised
//   - sound, hearing: recordings, and the pictures that spectrograms make of them
//   - quality: pictures that are too dark, blurred or copies of each other
//   - tensor: arrays of float32
//   - kernel: the inner loops, once for each instruction set
//   - nn: the layers of a network
//   - backbone: the network that a file of weights holds
//   - weights: files of trained weights
//   - network: the networks that come with deepemd
//   - embed: pictures as sets of local embeddings
//   - match: the Earth Mover's Distance between two such sets
//   - foreign: classes of pictures in projects of other programs, and in folders
//   - fewshot: classifiers that learn from a few examples
//   - openset: pictures of none of the classes
//   - gallery: pictures found among many, in memory or in an index
//   - project: the file of classes and examples
//   - version: the version of all this
//
// # Where it runs
//
// Nothing here asks an operating system or JavaScript for anything, and no
// goroutine outlives the call that started it. Every package builds for every
// GOOS and GOARCH. It may import package solver, and nothing else of this module.
//
// # How fast it runs
//
// Build with GOEXPERIMENT=simd. Without it Go leaves out simd/archsimd, in which
// the transforms of convolutions and the ends of layers are written; generic Go
// takes their place. The answers are the same, but on amd64 a picture's pass
// through the full-width network takes four times as long: 139 ms instead of 33 ms
// with AVX-512, 142 ms instead of 38 ms with AVX2 (RESULTS.md has the command).
// Natively, processors other than amd64 and arm64 run generic Go in any case.
package core
