// Package conformance tests this implementation against values recorded from the authors' code:
// activations, node weights, similarities, and the logits of whole episodes, starting from image
// files. The recorded values are not part of the project: see internal/golden.
//
// The tests compare a few episodes of each setting. With DEEPEMD_FULL=1 they compare all of them,
// which takes minutes (make conformance).
package conformance
