package backbone

import (
	"fmt"
	"math"
	"slices"
)

// Methods to resample the position embeddings to another number of patches.
const (
	// Offset is the method of DINOv2 without registers: bicubic, with a tenth of a patch added.
	Offset = "offset"
	// Antialias is the method of DINOv2 with registers, and of timm: bicubic with antialiasing.
	Antialias = "antialias"
)

// positions holds the position embeddings of patches, [side, side, C].
type positions struct {
	places   []float32
	side, c  int
	resample func(in, out int) [][]tap

	h, w   int // of the latest result
	latest []float32
}

// tap is a position of the input and its weight.
type tap struct {
	at     int
	weight float64
}

func newPositions(places []float32, side, c int, way string) (positions, error) {
	p := positions{places: places, side: side, c: c}
	switch way {
	case Offset:
		p.resample = offset
	case Antialias:
		p.resample = antialias
	default:
		return p, fmt.Errorf("%s %q: want %s or %s", KeyPositions, way, Offset, Antialias)
	}
	return p, nil
}

// of returns the embeddings of h×w positions, valid until the next call.
func (p *positions) of(h, w int) []float32 {
	if h == p.side && w == p.side {
		return p.places
	}
	if h == p.h && w == p.w {
		return p.latest
	}
	rows, columns := p.resample(p.side, h), p.resample(p.side, w)
	p.h, p.w, p.latest = h, w, make([]float32, h*w*p.c)
	sum := make([]float64, p.c)
	for y, row := range rows {
		for x, column := range columns {
			clear(sum)
			for _, r := range row {
				for _, c := range column {
					for k, v := range p.places[(r.at*p.side+c.at)*p.c:][:p.c] {
						sum[k] += r.weight * c.weight * float64(v)
					}
				}
			}
			for k, v := range sum {
				p.latest[(y*w+x)*p.c+k] = float32(v)
			}
		}
	}
	return p.latest
}

// cubic is Keys' kernel (1981) with slope a at 1.
func cubic(x, a float64) float64 {
	switch x = math.Abs(x); {
	case x < 1:
		return ((a+2)*x-(a+3))*x*x + 1
	case x < 2:
		return ((a*x-5*a)*x+8*a)*x - 4*a
	}
	return 0
}

// offset is PyTorch's bicubic interpolation with a scale of (out + 0.1) / in.
func offset(in, out int) [][]tap {
	const tenth, slope = 0.1, -0.75
	taps := make([][]tap, out)
	for i := range taps {
		at := float64(in)/(float64(out)+tenth)*(float64(i)+0.5) - 0.5
		first := math.Floor(at)
		for k := -1; k <= 2; k++ {
			place := min(max(int(first)+k, 0), in-1)
			taps[i] = append(taps[i], tap{place, cubic(at-first-float64(k), slope)})
		}
	}
	return taps
}

// antialias is PyTorch's bicubic interpolation with antialiasing, which equals Pillow's.
func antialias(in, out int) [][]tap {
	const slope = -0.5
	scale := float64(in) / float64(out)
	wide := max(scale, 1)
	taps := make([][]tap, out)
	for i := range taps {
		center, sum := scale*(float64(i)+0.5), 0.0
		from, to := max(int(center-2*wide+0.5), 0), min(int(center+2*wide+0.5), in)
		for at := from; at < to; at++ {
			weight := cubic((float64(at)-center+0.5)/wide, slope)
			taps[i], sum = append(taps[i], tap{at, weight}), sum+weight
		}
		for k := range taps[i] {
			taps[i][k].weight /= sum
		}
	}
	return slices.Clip(taps)
}
