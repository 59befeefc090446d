// Package chart draws line charts as SVG.
package chart

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
)

// Chart is a line chart.
type Chart struct {
	Title string // optional
	X, Y  string // labels of the axes
	// Ticks are the labeled values of a logarithmic x axis. If there are none, the axis is linear, and
	// round values are labeled.
	Ticks      []float64
	Lines      []Line
	LegendLeft bool // at the top left instead of the top right
}

// Line is a line of a chart.
type Line struct {
	Name   string
	Color  string  // CSS color
	Width  float64 // in pixels
	Dots   bool    // mark the points
	Points []Point
}

// Point is a point of a line.
type Point struct {
	X, Y float64
	Half float64 // half the height of the error bar; 0 draws no bar
}

// The margins around the plotted area, in pixels.
const (
	left, right, bottom = 62, 16, 44
	top, titled         = 12, 30 // without and with a title
)

// Write writes charts of width×height pixels each, one below the other. It returns the errors of w.
func Write(w io.Writer, width, height float64, charts ...Chart) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" font-family="sans-serif" font-size="12">`+"\n", width, height*float64(len(charts)))
	fmt.Fprintln(out, `<rect width="100%" height="100%" fill="white"/>`)
	for i, c := range charts {
		fmt.Fprintf(out, `<g transform="translate(0 %g)">`+"\n", height*float64(i))
		c.draw(out, width, height)
		fmt.Fprintln(out, "</g>")
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

func (c *Chart) draw(w io.Writer, width, height float64) {
	x, y := axis{from: left, to: width - right, log: c.Ticks != nil}, axis{from: height - bottom, to: top}
	if c.Title != "" {
		y.to = titled
		text(w, width/2, 18, "middle", `font-size="14"`, c.Title)
	}
	for _, v := range c.Ticks {
		x.include(v)
	}
	for _, l := range c.Lines {
		for _, p := range l.Points {
			x.include(p.X)
			y.include(p.Y - p.Half)
			y.include(p.Y + p.Half)
		}
	}
	ticks := c.Ticks
	if ticks == nil {
		ticks = x.round(8)
	}
	for _, v := range ticks {
		at := x.at(v)
		fmt.Fprintf(w, `<path d="M%.1f %gV%g" stroke="#ddd"/>`+"\n", at, y.from, y.to)
		text(w, at, y.from+16, "middle", "", fmt.Sprintf("%.6g", v))
	}
	for _, v := range y.round(6) {
		at := y.at(v)
		fmt.Fprintf(w, `<path d="M%g %.1fH%g" stroke="#ddd"/>`+"\n", x.from, at, x.to)
		text(w, x.from-6, at+4, "end", "", fmt.Sprintf("%.6g", v))
	}
	text(w, (x.from+x.to)/2, height-8, "middle", "", c.X)
	text(w, 0, 0, "middle", fmt.Sprintf(`transform="translate(14 %g) rotate(-90)"`, (y.from+y.to)/2), c.Y)
	for _, l := range c.Lines {
		l.draw(w, x, y)
	}
	fmt.Fprintf(w, `<path d="M%g %gV%gH%g" fill="none" stroke="black"/>`+"\n", x.from, y.to, y.from, x.to)
	for i, l := range c.Lines {
		at, side, anchor, row := x.to-8, -1., "end", y.to+14+16*float64(i)
		if c.LegendLeft {
			at, side, anchor = x.from+8, 1, "start"
		}
		fmt.Fprintf(w, `<path d="M%g %gh%g" stroke="%s" stroke-width="%g"/>`+"\n", at, row-4, 18*side, l.Color, l.Width)
		text(w, at+24*side, row, anchor, "", l.Name)
	}
}

func (l *Line) draw(w io.Writer, x, y axis) {
	fmt.Fprintf(w, `<g stroke="%s" fill="none"><polyline stroke-width="%g" points="`, l.Color, l.Width)
	for _, p := range l.Points {
		fmt.Fprintf(w, "%.1f,%.1f ", x.at(p.X), y.at(p.Y))
	}
	fmt.Fprintln(w, `"/>`)
	for _, p := range l.Points {
		if l.Dots {
			fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`+"\n", x.at(p.X), y.at(p.Y), l.Color)
		}
		if p.Half > 0 {
			low, high := y.at(p.Y-p.Half), y.at(p.Y+p.Half)
			fmt.Fprintf(w, `<path d="M%.1f %.1fh6m-3 0V%.1fm-3 0h6" stroke-width="0.8"/>`+"\n", x.at(p.X)-3, low, high)
		}
	}
	fmt.Fprintln(w, "</g>")
}

func text(w io.Writer, x, y float64, anchor, attributes, s string) {
	fmt.Fprintf(w, `<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>`+"\n", x, y, anchor, attributes, html.EscapeString(s))
}

// axis maps values to pixels. Its zero value has no values yet.
type axis struct {
	from, to  float64 // pixels of the lowest and the highest value
	log       bool
	low, high float64
	used      bool
}

func (a *axis) include(v float64) {
	if !a.used {
		a.low, a.high, a.used = v, v, true
	}
	a.low, a.high = min(a.low, v), max(a.high, v)
}

func (a *axis) at(v float64) float64 {
	low, high := a.low, a.high
	if a.log {
		low, high, v = math.Log(low), math.Log(high), math.Log(v)
	}
	if low == high {
		return (a.from + a.to) / 2
	}
	return a.from + (a.to-a.from)*(v-low)/(high-low)
}

// round returns at most most+1 multiples of 1, 2 or 5 times a power of ten within the axis.
func (a *axis) round(most int) []float64 {
	if a.high == a.low {
		return []float64{a.low}
	}
	step := math.Pow(10, math.Floor(math.Log10((a.high-a.low)/float64(most))))
	for _, factor := range []float64{2, 2.5, 2} { // 1, 2, 5, 10
		if (a.high-a.low)/step <= float64(most) {
			break
		}
		step *= factor
	}
	var values []float64
	for k := math.Ceil(a.low / step); k*step <= a.high+step*1e-9; k++ {
		values = append(values, k*step)
	}
	return values
}
