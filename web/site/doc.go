// Package site makes the files of the built site that are no programs: the page as it is before
// the studio runs, its style sheets, and the documentation.
package site
