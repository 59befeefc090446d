// Package residual is the ResNet of ImageNet in training, with basic blocks or
// bottlenecks: the network of core/backbone with batch statistics and a backward pass, in
// float32.
package residual
