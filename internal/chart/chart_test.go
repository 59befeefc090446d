package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestWrite(t *testing.T) {
	var out strings.Builder
	require.NoError(t, Write(&out, 400, 200,
		Chart{Title: "a < b", X: "epoch", Y: "loss", Lines: []Line{{Name: "training", Color: "#123456", Width: 1, Points: []Point{{X: 0, Y: 4}, {X: 10, Y: 0}}}}},
		Chart{X: "shots", Y: "accuracy", Ticks: []float64{1, 10, 100}, Lines: []Line{{Name: "sfc", Color: "red", Width: 2, Dots: true, Points: []Point{{X: 1, Y: 50, Half: 2}, {X: 100, Y: 70}}}}},
		Chart{X: "nothing", Y: "nothing"},
		Chart{X: "one", Y: "one", Lines: []Line{{Name: "point", Color: "red", Width: 1, Points: []Point{{X: 3, Y: 3}}}}},
	))
	svg := out.String()
	for decoder := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not well formed: %v\n%s", err, svg)
		}
	}
	for _, want := range []string{
		`width="400" height="800"`, "a &lt; b", ">training</text>",
		`points="62.0,30.0 384.0,156.0 "`,           // the corners below the title
		`points="62.0,142.9 384.0,12.0 "`,           // 50 of 48 to 70
		`<path d="M223.0 156V12" stroke="#ddd"/>`,   // 10 is in the middle of 1 and 100
		`<path d="M59.0 156.0h6m-3 0V129.8m-3 0h6"`, // from 48 to 52
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("no numbers in\n%s", svg)
	}
}

func TestRound(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      []float64
	}{
		{0, 10, 5, []float64{0, 2, 4, 6, 8, 10}},
		{0.5, 1.4, 5, []float64{0.6, 0.8, 1, 1.2, 1.4}},
		{48, 70, 5, []float64{50, 55, 60, 65, 70}},
		{0, 1000, 8, []float64{0, 200, 400, 600, 800, 1000}},
		{3, 3, 5, []float64{3}},
	} {
		a := axis{low: c.low, high: c.high}
		near := func(x, y float64) bool { return max(x-y, y-x) < 1e-12 }
		if got := a.round(c.most); !slices.EqualFunc(got, c.want, near) {
			t.Errorf("from %g to %g: %v, want %v", c.low, c.high, got, c.want)
		}
	}
}
