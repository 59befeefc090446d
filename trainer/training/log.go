package training

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/deepemd/deepemd/internal/chart"
)

// Record is one line of a run's log. Absent figures are zero.
type Record struct {
	Step      int     `json:"step"`
	Epoch     float64 `json:"epoch"`
	Seconds   float64 `json:"seconds"` // of training, summed over all sessions
	Size      int     `json:"size,omitempty"`
	Rate      float64 `json:"rate,omitempty"`
	Loss      float64 `json:"loss,omitempty"`
	Accuracy  float64 `json:"accuracy,omitempty"`
	Rotation  float64 `json:"rotation,omitempty"` // accuracy of the auxiliary task
	Cosine    float64 `json:"cosine,omitempty"`   // of the student's and the teacher's maps
	Gradient  float64 `json:"gradient,omitempty"` // norm, before clipping
	PerSecond float64 `json:"perSecond,omitempty"`
	// Validation is the accuracy over validation episodes, and Interval half the width of its 95%
	// confidence interval.
	Validation float64 `json:"validation,omitempty"`
	Interval   float64 `json:"interval95,omitempty"`
	// Skipped is an unreadable image that was replaced, and Reason its error.
	Skipped string `json:"skipped,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// runLog is a run's log: a JSON object per line. It keeps lines that cannot be written, and writes
// them with the next line.
type runLog struct {
	file    logFile
	size    int64    // of the complete lines in the file
	pending []byte   // lines that are not in the file yet
	records []Record // of all sessions
}

type logFile interface {
	io.WriterAt
	io.Closer
}

// openLog opens the log at path for appending. It drops the records after the given step, and
// validations after the finished epochs, because a run that continues from there writes them again.
func openLog(path string, step, epochs int) (*runLog, error) {
	records, ends, err := readLog(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l := &runLog{}
	for i, r := range records {
		if r.Step > step || r.Validation > 0 && r.Epoch > float64(epochs) {
			break
		}
		l.records, l.size = append(l.records, r), ends[i]
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(l.size); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	l.file = file
	return l, nil
}

// Add appends a record. After an error, the next successful Add or Flush writes it.
func (l *runLog) Add(r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	l.records = append(l.records, r)
	l.pending = append(append(l.pending, line...), '\n')
	return l.Flush()
}

// Flush writes the pending lines.
func (l *runLog) Flush() error {
	if len(l.pending) == 0 {
		return nil
	}
	// A partly written line is overwritten.
	if _, err := l.file.WriteAt(l.pending, l.size); err != nil {
		return err
	}
	l.size += int64(len(l.pending))
	l.pending = l.pending[:0]
	return nil
}

func (l *runLog) Close() error { return errors.Join(l.Flush(), l.file.Close()) }

// readLog returns the records and the offset of the end of each line. It ignores an incomplete last
// line.
func readLog(path string) (records []Record, ends []int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	lines, end := bufio.NewReader(file), int64(0)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return records, ends, nil
		}
		if err != nil { // an unreadable rest must not be truncated
			return nil, nil, err
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, nil, fmt.Errorf("%s: line %d is not a record: %w", path, number, err)
		}
		end += int64(len(line))
		records, ends = append(records, r), append(ends, end)
	}
}

// diagrams are the charts of a log over the epochs. Records have 0 for absent figures.
var diagrams = []struct {
	axis   string
	rising bool // the legend goes to the left
	curves []curve
}{
	{"loss", false, []curve{{"training", blue, func(r Record) float64 { return r.Loss }}}},
	{"accuracy, %", true, []curve{
		{"training", blue, func(r Record) float64 { return 100 * r.Accuracy }},
		{"rotation", green, func(r Record) float64 { return 100 * r.Rotation }},
		{"validation episodes", orange, func(r Record) float64 { return 100 * r.Validation }},
	}},
	{"learning rate", false, []curve{{"rate", blue, func(r Record) float64 { return r.Rate }}}},
}

type curve struct {
	name, color string
	value       func(r Record) float64
}

const blue, orange, green = "#1f6fb4", "#e07b00", "#2a8a3e"

// drawCurves draws the loss, the accuracies and the learning rate as SVG.
func drawCurves(w io.Writer, title string, records []Record) error {
	var charts []chart.Chart
	for _, d := range diagrams {
		c := chart.Chart{Title: title, X: "epoch", Y: d.axis, LegendLeft: d.rising}
		title = "" // only the first chart has it
		for _, curve := range d.curves {
			line := chart.Line{Name: curve.name, Color: curve.color, Width: 1.5}
			for _, r := range records {
				if v := curve.value(r); v != 0 {
					line.Points = append(line.Points, chart.Point{X: r.Epoch, Y: v})
				}
			}
			if line.Points != nil {
				c.Lines = append(c.Lines, line)
			}
		}
		charts = append(charts, c)
	}
	return chart.Write(w, 800, 300, charts...)
}
