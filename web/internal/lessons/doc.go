// Package lessons lists the lessons of the studio and the drawn characters that come with
// it. What a lesson says is among the words of the page (internal/texts); the notes for
// teachers lie here, a Markdown file for each lesson and language, and web/site makes
// pages to print of them.
package lessons
