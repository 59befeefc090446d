// Package why tests the studio's explanations: matching parts of the image and of an example,
// mislabeled examples, and the growth of accuracy.
package why
