package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestStandardize(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(5, 6))
		const rows, c, epsilon = 5, 48, 1e-6
		x := random(r, rows*c)
		for i := range c {
			x[i] = 1e4 + x[i]
			x[c+i] = 3
		}
		want := make([]float32, len(x))
		for row := range rows {
			var mean, square float64
			for _, v := range x[row*c:][:c] {
				mean += float64(v) / c
			}
			for _, v := range x[row*c:][:c] {
				square += (float64(v) - mean) * (float64(v) - mean) / c
			}
			for i, v := range x[row*c:][:c] {
				want[row*c+i] = float32((float64(v) - mean) / math.Sqrt(square+epsilon))
			}
		}
		got := make([]float32, len(x))
		s.Standardize(got, x, rows, c, epsilon)
		near(t, "far from zero", got[:c], want[:c], 2e-3) // the float32 of such values are 1e-3 apart
		near(t, "rows", got[c:], want[c:], 2e-6)
		s.Standardize(x, x, rows, c, epsilon)
		near(t, "in place", x, got, 0)
	})
}

func TestGelu(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const rows, c = 4001, 16
		x, bias, want := make([]float32, rows*c), make([]float32, c), make([]float32, rows*c)
		for i := range bias {
			bias[i] = float32(i) / 100
		}
		for i := range x {
			x[i] = float32(i-len(x)/2) / 2000
			v := float64(x[i] + bias[i%c])
			want[i] = float32(v / 2 * math.Erfc(-v/math.Sqrt2))
		}
		s.Gelu(x, bias, rows, c)
		for i := range want {
			if d := math.Abs(float64(x[i] - want[i])); !(d <= 3e-7*max(1, math.Abs(float64(i-len(x)/2)/2000))) {
				t.Fatalf("value %d is %v, want %v", i, x[i], want[i])
			}
		}
		far := []float32{-1e30, 1e30, -1e4, 1e4, -100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
		s.Gelu(far, make([]float32, 16), 1, 16)
		for i, want := range []float64{0, 1e30, 0, 1e4, 0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0} {
			if !(math.Abs(float64(far[i])-want) <= 3e-7*want) {
				t.Errorf("far from zero: value %d is %v, want %v", i, far[i], want)
			}
		}
	})
}

func TestSoftmax(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, n := range []int{1, 4, 7, 16, 29, 48} {
			const rows, c = 3, 48
			x, want := random(r, rows*c), make([]float32, rows*c)
			for i := range x {
				x[i] = 20*x[i] - 500
			}
			if n > 1 {
				x[0], x[1] = 80, -3e38
			}
			for row := range rows {
				top, sum := float64(x[row*c]), 0.0
				for _, v := range x[row*c:][:n] {
					top = max(top, float64(v))
				}
				for _, v := range x[row*c:][:n] {
					sum += math.Exp(float64(v) - top)
				}
				for i, v := range x[row*c:][:n] {
					want[row*c+i] = float32(math.Exp(float64(v)-top) / sum)
				}
			}
			s.Softmax(x, rows, n, c)
			near(t, "softmax", x, want, 1e-6)
		}
	})
}

func TestDepthwise(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, c := range []int{16, 48} {
			src, w, bias := random(r, 7*c), random(r, 9*c), random(r, c)
			for _, taps := range [][]Tap{nil, {{Number: 4, Offset: 0}}, {{Number: 0, Offset: 2 * c}, {Number: 8, Offset: 6 * c}, {Number: 3, Offset: 0}}} {
				want, got := make([]float32, c), make([]float32, c)
				for i := range want {
					sum := float64(bias[i])
					for _, tap := range taps {
						sum += float64(src[tap.Offset+i]) * float64(w[tap.Number*c+i])
					}
					want[i] = float32(sum)
				}
				s.Depthwise(got, src, w, bias, taps, c)
				near(t, "depthwise", got, want, 1e-5)
				if len(taps) == 0 {
					continue
				}
				for i := range want {
					want[i] = src[taps[0].Offset+i]
					for _, tap := range taps {
						want[i] = max(want[i], src[tap.Offset+i])
					}
				}
				s.Largest(got, src, taps, c)
				near(t, "largest", got, want, 0)
			}
		}
	})
}

