package figure

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestSheet(t *testing.T) {
	square, wide := quarters(50, [4]color.RGBA{red, red, red, red}), quarters(50, [4]color.RGBA{blue, blue, blue, blue})
	wide.Width, wide.Height = 100, 25
	cell := Cell{Picture: wide, Name: strings.Repeat("long name ", 9), Note: "5.20"}
	s := Sheet{Title: "Found", Subtitle: "2 pictures", Footer: "by hand", Scale: 1, Rows: []SheetRow{
		{Query: Cell{Picture: square, Name: "query"}, Found: []Cell{cell, {Name: "gone"}}},
		{Query: Cell{Picture: square}, Found: make([]Cell, 20)},
	}}
	img := require.Value(s.Draw())(t)
	page := img.(*image.RGBA)
	top := heightAbove(1)
	x, y := margin+thumb+queryGap+thumb/2, int(top)+thumb/2
	for name, test := range map[string]struct {
		x, y int
		want color.RGBA
	}{
		"query":              {margin + thumb/2, y, red},
		"found":              {x, y, blue},
		"above what is wide": {x, y - thumb/2 + 8, panel},
		"not at hand":        {x + thumb + thumbGap, y - 20, panel},
		"second row":         {margin + thumb/2, y + thumb + thumbText + sheetGap, red},
	} {
		if got := page.RGBAAt(test.x, test.y); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	if want := 2*margin + thumb + queryGap + perRow*(thumb+thumbGap) - thumbGap; page.Rect.Dx() != want {
		t.Errorf("%d wide, want %d: ten pictures", page.Rect.Dx(), want)
	}
	for want, spoil := range map[string]func(*Sheet){
		"scale 9":       func(s *Sheet) { s.Scale = 9 },
		"of 0 queries":  func(s *Sheet) { s.Rows = nil },
		"of 41 queries": func(s *Sheet) { s.Rows = make([]SheetRow, 41) },
	} {
		bad := s
		spoil(&bad)
		if _, err := bad.Draw(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}
