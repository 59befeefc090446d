package session

import (
	"strings"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// byteOrderMark is how spreadsheets know UTF-8.
const byteOrderMark = "\ufeff"

// CSV is the log as a table (RFC 4180): a line for each entry with the local time, the
// seconds since the first, the answer, how probable it was, whether it was seen from then
// on, and the probability of each class. Where the language writes numbers with a comma,
// columns are parted by semicolons, as spreadsheets there expect.
func (l *Log) CSV() string {
	words := l.texts()
	defer l.reading()()
	var text strings.Builder
	text.WriteString(byteOrderMark)
	comma := ","
	if words.Number.Point == comma {
		comma = ";"
	}
	write := func(line []string) {
		for i, cell := range line {
			if i > 0 {
				text.WriteString(comma)
			}
			text.WriteString(quoted(cell, comma))
		}
		text.WriteString("\r\n")
	}
	head := []string{words.Then.CSVTime, words.Then.CSVSeconds, words.Then.CSVAnswer, words.Then.CSVProbability, words.Then.CSVSeen}
	var classes []string
	for _, n := range l.names {
		if id := n.Subject.ClassID; id != "" {
			classes = append(classes, id)
			head = append(head, cell(n.Label))
		}
	}
	write(head)
	for _, e := range l.entries {
		write(l.line(words, e, classes))
	}
	return text.String()
}

// line is an entry of the table. The lock is held.
func (l *Log) line(words *texts.Texts, e LogEntry, classes []string) []string {
	number := func(id string) string {
		if p, known := (Answer{Scores: e.Scores}).Of(id); known {
			return words.Decimal(p, 3)
		}
		return ""
	}
	seen := "0"
	if e.Seen {
		seen = "1"
	}
	line := []string{
		e.At.Format("2006-01-02 15:04:05.000"), words.Decimal(e.At.Sub(l.entries[0].At).Seconds(), 1),
		cell(l.called(e.Subject).Label), number(e.Subject.ClassID), seen,
	}
	for _, id := range classes {
		line = append(line, number(id))
	}
	return line
}

// quoted is a cell as it stands in a table whose columns a comma parts.
func quoted(text, comma string) string {
	if !strings.ContainsAny(text, comma+"\"\r\n") {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// cell is a text that no spreadsheet takes for a formula.
func cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
