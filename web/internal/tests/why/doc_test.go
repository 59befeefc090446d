// Package why tests the studio's reasons: the matching parts of the image and of an
// example, the examples that hurt, and the growth of accuracy.
package why
