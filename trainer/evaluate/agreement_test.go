package evaluate

import "testing"

func TestAgreement(t *testing.T) {
	of := func(logits ...[]float32) *Result { return &Result{Way: 2, Logits: logits} }
	a := of([]float32{1, 2, 4, 3}, []float32{0, -1, -3, -2})
	for _, c := range []struct {
		b    *Result
		want float64
	}{
		{a, 1},
		{of([]float32{5, 9, 1, 0}, []float32{0, -1, -2, -3}), 0.75},
		{of([]float32{2, 1, 3, 4}, []float32{-1, 0, -2, -3}), 0},
	} {
		if got := Agreement(a, c.b); got != c.want {
			t.Errorf("agreement %v, want %v", got, c.want)
		}
	}
}
