package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// eachSet runs a test on every set of this machine; the generic set is the
// reference and is tested against plain definitions like the others.
func eachSet(t *testing.T, test func(t *testing.T, s *Set)) {
	for _, s := range Available() {
		t.Run(s.Name(), func(t *testing.T) { test(t, s) })
	}
}

func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// near fails unless got and want agree within tol, absolute.
func near(t *testing.T, what string, got, want []float32, tol float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= tol) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestVectorKernelsRunWhereTheyShould(t *testing.T) {
	names := fmt.Sprint(Best().Name())
	if len(Available()) > 1 && strings.Contains(names, "generic") && vectorBuild {
		t.Fatalf("built with the SIMD experiment, yet the best kernels are %q", names)
	}
	if got := Available()[len(Available())-1].Name(); got != "generic" {
		t.Fatalf("the last set is %q, want the generic one", got)
	}
}

func TestGemm(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{16, 32, 48, 80, 160} {
			for _, k := range []int{1, 2, 3, 9, 64, 131} {
				for m := 1; m <= 31; m++ {
					lda, ldc := k+m%3, n+5
					a, b := random(r, m*lda), random(r, k*n)
					packed := make([]float32, PackedLen(k, n))
					s.Pack(packed, k, n, func(row, col int) float32 { return b[row*n+col] })
					for _, accumulate := range []bool{false, true} {
						c := random(r, m*ldc)
						want := append([]float32(nil), c...)
						for i := range m {
							for j := range n {
								sum := 0.0
								if accumulate {
									sum = float64(c[i*ldc+j])
								}
								for p := range k {
									sum += float64(a[i*lda+p]) * float64(b[p*n+j])
								}
								want[i*ldc+j] = float32(sum)
							}
						}
						s.Gemm(m, k, n, a, lda, packed, c, ldc, accumulate)
						near(t, fmt.Sprintf("m %d k %d n %d accumulate %v", m, k, n, accumulate), c, want, 1e-4)
					}
				}
			}
		}
	})
}

// TestPackColumns compares with Pack, for every kind of padding.
func TestPackColumns(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(17, 18))
		for _, n := range []int{1, 2, 15, 16, 17, 26, 31, 32, 33, 50} {
			for _, k := range []int{1, 3, 17, 320} {
				stride, columns := k+2, Pad(n)
				src := random(r, n*stride)
				want := make([]float32, PackedLen(k, columns))
				s.Pack(want, k, columns, func(row, col int) float32 {
					if col < n {
						return src[col*stride+row]
					}
					return 0
				})
				for _, dst := range [][]float32{nil, random(r, 2*len(want))} {
					if !slices.Equal(s.PackColumns(dst, src, stride, n, k), want) {
						t.Fatalf("%d rows of %d: the packed columns differ from Pack", n, k)
					}
				}
			}
		}
	})
}

// TestGemmEnd compares the end of a layer in the product with the product and then the end.
func TestGemmEnd(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(15, 16))
		const k = 9
		for _, n := range []int{16, 48, 80} {
			for m := 1; m <= 31; m++ {
				ldc := n + 5
				a, b, bias, from := random(r, m*k), random(r, PackedLen(k, n)), random(r, n), random(r, m*ldc)
				for _, end := range []Ending{{Bias: bias, Slope: 1, Most: math.MaxFloat32}, {Bias: bias, From: from, Slope: 0, Most: 1.5}, {Bias: bias, Slope: 0.1, Most: 6}} {
					want, got := make([]float32, m*ldc), make([]float32, m*ldc)
					copy(want, end.From)
					s.Gemm(m, k, n, a, k, b, want, ldc, end.From != nil)
					for i := range m {
						for j := range n {
							v := want[i*ldc+j] + bias[j]
							want[i*ldc+j] = min(max(v, end.Slope*v), end.Most)
						}
						clear(want[i*ldc+n:][:ldc-n])
					}
					for p := range s.Panels(n) {
						s.GemmPanel(p, m, k, n, a, k, b, got, ldc, &end)
					}
					near(t, fmt.Sprintf("m %d n %d slope %v most %v", m, n, end.Slope, end.Most), got, want, 1e-5)
				}
			}
		}
	})
}

