// Package share tests shared pages and iframes, actions on an answer, and that the studio, shared
// pages, Node and the command agree.
package share
