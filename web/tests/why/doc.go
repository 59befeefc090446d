// Package why tests the studio's reasons: which part of the picture matched which part of
// an example, how that looks, and what it costs.
package why
