package training

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io"
	"io/fs"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
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

// curve is one line of a diagram.
type curve struct {
	name  string
	value func(r Record) float64 // 0 where the record has none
	color color.Color
}

var (
	blue   = color.RGBA{0x1f, 0x6f, 0xb4, 0xff}
	orange = color.RGBA{0xe0, 0x7b, 0x00, 0xff}
	green  = color.RGBA{0x2a, 0x8a, 0x3e, 0xff}
)

// diagrams are drawn below each other over the same epochs.
var diagrams = []struct {
	axis   string
	curves []curve
	rising bool // the names go to the left
}{
	{"loss", []curve{{"training", func(r Record) float64 { return r.Loss }, blue}}, false},
	{"accuracy, %", []curve{
		{"training", func(r Record) float64 { return 100 * r.Accuracy }, blue},
		{"rotation", func(r Record) float64 { return 100 * r.Rotation }, green},
		{"validation episodes", func(r Record) float64 { return 100 * r.Validation }, orange},
	}, true},
	{"learning rate", []curve{{"rate", func(r Record) float64 { return r.Rate }, blue}}, false},
}

// Curves draws a log as a PNG picture: loss, accuracies and learning rate by epoch.
func drawCurves(w io.Writer, title string, records []Record) error {
	plots := make([][]*plot.Plot, len(diagrams))
	for i, d := range diagrams {
		p := plot.New()
		if i == 0 {
			p.Title.Text = title
		}
		p.X.Label.Text, p.Y.Label.Text = "epoch", d.axis
		p.Add(plotter.NewGrid())
		for _, c := range d.curves {
			points := plotter.XYs{}
			for _, r := range records {
				if v := c.value(r); v != 0 {
					points = append(points, plotter.XY{X: r.Epoch, Y: v})
				}
			}
			if len(points) == 0 {
				continue
			}
			line, err := plotter.NewLine(points)
			if err != nil {
				return fmt.Errorf("the curve of %s: %w", c.name, err)
			}
			line.Color, line.Width = c.color, vg.Points(1.2)
			p.Add(line)
			p.Legend.Add(c.name, line)
		}
		p.Legend.Top, p.Legend.Left = true, d.rising
		plots[i] = []*plot.Plot{p}
	}
	canvas := vgimg.New(vg.Points(640), vg.Points(720))
	tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadTop: 8, PadBottom: 8, PadLeft: 8, PadRight: 16, PadY: 12}
	for i, c := range plot.Align(plots, tiles, draw.New(canvas)) {
		plots[i][0].Draw(c[0])
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}
