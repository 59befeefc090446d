// Package docs makes the site's documentation from Markdown: the guides in this folder,
// the manuals of the project, which are in the folders that they describe, and the printable
// notes for teachers in web/lessons. TypeDoc makes the reference of the JavaScript package
// from its types (make docs).
package docs
