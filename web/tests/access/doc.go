// Package access tests the studio reached in every way: with keys and screen
// readers, on a phone, in several languages, by a guide, and in browsers that lack things.
package access
