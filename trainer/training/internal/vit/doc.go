// Package vit is the vision transformer in training: the network of core/backbone with a
// backward pass, in float32, with a class token, registers and LayerScale or without. What
// of these a file has, stays; what it lacks, does not come.
package vit
