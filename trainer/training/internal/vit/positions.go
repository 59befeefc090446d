package vit

import "github.com/deepemd/deepemd/core/backbone"

// resampling is how the embeddings of side×side places become those of h×w, as inference
// has it: a linear map, through which gradients go back.
type resampling struct {
	way           string
	side, h, w    int
	rows, columns [][]backbone.Tap
}

// fit makes the resampling that to h×w places.
func (s *resampling) fit(h, w int) {
	if s.h == h && s.w == w {
		return
	}
	s.h, s.w = h, w
	s.rows, s.columns = identity(s.side), identity(s.side)
	if h != s.side || w != s.side {
		s.rows, _ = backbone.Taps(s.way, s.side, h) // the plan is checked
		s.columns, _ = backbone.Taps(s.way, s.side, w)
	}
}

// identity takes every place as it is.
func identity(side int) [][]backbone.Tap {
	taps := make([][]backbone.Tap, side)
	for i := range taps {
		taps[i] = []backbone.Tap{{At: i, Weight: 1}}
	}
	return taps
}

// each calls do for every place of h×w and those of side×side that it is made of.
func (s *resampling) each(do func(to, from int, weight float64)) {
	for y, row := range s.rows {
		for x, column := range s.columns {
			for _, r := range row {
				for _, c := range column {
					do(y*s.w+x, r.At*s.side+c.At, r.Weight*c.Weight)
				}
			}
		}
	}
}

// forward computes dst [h·w, c] of the embeddings src [side·side, c].
func (s *resampling) forward(dst, src []float32, c int) {
	clear(dst)
	s.each(func(to, from int, weight float64) {
		add(dst[to*c:][:c], src[from*c:][:c], weight)
	})
}

// backward sets the gradient of the embeddings from that of dst.
func (s *resampling) backward(dsrc, ddst []float32, c int) {
	clear(dsrc)
	s.each(func(to, from int, weight float64) {
		add(dsrc[from*c:][:c], ddst[to*c:][:c], weight)
	})
}

func add(dst, src []float32, weight float64) {
	for k, v := range src {
		dst[k] += float32(weight * float64(v))
	}
}
