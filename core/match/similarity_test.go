package match

import "testing"

func TestDot(t *testing.T) {
	for n := range 10 {
		a, b := make([]float32, n), make([]float32, n)
		var want float32
		for i := range n {
			a[i], b[i] = float32(i+1), float32(2*i-3)
			want += a[i] * b[i]
		}
		if got := dot(a, b); got != want {
			t.Errorf("%d terms: %v, want %v", n, got, want)
		}
	}
}

// The loops over channels, at lengths with any remainder.
func TestVectors(t *testing.T) {
	for n := 1; n < 30; n++ {
		a, dst := make([]float32, n), make([]float32, n)
		var total, squares float64
		for i := range n {
			a[i], dst[i] = float32(i%7), 1
			total += float64(i % 7)
			squares += float64((i%7 - 2) * (i%7 - 2))
		}
		if got := sum(a); got != total {
			t.Errorf("sum of %d: %v, want %v", n, got, total)
		}
		if got := deviation(a, 2); got != squares {
			t.Errorf("spread of %d: %v, want %v", n, got, squares)
		}
		axpy(dst, 3, a)
		for i, v := range dst {
			if want := 1 + 3*a[i]; v != want {
				t.Errorf("axpy of %d: value %d is %v, want %v", n, i, v, want)
			}
		}
		standardize(dst, dst, 2, 0.5)
		for i, v := range dst {
			if want := (3*a[i] - 1) / 2; v != want {
				t.Errorf("standardized %d: value %d is %v, want %v", n, i, v, want)
			}
		}
	}
}
