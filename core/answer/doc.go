// Package answer declares the plain data of answers: scores and verdict of a picture, the
// explanation of a match, the review of examples, the learning curve and the gain of
// training. Engine, studio, command and Go programs share these types. What a page sees of
// them (wasm/npm/protocol.d.ts) is generated: a field is called there as here, in lower camel
// case, or as its tag wire says. The package computes nothing but geometry and counts, and
// imports nothing of this module.
package answer
