package actions

import (
	"cmp"
	"encoding/csv"
	"slices"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

const (
	// logInterval is the minimum time between entries, unless something is seen.
	logInterval = 200 * time.Millisecond
	// maxEntries is the maximum number of entries, about two hours.
	maxEntries = 36_000
	// StripLasts is the time span of the strip chart.
	StripLasts = time.Minute
)

// Log records answers while it is on.
type Log struct {
	kernel.Part
	subjects func() []Named

	on      bool
	entries []LogEntry
	names   []Named // of all subjects in entries, with their latest names
}

// LogEntry is an answer and its time.
type LogEntry struct {
	At      time.Time
	Subject Subject // zero without an answer
	Seen    bool    // it was seen at this time
	Scores  []answer.Score
}

// LogState describes a log.
type LogState struct {
	On      bool
	Entries int
}

// State returns the state of the log.
func (l *Log) State() LogState {
	l.Lock()
	defer l.Unlock()
	return LogState{l.on, len(l.entries)}
}

// Keep starts or stops the log. Entries stay.
func (l *Log) Keep(on bool) { l.Update(func() { l.on = on }) }

// Clear empties the log.
func (l *Log) Clear() { l.Update(func() { l.entries, l.names = nil, nil }) }

// add records an answer if the interval is over.
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

// name records the name of a subject. The lock is held.
func (l *Log) name(named Named) {
	i := slices.IndexFunc(l.names, func(n Named) bool { return n.Subject == named.Subject })
	if i < 0 {
		l.names = append(l.names, named)
	} else {
		l.names[i] = named
	}
}

// Span is a period with the same answer.
type Span struct {
	Named
	From, To time.Time
	Seen     []time.Time // times at which it was seen
}

// Strip returns the answers of the last StripLasts before the latest, in order, and their subjects
// in the order of the classes. There is no span without answers.
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
			spans[last].To = e.At
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

// reading updates the names of subjects, takes the lock, and returns the function that releases it.
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

// called returns a subject with its name. The lock is held.
func (l *Log) called(subject Subject) Named {
	for _, n := range l.names {
		if n.Subject == subject {
			return n
		}
	}
	return Named{Subject: subject, Hue: -1}
}

// Total is the total time of an answer.
type Total struct {
	Named
	Lasted time.Duration
	Times  int // number of sightings
}

// Totals sums up the spans of a strip, longest first.
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

// CSV returns the log as a table (RFC 4180), with a line per entry: the local time, the seconds since
// the first entry, the answer, its probability, whether it was seen, and the probability of each
// class. In languages with decimal commas, semicolons separate the columns, as spreadsheets expect.
func (l *Log) CSV() string {
	words := l.K.Texts()
	t := &words.Then
	defer l.reading()()
	var text strings.Builder
	table := csv.NewWriter(&text)
	table.UseCRLF = true
	if words.Number.Point == "," {
		table.Comma = ';'
	}
	head := []string{t.ColumnTime, t.ColumnSeconds, t.ColumnAnswer, t.ColumnProbability, t.ColumnSeen}
	var classes []string
	for _, n := range l.names {
		if id := n.Subject.ClassID; id != "" {
			classes = append(classes, id)
			head = append(head, cell(n.Label))
		}
	}
	_ = table.Write(head) // a strings.Builder returns no errors
	for _, e := range l.entries {
		_ = table.Write(l.line(words, e, classes))
	}
	table.Flush()
	return text.String()
}

// line returns an entry of the table. The lock is held.
func (l *Log) line(words *texts.Texts, e LogEntry, classes []string) []string {
	probabilities := kernel.Answer{Scores: e.Scores}.Probabilities()
	number := func(id string) string {
		if p, known := probabilities[id]; known {
			return words.Decimal(p, 3)
		}
		return ""
	}
	seen := "0"
	if e.Seen {
		seen = "1"
	}
	line := []string{
		browser.Local(e.At).Format("2006-01-02 15:04:05" + words.Number.Point + "000"), words.Decimal(e.At.Sub(l.entries[0].At).Seconds(), 1),
		cell(l.called(e.Subject).Label), number(e.Subject.ClassID), seen,
	}
	for _, id := range classes {
		line = append(line, number(id))
	}
	return line
}

// cell escapes a text that a spreadsheet would read as a formula.
func cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
