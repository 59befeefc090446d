// Package nn holds the layers of inference, one a file: 3×3 convolutions (direct
// and Winograd), the 1×1 convolution of a shortcut, max-pooling, and the folding
// of batch normalisation into the weights before it.
//
// Layers work on [Map], a batch of feature maps with the channels innermost and
// a border of zeros, so that a convolution reads its input in place. What layers
// there are and how they follow each other is the business of package resnet.
package nn
