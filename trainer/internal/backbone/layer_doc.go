// Package layer holds the layers of training: each computes its output and, from
// the gradient of a loss with respect to that, the gradients of its weights and
// of its input.
//
// Layers work on the maps of internal/nn, whose channels are innermost and padded
// with zeros, and leave what passes between them (which maps to keep, what to
// add up) to the network that they are part of. Sums over pixels are taken in
// an order that does not depend on the number of threads.
package backbone
