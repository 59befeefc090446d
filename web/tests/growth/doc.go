// Package growth tests, in a browser, the picture of how recognition grew with the examples.
package growth
