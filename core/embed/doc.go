// Package embed turns a picture into its set of local embeddings: the nodes
// that matching later weighs and moves between pictures. Every node keeps the
// region of the picture it came from, so that a match can be drawn.
//
// An embedder decides which parts of a picture become nodes (DeepEMD, section
// 3.4); the network that computes them is an Encoder. FCN takes every position
// of the final feature map, with coarser pooled levels where a feature pyramid
// is asked for.
package embed
