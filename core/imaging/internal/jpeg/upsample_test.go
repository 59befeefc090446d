package jpeg

import (
	"slices"
	"testing"
)

// TestSampler checks the filters; the tests of package imaging compare them with libjpeg's.
func TestSampler(t *testing.T) {
	for _, c := range []struct {
		name          string
		h, v          int // of a picture whose largest factors are these, this component's being 1
		width, height int
		samples       []uint8
		want          [][]uint8
	}{
		{"as it is", 1, 1, 3, 1, []uint8{1, 2, 3}, [][]uint8{{1, 2, 3}}},
		{"half width", 2, 1, 3, 1, []uint8{0, 100, 40}, [][]uint8{{0, 25, 75, 85, 55, 40}}},
		{"half width, narrow", 2, 1, 2, 1, []uint8{0, 100}, [][]uint8{{0, 0, 100, 100}}},
		{"half height", 1, 2, 1, 2, []uint8{0, 100}, [][]uint8{{0}, {25}, {75}, {100}}},
		{"half both ways", 2, 2, 3, 2, []uint8{0, 100, 100, 160, 100, 100}, [][]uint8{
			{0, 25, 75, 100, 100, 100}, {40, 55, 85, 100, 100, 100},
			{120, 115, 105, 100, 100, 100}, {160, 145, 115, 100, 100, 100}}},
		{"half both ways, narrow", 2, 2, 1, 1, []uint8{7}, [][]uint8{{7, 7}, {7, 7}}},
		{"quarter width", 4, 1, 2, 1, []uint8{1, 2}, [][]uint8{{1, 1, 1, 1, 2, 2, 2, 2}}},
		{"third height", 1, 3, 1, 1, []uint8{9}, [][]uint8{{9}, {9}, {9}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &component{h: 1, v: 1, width: c.width, height: c.height, stride: c.width, plane: c.samples}
			row := p.sampler(c.h, c.v)
			for y, want := range c.want {
				if got := row(y); !slices.Equal(got, want) {
					t.Errorf("row %d is %v, want %v", y, got, want)
				}
			}
		})
	}
}
