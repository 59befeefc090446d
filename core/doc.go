// Package core holds the packages that inference needs, and the project's version. A Go
// program that recognizes images begins with the learner, and uses the other packages to
// replace a part.
//
// How things are recognized, from the pixels to the answer:
//
//   - learner: learns and answers, from images or from precomputed features
//   - method: how things are recognized, in one value, and every default
//   - answer: the plain data of answers, such as why two pictures match
//   - imaging: decodes, crops, scales and normalizes images; detects dark, bright, blurred
//     and duplicate ones
//   - sound: recordings and their spectrograms
//   - weights: files of trained weights
//   - network: the networks that come with deepemd
//   - embed: pictures as sets of local embeddings
//   - match: the Earth Mover's Distance between two such sets
//   - fewshot: classifiers that learn from a few examples; its package baseline has the methods that
//     DeepEMD is compared with
//   - openset: pictures of none of the classes
//   - gallery: pictures found among many, in memory or in an index
//   - project: the file of classes and examples; its package archive saves and opens learners
//
// # Where it runs
//
// Nothing here asks an operating system or JavaScript for anything, and no
// goroutine outlives the call that started it. Every package builds for every
// GOOS and GOARCH. It may import package solver, and the packages of internal that networks
// are made of.
//
// # How fast it runs
//
// Build with GOEXPERIMENT=simd. Without it Go leaves out simd/archsimd, in which
// the transforms of convolutions and the ends of layers are written; generic Go
// takes their place. The answers are the same, but on amd64 a picture's pass
// through the full-width network takes four times as long: 139 ms instead of 33 ms
// with AVX-512, 142 ms instead of 38 ms with AVX2 (docs/results/speed.md has the command).
// Natively, processors other than amd64 and arm64 run generic Go in any case.
package core

// Version is the semantic version of this source (https://semver.org), without the prefix v
// of Go's tags. The command, the
// engine, the JavaScript package and the files that they write have it. A test in
// tools/internal/release compares it with package.json and the change log.
const Version = "0.1.0"