func TestClamped(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		x := make([]float32, 160)
		relu, swish := make([]float32, len(x)), make([]float32, len(x))
		for i := range x {
			x[i] = float32(i-80) / 8
			relu[i] = min(max(x[i], 0), 6)
			swish[i] = x[i] * min(max(x[i]+3, 0), 6) / 6
		}
		got := append([]float32(nil), x...)
		s.Clamp(got, 6)
		near(t, "clamp", got, relu, 0)
		got = append([]float32(nil), x...)
		s.HardSwish(got)
		near(t, "hard-swish", got, swish, 1e-6)
		s.Clamp(nil, 6)
		s.HardSwish(nil)
	})
}

func TestDepthwiseRow(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, c := range []int{16, 48} {
			w, bias := random(r, 9*c), random(r, c)
			for width := 1; width <= 9; width++ {
				rows := [3][]float32{random(r, width*c), random(r, width*c), random(r, width*c)}
				for _, stride := range []int{1, 2} {
					out := (width + stride - 1) / stride
					want, got := make([]float32, out*c), make([]float32, out*c)
					for i := range want {
						sum := float64(bias[i%c])
						for tap := range 9 {
							if x := i/c*stride + tap%3 - 1; x >= 0 && x < width {
								sum += float64(rows[tap/3][x*c+i%c]) * float64(w[tap*c+i%c])
							}
						}
						want[i] = float32(min(max(sum, -1), 2))
					}
					s.DepthwiseRow(got, rows, w, bias, width, stride, c, -1, 2)
					near(t, "depthwise row", got, want, 1e-5)
				}
			}
		}
	})
}

// TestBlockProduct compares every set's products of blocks, and of parts of blocks, with
// sums in float64.
func TestBlockProduct(t *testing.T) {
	const steps, chunks, count = 3, 2, 4
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []uint32 {
		words := Aligned[uint32](n)
		for i := range words {
			words[i] = math.Float32bits(float32(r.NormFloat64()))>>16 | math.Float32bits(float32(r.NormFloat64()))&^0xffff
		}
		return words
	}
	const aStep, bStep = chunks * BlockWords, BlockWords
	a, b := random(count*steps*aStep), random(count*steps*bStep)
	var segments []Segment
	for i := range count {
		segments = append(segments, Segment{&a[i*steps*aStep], &b[i*steps*bStep]})
	}
	value := func(w uint32, term int) float64 { return float64(bfloat16(w << (16 * (1 - term%2)))) }
	for _, size := range []struct{ rows, terms int }{{chunks * BlockSide, BlockSide}, {BlockSide * 3 / 2, BlockSide}, {BlockSide / 2, BlockSide / 2}} {
		want := make([]float64, size.rows*BlockSide)
		for i := range want {
			row, col := i/BlockSide, i%BlockSide
			for part := range count * steps {
				for term := range size.terms {
					want[i] += value(a[part*aStep+row*16+term/2], term) *
						value(b[part*bStep+(col/16*16+term/2)*16+col%16], term)
				}
			}
		}
		for _, s := range available() {
			if size.rows%s.BlockPart() != 0 || size.terms%s.BlockPart() != 0 {
				continue
			}
			got := Aligned[float32](chunks * BlockSums)
			for pass, accumulate := range []bool{false, true} {
				s.BlockProduct(got, segments, steps, size.terms, aStep, bStep, size.rows, accumulate)
				for i, w := range want {
					w *= float64(pass + 1)
					if !(math.Abs(float64(got[i])-w) <= 1e-4*(1+math.Abs(w))) {
						t.Fatalf("%s: %d rows of %d terms: sum %d is %g, want %g", s.Name(), size.rows, size.terms, i, got[i], w)
					}
				}
			}
			for i, v := range got[len(want):] {
				if v != 0 {
					t.Fatalf("%s: %d rows of %d terms: sum %d beyond is %g", s.Name(), size.rows, size.terms, len(want)+i, v)
				}
			}
		}
	}
}
