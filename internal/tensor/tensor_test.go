package tensor

import (
	"math"
	"testing"
)

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func TestShapes(t *testing.T) {
	a := New(2, 3, 4)
	if len(a.Data) != 24 || !a.HasShape(2, 3, 4) || !a.HasShape(-1, 3, -1) || a.HasShape(2, 3) || a.HasShape(2, 4, 3) {
		t.Errorf("a new tensor has shape %v and %d values", a.Shape, len(a.Data))
	}
	if n := Len(nil); n != 1 {
		t.Errorf("the empty shape holds %d values, want 1", n)
	}
	if n := Len([]int{3, 0, 5}); n != 0 {
		t.Errorf("a shape with an extent of 0 holds %d values", n)
	}
	a.MustShape("a", 2, -1, 4)
	for name, f := range map[string]func(){
		"negative extent": func() { New(2, -1) },
		"overflow":        func() { Len([]int{math.MaxInt, 3}) },
		"other length":    func() { Of(make([]float32, 5), 2, 3) },
		"other shape":     func() { a.MustShape("a", 24) },
	} {
		if !panics(f) {
			t.Errorf("%s does not panic", name)
		}
	}
}

func TestOfAndRowShareMemory(t *testing.T) {
	data := []float32{0, 1, 2, 3, 4, 5}
	shape := []int{3, 2}
	a := Of(data, shape...)
	shape[0] = 99 // the tensor keeps its own
	a.Row(1)[1] = 7
	if data[3] != 7 || a.Shape[0] != 3 || len(a.Row(2)) != 2 || a.Row(2)[0] != 4 {
		t.Errorf("data %v, shape %v, last row %v", data, a.Shape, a.Row(2))
	}
}
