// Package docs makes the site's documentation: guides for those who try, train and
// embed, which lie here in Markdown, and the manuals of the project, which lie beside
// what they describe. The reference of the JavaScript package is made of its types, by
// tools/docs.
package docs
