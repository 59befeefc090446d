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

// Record is one line of a run's log. Figures that were not taken are left out.
type Record struct {
	Step      int     `json:"step"`
	Epoch     float64 `json:"epoch"`
	Seconds   float64 `json:"seconds"` // spent in training, over all sessions of the run
	Size      int     `json:"size,omitempty"`
	Rate      float64 `json:"rate,omitempty"`
	Loss      float64 `json:"loss,omitempty"`
	Accuracy  float64 `json:"accuracy,omitempty"`
	Rotation  float64 `json:"rotation,omitempty"` // accuracy of the auxiliary task
	Cosine    float64 `json:"cosine,omitempty"`   // of the maps with a teacher's
	Gradient  float64 `json:"gradient,omitempty"` // norm, before clipping
	PerSecond float64 `json:"perSecond,omitempty"`
	// Validation is the accuracy over validation episodes, Interval half the
	// width of its 95% confidence interval.
	Validation float64 `json:"validation,omitempty"`
	Interval   float64 `json:"interval95,omitempty"`
	// Skipped is a picture that could not be read for a Reason, and is passed over.
	Skipped string `json:"skipped,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// Log is a run's log: a JSON object a line. What cannot be written is kept, and
// written with what comes next.
type runLog struct {
	file    logFile
	size    int64  // of the lines that are in the file, whole
	pending []byte // lines that are not
	records []Record
}

// logFile is where the lines go.
type logFile interface {
	io.WriterAt
	io.Closer
}

// OpenLog opens the log at path for appending, and drops what it holds of steps
// after the given one: a run that continues from there takes them again. The lines
// that stay are not written again.
func openLog(path string, step int) (*runLog, error) {
	records, ends, err := readLog(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l := &runLog{}
	for i, r := range records {
		if r.Step > step {
			break
		}
		l.records, l.size = append(l.records, r), ends[i]
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(l.size); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	l.file = file
	return l, nil
}

// Add appends a record. With an error it is still one of the records, and is
// written by the next Add or Flush that succeeds.
func (l *runLog) Add(r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	l.records = append(l.records, r)
	l.pending = append(append(l.pending, line...), '\n')
	return l.Flush()
}

// Flush writes what could not be written before.
func (l *runLog) Flush() error {
	if len(l.pending) == 0 {
		return nil
	}
	// A line that was written in part is written over.
	if _, err := l.file.WriteAt(l.pending, l.size); err != nil {
		return err
	}
	l.size += int64(len(l.pending))
	l.pending = l.pending[:0]
	return nil
}

// Records are all records so far, those of earlier sessions included.
func (l *runLog) Records() []Record { return l.records }

// Close writes what is left and closes the file.
func (l *runLog) Close() error { return errors.Join(l.Flush(), l.file.Close()) }

// readLog returns the records, and where each one's line ends. A last line that was cut off is
// left out.
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
		if err != nil { // what cannot be read now must not be cut off
			return nil, nil, err
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, nil, fmt.Errorf("%s: line %d is no record: %w", path, number, err)
		}
		end += int64(len(line))
		records, ends = append(records, r), append(ends, end)
	}
}

// diagrams are the charts of a log over the epochs. A record without a figure has 0.
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

// drawCurves draws the loss, the accuracies and the learning rate of a log as SVG.
func drawCurves(w io.Writer, title string, records []Record) error {
	var charts []chart.Chart
	for _, d := range diagrams {
		c := chart.Chart{Title: title, X: "epoch", Y: d.axis, LegendLeft: d.rising}
		title = "" // of the first one
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
