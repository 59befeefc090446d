package verb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/deepemd/deepemd/trainer/evaluate"
)

// ProgressOn returns the function that runs work and shows its progress on w; see [Bar].
func ProgressOn(w io.Writer) evaluate.Show {
	return func(what string, work func(evaluate.Progress) error) error {
		bar := NewBar(w, what+":")
		defer bar.Done()
		var p TimeEstimate
		return work(func(done, total int) { bar.Set(done, total, p.Text(time.Now(), done, total)) })
	}
}

// Each calls work for the numbers from 0 to n-1, and shows the progress on w. Lines that work writes to above
// do not disturb it. Each ends with the first error.
func Each(w io.Writer, what string, n int, work func(above io.Writer, i int) error) error {
	bar := NewBar(w, what+":")
	defer bar.Done()
	var estimate TimeEstimate
	for i := range n {
		bar.Set(i, n, estimate.Text(time.Now(), i, n))
		if err := work(bar.Above(w), i); err != nil {
			return err
		}
	}
	return nil
}

// Print writes a result as indented JSON, or by the function print, for people.
func Print(w io.Writer, asJSON bool, result any, print func(io.Writer)) error {
	if asJSON {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(result)
	}
	var text bytes.Buffer
	print(&text)
	_, err := text.WriteTo(w)
	return err
}

// Table aligns the cells of lines, which end with tabs, by their width on a terminal.
type Table struct {
	strings.Builder
	w io.Writer
}

// NewTable returns a table that Flush writes to w.
func NewTable(w io.Writer) *Table { return &Table{w: w} }

// Flush writes the table.
func (t *Table) Flush() error {
	var lines [][]string
	widths := map[int]int{}
	for line := range strings.Lines(t.String()) {
		cells := strings.Split(line, "\t")
		for c, cell := range cells[:len(cells)-1] {
			widths[c] = max(widths[c], runewidth.StringWidth(cell)+2)
		}
		lines = append(lines, cells)
	}
	var out strings.Builder
	for _, cells := range lines {
		last := len(cells) - 1
		for c, cell := range cells[:last] {
			out.WriteString(runewidth.FillRight(cell, widths[c]))
		}
		out.WriteString(cells[last])
	}
	_, err := io.WriteString(t.w, out.String())
	return err
}

// Milliseconds returns a duration in milliseconds, to three decimal places.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// TimeEstimate estimates the remaining time from the speed since the first call. The work of an earlier run
// does not count.
type TimeEstimate struct {
	began time.Time
	first int
}

// Text returns the remaining time as text, or nothing if it is unknown or zero.
func (p *TimeEstimate) Text(now time.Time, done, total int) string {
	if p.began.IsZero() || done < p.first {
		p.began, p.first = now, done
	}
	if done == p.first || done == total {
		return ""
	}
	each := now.Sub(p.began).Seconds() / float64(done-p.first)
	left := time.Duration(each * float64(total-done) * float64(time.Second))
	unit := time.Second
	if left > time.Minute {
		unit = 10 * time.Second
	}
	return fmt.Sprintf(", %v left", left.Round(unit))
}
