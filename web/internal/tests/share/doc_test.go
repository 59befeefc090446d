// Package share tests the ways out of the studio: shared pages and iframes, actions on an
// answer, and that the studio, shared pages, Node and the command answer alike.
package share
