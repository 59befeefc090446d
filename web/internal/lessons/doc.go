// Package lessons has the studio's lessons, their drawn characters, and the notes for teachers: one
// Markdown file per lesson and language, which web/site converts to printable pages. The other
// texts of lessons are in internal/languages.
package lessons
