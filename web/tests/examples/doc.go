// Package examples opens each of the example pages, under the server's policy, and does
// there what a person does.
package examples
