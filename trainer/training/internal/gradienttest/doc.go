// Package gradienttest holds the gradients of a network's weights to the slope of a loss,
// for the tests of what is trained.
package gradienttest
