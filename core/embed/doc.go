// Package embed turns a picture into its set of local embeddings: the nodes
// that matching later weighs and moves between pictures. Every node keeps the
// region of the picture it came from, so that a match can be drawn.
//
// An Embedder decides which parts of a picture become nodes (DeepEMD, section
// 3.4); the network that computes them is an Encoder. FCN takes every position
// of the final feature map, with coarser pooled levels where a feature pyramid
// is asked for. Grid and Sampling cut the picture up first, regularly or at
// random, and make one node of each crop: the network then sees every part at
// its full input size, for as many passes as there are crops.
//
// Embed does all of this for pictures. To spread the passes over workers, take the
// network's inputs from an Embedder's Crops, and give the feature maps, wherever
// they were computed, to its Set.
package embed
