// Package conformance compares this implementation with the published one:
// activations, node weights, similarities, logits from image files on, and
// optima of transport problems, against the golden data that the published
// code computed.
//
// The data lie outside of the code, in a folder with the sub-folders reference
// and datasets. The command `deepemd conformance` and the package's tests run
// the same suites.
package conformance
