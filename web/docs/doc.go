// Package docs makes the site's documentation: guides for those who try, train and
// embed, which lie here in Markdown, the manuals of the project, which lie beside what
// they describe, and the notes of the lessons for teachers to print, which lie in
// web/lessons. The reference of the JavaScript package is made from its types by make docs.
package docs
