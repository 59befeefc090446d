package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBytePanel: every set gives the sums of the definition, with the largest numbers too.
func TestBytePanel(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, size := range [][3]int{{4, 16, 16}, {8, 48, 32}, {12, 384, 80}, {4, 1536, 48}} {
			m, k, n := size[0], size[1], size[2]
			a, weights := make([]uint8, m*k), make([]int8, k*n)
			for i := range a {
				a[i] = uint8(r.IntN(MaxActivation + 1))
			}
			for i := range weights {
				weights[i] = int8(r.IntN(2*MaxWeight+1) - MaxWeight)
			}
			for i := range k {
				a[i] = MaxActivation
				weights[i*n], weights[i*n+1] = MaxWeight, -MaxWeight
			}
			packed := make([]int8, k*n)
			s.PackBytes(packed, k, n, func(col int) []int8 {
				column := make([]int8, k)
				for row := range column {
					column[row] = weights[row*n+col]
				}
				return column
			})
			for p := range s.Panels(n) {
				col, width := s.Panel(n, p)
				sums := make([]int32, m*width)
				s.BytePanel(width, m, k, a, packed[col*k:], sums)
				for row := range m {
					for j := range width {
						want := int32(0)
						for i := range k {
							want += int32(a[row*k+termPosition(i)]) * int32(weights[i*n+col+j])
						}
						if got := sums[row*width+j]; got != want {
							t.Fatalf("%v: row %d, column %d is %d, want %d", size, row, col+j, got, want)
						}
					}
				}
			}
		}
	})
}

// TestQuantize: activations are off by at most half a step.
func TestQuantize(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const rows, c, stride = 5, 48, 50
		src := random(rand.New(rand.NewPCG(11, 12)), rows*stride)
		for i := range c {
			src[i] = 3
			src[stride+i] = float32(i) * 1e30
			src[2*stride+i] = -float32(i) * 1e-30
		}
		dst, low, step := make([]uint8, rows*c), make([]float32, rows), make([]float32, rows)
		s.Quantize(dst, low, step, src, rows, c, stride)
		for row := range rows {
			least, most := uint8(MaxActivation), uint8(0)
			for i, v := range src[row*stride:][:c] {
				q := dst[row*c+termPosition(i)]
				least, most = min(least, q), max(most, q)
				got := float64(low[row]) + float64(step[row])*float64(q)
				if !(math.Abs(got-float64(v)) <= 0.5001*float64(step[row])) {
					t.Errorf("row %d: value %d is %v, want %v, steps of %v", row, i, got, v, step[row])
				}
			}
			if row > 0 && (least != 0 || most != MaxActivation) {
				t.Errorf("row %d: activations from %d to %d", row, least, most)
			}
		}
		if step[0] != 0 || low[0] != 3 {
			t.Errorf("values that are all 3: from %v in steps of %v", low[0], step[0])
		}
	})
}

func TestFinishBytes(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const rows, width, stride, slope = 3, 32, 70, 0.25
		r := rand.New(rand.NewPCG(13, 14))
		sums, held := make([]int32, rows*width), random(r, rows*stride)
		for i := range sums {
			sums[i] = int32(r.IntN(2000) - 1000)
		}
		low, step := random(r, rows), []float32{0.01, 0, 0.02}
		c := ByteColumns{Scale: random(r, width), Total: random(r, width), Bias: random(r, width)}
		for _, add := range []bool{false, true} {
			got, want := append([]float32(nil), held...), append([]float32(nil), held...)
			for row := range rows {
				for j := range width {
					v := float64(c.Scale[j])*float64(step[row])*float64(sums[row*width+j]) + float64(low[row])*float64(c.Total[j]) + float64(c.Bias[j])
					if add {
						v += float64(held[row*stride+j])
					}
					want[row*stride+j] = float32(max(v, slope*v))
				}
			}
			s.FinishBytes(got, stride, sums, rows, width, low, step, c, add, slope)
			near(t, "ends", got, want, 1e-5)
		}
	})
}

// BenchmarkQuantize measures the rounding of a layer's activations, which must be fast compared
// with its products.
func BenchmarkQuantize(b *testing.B) {
	const rows, c = 64, 384
	src := random(rand.New(rand.NewPCG(1, 1)), rows*c)
	dst, low, step := make([]uint8, rows*c), make([]float32, rows), make([]float32, rows)
	for _, s := range Available() {
		b.Run(s.Name(), func(b *testing.B) {
			for b.Loop() {
				s.Quantize(dst, low, step, src, rows, c, c)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/rows, "ns/row")
		})
	}
}

func BenchmarkBytePanel(b *testing.B) {
	const m, k, n = 64, 384, 1536
	for _, s := range Available() {
		b.Run(s.Name(), func(b *testing.B) {
			a, packed, sums := make([]uint8, m*k), make([]int8, k*n), make([]int32, m*s.panel)
			for b.Loop() {
				for p := range s.Panels(n) {
					col, width := s.Panel(n, p)
					s.BytePanel(width, m, k, a, packed[col*k:], sums)
				}
			}
			b.ReportMetric(2*m*k*n*float64(b.N)/1e9/b.Elapsed().Seconds(), "Gop/s")
		})
		b.Run(s.Name()+", float32", func(b *testing.B) {
			x, packed, sums := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
			for b.Loop() {
				s.Gemm(m, k, n, x, k, packed, sums, n, false)
			}
			b.ReportMetric(2*m*k*n*float64(b.N)/1e9/b.Elapsed().Seconds(), "Gop/s")
		})
	}
}
