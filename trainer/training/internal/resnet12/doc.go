// Package resnet12 is the ResNet-12 in training: the network of core/backbone with batch
// statistics and a backward pass, in float32 or in mixed precision. It puts together
// the layers of trainer/training/internal.
package resnet12
