package actions

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

const (
	// logInterval is the time between two entries of a log, unless something is seen.
	logInterval = 200 * time.Millisecond
	// maxEntries is how many entries are kept, the latest: two hours.
	maxEntries = 36_000
	// StripLasts is how far back the strip chart reaches.
	StripLasts = time.Minute
)

// Log is what the answers were, while it is on.
type Log struct {
	kernel.Part
	subjects func() []Named

	on      bool
	entries []LogEntry
	names   []Named // of the subjects of all entries, the latest names
}

// LogEntry is an answer at a time.
type LogEntry struct {
	At      time.Time
	Subject Subject // the zero Subject for no answer
	Seen    bool    // it was seen from then on
	Scores  []answer.Score
}

// LogState is a log at a time.
type LogState struct {
	On      bool
	Entries int
}

// State returns how far the log is.
func (l *Log) State() LogState {
	l.Lock()
	defer l.Unlock()
	return LogState{l.on, len(l.entries)}
}

// Keep begins the log, or ends it; what is in it stays.
func (l *Log) Keep(on bool) { l.Update(func() { l.on = on }) }

// Clear empties the log.
func (l *Log) Clear() { l.Update(func() { l.entries, l.names = nil, nil }) }

// add takes note of an answer, if it is time for one.
func (l *Log) add(answer kernel.Answer, at time.Time, seen bool) {
	l.Lock()
	due := l.on && (seen || len(l.entries) == 0 || at.Sub(l.entries[len(l.entries)-1].At) >= logInterval)
	l.Unlock()
	if !due {
		return
	}
	subjects := l.subjects()
	l.Update(func() {
		if len(l.entries) >= maxEntries {
			l.entries = slices.Clone(l.entries[maxEntries/10:])
		}
		l.entries = append(l.entries, LogEntry{at, subjectOfAnswer(answer), seen, answer.Scores})
		for _, named := range subjects {
			l.name(named)
		}
	})
}

// name remembers what a subject is called. The lock is held.
func (l *Log) name(named Named) {
	i := slices.IndexFunc(l.names, func(n Named) bool { return n.Subject == named.Subject })
	if i < 0 {
		l.names = append(l.names, named)
	} else {
		l.names[i] = named
	}
}

// Span is a time during which the answer was the same.
type Span struct {
	Named
	From, To time.Time
	Seen     []time.Time // when it was seen, within
}

// Strip returns what the answers were within StripLasts of the latest, in order, and the
// subjects that are among them in the order of the classes. Where no answers came there
// is no span.
func (l *Log) Strip() (spans []Span, rows []Named) {
	defer l.reading()()
	if len(l.entries) == 0 {
		return nil, nil
	}
	from := l.entries[len(l.entries)-1].At.Add(-StripLasts)
	first, _ := slices.BinarySearchFunc(l.entries, from, func(e LogEntry, at time.Time) int { return e.At.Compare(at) })
	for _, e := range l.entries[first:] {
		last := len(spans) - 1
		if last >= 0 && e.At.Sub(spans[last].To) <= answersLapse {
			spans[last].To = e.At // until the next
		}
		if last < 0 || spans[last].Subject != e.Subject || spans[last].To != e.At {
			spans = append(spans, Span{Named: l.called(e.Subject), From: e.At, To: e.At})
			last++
		}
		if e.Seen {
			spans[last].Seen = append(spans[last].Seen, e.At)
		}
	}
	spans = slices.DeleteFunc(spans, func(s Span) bool { return s.Subject == Subject{} })
	for _, named := range l.names {
		if slices.ContainsFunc(spans, func(s Span) bool { return s.Subject == named.Subject }) {
			rows = append(rows, named)
		}
	}
	return spans, rows
}

// reading takes the lock, once the subjects have the names that they have now, and returns
// what gives it back.
func (l *Log) reading() (done func()) {
	subjects := l.subjects()
	l.Lock()
	for _, named := range subjects {
		if slices.ContainsFunc(l.names, func(n Named) bool { return n.Subject == named.Subject }) {
			l.name(named)
		}
	}
	return l.Unlock
}

// called is a subject with its name. The lock is held.
func (l *Log) called(subject Subject) Named {
	for _, n := range l.names {
		if n.Subject == subject {
			return n
		}
	}
	return Named{Subject: subject, Hue: -1}
}

// Total is how long something was the answer.
type Total struct {
	Named
	Lasted time.Duration
	Times  int // how often it was seen
}

// Totals sums up the spans of a strip, the longest first.
func Totals(spans []Span) (totals []Total) {
	for _, s := range spans {
		i := slices.IndexFunc(totals, func(t Total) bool { return t.Subject == s.Subject })
		if i < 0 {
			i = len(totals)
			totals = append(totals, Total{Named: s.Named})
		}
		totals[i].Lasted += s.To.Sub(s.From)
		totals[i].Times += len(s.Seen)
	}
	slices.SortStableFunc(totals, func(a, b Total) int { return cmp.Compare(b.Lasted, a.Lasted) })
	return totals
}

// byteOrderMark is how spreadsheets know UTF-8.
const byteOrderMark = "\ufeff"

// CSV is the log as a table (RFC 4180): a line for each entry with the local time, the
// seconds since the first, the answer, how probable it was, whether it was seen from then
// on, and the probability of each class. Where the language writes numbers with a comma,
// columns are parted by semicolons, as spreadsheets there expect.
func (l *Log) CSV() string {
	words := l.K.Texts()
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
		if p, known := (kernel.Answer{Answer: answer.Answer{Scores: e.Scores}}).Of(id); known {
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