// TestGemmRowsDoNotDependOnTheirNeighbors: threads can divide the rows in any way without changing
// a bit of the result.
func TestGemmRowsDoNotDependOnTheirNeighbors(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(3, 4))
		const m, k, n = 37, 65, 80
		a, b := random(r, m*k), random(r, k*n)
		packed := make([]float32, PackedLen(k, n))
		s.Pack(packed, k, n, func(row, col int) float32 { return b[row*n+col] })
		whole := make([]float32, m*n)
		s.Gemm(m, k, n, a, k, packed, whole, n, false)
		for from := 0; from < m; from += 5 {
			rows := min(5, m-from)
			part := make([]float32, rows*n)
			s.Gemm(rows, k, n, a[from*k:], k, packed, part, n, false)
			near(t, fmt.Sprintf("rows from %d", from), part, whole[from*n:][:rows*n], 0)
		}
	})
}

func TestTransformsAgreeWithGeneric(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, c := range []int{16, 48, 160} {
			for _, tile := range []int{2, 4} {
				side := tile + 2
				row, plane := (side+3)*c, 3*c
				src := random(r, side*row)
				got, want := make([]float32, side*side*plane), make([]float32, side*side*plane)
				s.WinogradInput(tile, got, src, c, row, plane)
				generic.WinogradInput(tile, want, src, c, row, plane)
				near(t, fmt.Sprintf("input F%d, %d channels", tile, c), got, want, 1e-4)

				m, bias, res := random(r, side*side*plane), random(r, c), random(r, tile*row)
				for ny := 1; ny <= tile; ny++ {
					for nx := 1; nx <= tile; nx++ {
						for _, add := range [][]float32{nil, res} {
							got, want := make([]float32, tile*row), make([]float32, tile*row)
							s.WinogradOutput(tile, got, m, bias, add, c, row, plane, ny, nx, 0.1)
							generic.WinogradOutput(tile, want, m, bias, add, c, row, plane, ny, nx, 0.1)
							near(t, fmt.Sprintf("output F%d, %d channels, %d×%d", tile, c, ny, nx), got, want, 1e-4)
						}
					}
				}
			}
			src, got, want := random(r, 8*c), make([]float32, c), make([]float32, c)
			s.MaxPool(got, src, c, 4*c)
			generic.MaxPool(want, src, c, 4*c)
			near(t, "max-pool", got, want, 0)
		}
	})
}

// TestWinogradIsConvolution checks the three transforms together against the
// definition of convolution in float64.
func TestWinogradIsConvolution(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(7, 8))
		const c = Lanes
		for _, tile := range []int{2, 4} {
			side := tile + 2
			src, filter := random(r, side*side*c), random(r, 9*c)
			v, u := make([]float32, side*side*c), make([]float32, side*side*c)
			s.WinogradInput(tile, v, src, c, side*c, c)
			s.WinogradFilter(tile, u, filter, c, c, c)
			for i := range v {
				v[i] *= u[i]
			}
			got, bias := make([]float32, tile*tile*c), make([]float32, c)
			s.WinogradOutput(tile, got, v, bias, nil, c, tile*c, c, tile, tile, 1)
			want := make([]float32, tile*tile*c)
			for y := range tile {
				for x := range tile {
					for ch := range c {
						sum := 0.0
						for dy := range 3 {
							for dx := range 3 {
								sum += float64(src[((y+dy)*side+x+dx)*c+ch]) * float64(filter[(dy*3+dx)*c+ch])
							}
						}
						want[(y*tile+x)*c+ch] = float32(sum)
					}
				}
			}
			near(t, fmt.Sprintf("F%d", tile), got, want, 5e-5)
		}
	})
}

func TestNormalizationAgreesWithGeneric(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(13, 14))
		const c, pixels = 48, 5
		n := pixels * c
		x, y, res := random(r, n), random(r, n), random(r, n)
		a, b, k := random(r, c), random(r, c), random(r, c)
		check := func(what string, size int, run func(s *Set, dst []float32)) {
			t.Helper()
			got, want := random(r, size), make([]float32, size)
			copy(want, got)
			run(s, got)
			run(generic, want)
			near(t, what, got, want, 1e-5)
		}
		check("normalize", n, func(s *Set, dst []float32) { s.Normalize(dst, x, a, b, nil, pixels, c, 0.1) })
		check("normalize and add", n, func(s *Set, dst []float32) { s.Normalize(dst, x, a, b, res, pixels, c, 0.1) })
		check("moments", 2*c, func(s *Set, dst []float32) { s.Moments(dst[:c], dst[c:], x, y, pixels, c) })
		check("unleak", n, func(s *Set, dst []float32) { s.Unleak(dst, y, pixels, c, 0.1) })
		check("combine", n, func(s *Set, dst []float32) { s.Combine(dst, x, y, a, b, k, pixels, c) })
		src := random(r, 6*c)
		copy(src[c:2*c], src[:c])
		copy(src[4*c:4*c+c/2], src[:c/2])
		check("unpool", 6*c, func(s *Set, dst []float32) { s.Unpool(dst, x, src, c, 4*c) })
	})
}

