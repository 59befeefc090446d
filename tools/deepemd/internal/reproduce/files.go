package reproduce

import (
	"encoding/csv"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// csv writes a table for programs: a line for each cell, with all settings.
func (r *Report) csv(w io.Writer, t *Table) error {
	out := csv.NewWriter(w)
	if t.Layer {
		return r.layerCSV(out)
	}
	if t.Finds {
		return r.foundCSV(out)
	}
	_ = out.Write([]string{ // an error stays until Flush
		"table", "row", "method", "way", "shot", "accuracy", "interval95", "paper", "paper_interval95", "paper_data", "paper_source",
		"ms_per_query", "ms_to_learn", "timed_alone", "episodes", "queries", "pictures_a_class", "seed", "data", "split", "part",
		"network", "weights_sha256", "embedder", "classifier", "weighting", "solver", "date",
	})
	for _, row := range t.Rows {
		for _, c := range t.Columns {
			fields := []string{t.Name, row.Key, row.Label, strconv.Itoa(c.Way), strconv.Itoa(c.Shot)}
			o := r.Lab.Outcome(Cell{t, row, c})
			if o == nil {
				fields = append(fields, "", "")
			} else {
				mean, half := o.Accuracy()
				fields = append(fields, fmt.Sprintf("%.6f", mean), fmt.Sprintf("%.6f", half))
			}
			if f := r.figure(t, row, c); f == nil {
				fields = append(fields, "", "", "", "")
			} else {
				interval := ""
				if f.Interval > 0 {
					interval = fmt.Sprintf("%.4f", f.Interval/100)
				}
				fields = append(fields, fmt.Sprintf("%.4f", f.Value/100), interval, f.Data, f.Source())
			}
			if o == nil {
				fields = append(fields, make([]string, 17)...)
			} else {
				s := o.Setting
				fields = append(fields,
					fmt.Sprintf("%.5f", o.QueryMS), fmt.Sprintf("%.4f", o.LearnMS), strconv.FormatBool(o.Alone), strconv.Itoa(s.Episodes), strconv.Itoa(s.Query),
					strconv.Itoa(s.Pictures), strconv.FormatUint(s.Seed, 10), o.Data, o.Split, o.Part, o.Network, o.SHA256,
					describe(s.Method.Embedder), s.Method.Classifier, o.Weighting, s.Method.Solver, o.Date)
			}
			_ = out.Write(fields)
		}
	}
	out.Flush()
	return out.Error()
}

// layerCSV writes the times of the layer.
func (r *Report) layerCSV(out *csv.Writer) error {
	_ = out.Write([]string{"solver", "side", "channels", "pairs", "forward_ms", "backward_ms", "paper_ms", "paper_source", "date"})
	for _, layer := range timedLayers {
		for _, side := range timedSides {
			for _, channels := range timedChannels {
				fields := []string{layer.key, strconv.Itoa(side), strconv.Itoa(channels), strconv.Itoa(timedPairs), "", "", "", "", ""}
				if t := r.Lab.Store.Timing(layer.key, side, channels); t != nil {
					fields[4], fields[8] = fmt.Sprintf("%.4f", t.ForwardMS), t.Date
					if t.BackwardMS > 0 {
						fields[5] = fmt.Sprintf("%.4f", t.BackwardMS)
					}
				}
				if p := r.Paper.FindTime(layer.key, side); p != nil {
					fields[6], fields[7] = fmt.Sprint(p.Milliseconds), fmt.Sprintf("DeepEMD, journal version, table 6, C = %d", p.Channels)
				}
				_ = out.Write(fields)
			}
		}
	}
	out.Flush()
	return out.Error()
}

// hues tell lines apart also where colours look alike (Okabe and Ito, 2002).
var hues = []color.RGBA{
	{0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0x56, 0xb4, 0xe9, 0xff}, {0x55, 0x55, 0x55, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x8c, 0x56, 0x4b, 0xff},
}

// points are the accuracies of a row, with their intervals.
type points struct {
	plotter.XYs
	plotter.YErrors
}

// aside is the factor between the places of neighbouring rows on the axis of shots,
// so that their intervals do not hide each other.
const aside = 1.018

// everyFive are the marks of an axis of percents.
func everyFive(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := 5 * math.Ceil(low/5); v <= high; v += 5 {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v)})
	}
	return ticks
}

// draw draws the accuracies of a table by shots as a PNG picture.
func (r *Report) draw(w io.Writer, t *Table) error {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "examples of each class", "accuracy, %"
	for _, style := range []*text.Style{&p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant, style.Font.Size = "Sans", 10
	}
	p.X.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(everyFive)
	p.Add(plotter.NewGrid())
	var ticks []plot.Tick
	for _, c := range t.Columns {
		ticks = append(ticks, plot.Tick{Value: float64(c.Shot), Label: fmt.Sprint(c.Shot)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	for i, row := range t.Rows {
		var of points
		for _, c := range t.Columns {
			if o := r.Lab.Outcome(Cell{t, row, c}); o != nil {
				mean, half := o.Accuracy()
				of.XYs = append(of.XYs, plotter.XY{X: float64(c.Shot) * math.Pow(aside, float64(i)-float64(len(t.Rows)-1)/2), Y: 100 * mean})
				of.YErrors = append(of.YErrors, struct{ Low, High float64 }{100 * half, 100 * half})
			}
		}
		if len(of.XYs) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(of.XYs)
		if err != nil {
			return fmt.Errorf("the line of %s: %w", row.Label, err)
		}
		bars, err := plotter.NewYErrorBars(of)
		if err != nil {
			return fmt.Errorf("the intervals of %s: %w", row.Label, err)
		}
		hue := hues[i%len(hues)]
		line.Color, line.Width = hue, vg.Points(1.2)
		if i == 0 {
			line.Width = vg.Points(2.4)
		}
		dots.Color, dots.Shape, dots.Radius = hue, draw.CircleGlyph{}, vg.Points(2.2)
		bars.Color, bars.LineStyle.Width, bars.CapWidth = hue, vg.Points(0.7), vg.Points(3)
		p.Add(line, dots, bars)
		p.Legend.Add(row.Label, line, dots)
	}
	p.X.Min, p.X.Max = float64(t.Columns[0].Shot)/1.1, float64(t.Columns[len(t.Columns)-1].Shot)*1.1 // also where nothing is measured
	p.Legend.Padding = vg.Points(1.5)
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Points(640), vg.Points(440)), vgimg.UseDPI(144))
	p.Draw(draw.Crop(draw.New(canvas), 10, -14, 8, -10))
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}
