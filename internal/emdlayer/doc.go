// Package emdlayer is the score of package match with its gradient, for training:
// cosine costs between centred nodes, cross-reference weights, the optimal flow of a
// differentiable transport layer, and the similarity that the flow collects (DeepEMD,
// sections 3.2 to 3.4). It computes in float64 and holds what the derivative needs.
//
// Formulas and constants are those of package match; the transport layers are in
// package solver, episodes and losses in trainer/internal/learn.
package emdlayer