func TestGemmT(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, m := range []int{16, 48, 64} {
			for _, n := range []int{16, 32, 80, farColumns + 16} {
				for _, k := range []int{1, 7, 64} {
					lda, ldb, ldc := m+3, n+5, n+1
					a, b := random(r, k*lda), random(r, k*ldb)
					for _, accumulate := range []bool{false, true} {
						c := random(r, m*ldc)
						want := append([]float32(nil), c...)
						for i := range m {
							for j := range n {
								sum := 0.0
								if accumulate {
									sum = float64(c[i*ldc+j])
								}
								for p := range k {
									sum += float64(a[p*lda+i]) * float64(b[p*ldb+j])
								}
								want[i*ldc+j] = float32(sum)
							}
						}
						s.GemmT(m, k, n, a, lda, b, ldb, c, ldc, accumulate)
						near(t, fmt.Sprintf("m %d k %d n %d accumulate %v", m, k, n, accumulate), c, want, 1e-4)
					}
				}
			}
		}
	})
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestAdjoints checks ⟨T·x, y⟩ = ⟨x, Tᵀ·y⟩ for the transforms that have one.
func TestAdjoints(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(11, 12))
		const c = 3 * Lanes
		for _, tile := range []int{2, 4} {
			side := tile + 2
			same := func(what string, left, right float64) {
				if !(math.Abs(left-right) <= 1e-4*(1+math.Abs(left))) {
					t.Errorf("F%d %s: ⟨Tx,y⟩ = %v, ⟨x,Tᵀy⟩ = %v", tile, what, left, right)
				}
			}
			x, y := random(r, 9*c), random(r, side*side*c)
			tx, ty := make([]float32, len(y)), make([]float32, len(x))
			s.WinogradFilter(tile, tx, x, c, c, c)
			s.WinogradFilterAdjoint(tile, ty, y, c, c, c)
			same("filter", dot(tx, y), dot(x, ty))

			x, y = random(r, side*side*c), random(r, tile*tile*c)
			tx, ty = make([]float32, len(y)), make([]float32, len(x))
			s.WinogradOutput(tile, tx, x, make([]float32, c), nil, c, tile*c, c, tile, tile, 1)
			s.WinogradOutputAdjoint(tile, ty, y, c, tile*c, c)
			same("output", dot(tx, y), dot(x, ty))
		}
	})
}

// TestNewPacked writes all of memory that is less than a large page, and more than some.
func TestNewPacked(t *testing.T) {
	for _, n := range []int{0, 16, 3 << 20} {
		v := NewPacked(n)
		if len(v) != n {
			t.Fatalf("%d values, want %d", len(v), n)
		}
		for i := range v {
			if v[i] != 0 {
				t.Fatalf("value %d of %d is %v, want 0", i, n, v[i])
			}
			v[i] = float32(i)
		}
		if n > 0 && v[n-1] != float32(n-1) {
			t.Fatalf("the last of %d values is %v", n, v[n-1])
		}
	}
}

// TestScan: all sets find the same sums, the largest ones too.
func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []int{16, 32, 48, 320, 16384} {
		for _, n := range []int{0, 1, 7} {
			rows, query, want := make([]byte, n*c), make([]int16, c), make([]int32, n)
			most := ScanMost(c)
			for k := range query {
				query[k] = int16(r.IntN(2*most+1) - most)
				if c == 16384 {
					query[k] = int16(most)
				}
			}
			for i := range rows {
				v := r.IntN(255) - 127
				if c == 16384 {
					v = 127 - 254*(i/c%2)
				}
				rows[i] = byte(v)
				want[i/c] += int32(v) * int32(query[i%c])
			}
			for _, s := range Available() {
				got := make([]int32, n)
				s.Scan(got, rows, query)
				if !slices.Equal(got, want) {
					t.Errorf("%s, %d rows of %d: %v, want %v", s.Name(), n, c, got, want)
				}
			}
		}
	}
}

func BenchmarkScan(b *testing.B) {
	const n, c = 10_000, 320
	rows, query, dst := make([]byte, n*c), make([]int16, c), make([]int32, n)
	for _, s := range Available() {
		b.Run(s.Name(), func(b *testing.B) {
			b.SetBytes(n * c)
			for b.Loop() {
				s.Scan(dst, rows, query)
			}
		})
	}
}
