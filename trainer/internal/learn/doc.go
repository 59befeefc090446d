// Package meta teaches a backbone by episodes: few-shot tasks of the training classes,
// scored by DeepEMD itself, whose gradient goes through the optimal flow (DeepEMD,
// sections 3.3 and 4.2).
//
// Here are the episodes of a run, the nodes that each embedder makes of feature maps,
// with their gradients, and the loss of an episode. The score of one pair with its
// gradient is internal/emdlayer, the differentiable transport problem is
// package solver, the run itself package training.
package learn
