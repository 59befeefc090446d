// Package site generates the static files of the site: the page before the studio runs, its
// style sheets, and the documentation.
package site
