package training

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

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
func Curves(w io.Writer, title string, records []Record) error {
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
