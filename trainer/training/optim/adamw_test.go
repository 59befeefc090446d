package optim

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// TestAdamWIsPyTorchs takes the steps of testdata/adamw.py.
func TestAdamWIsPyTorchs(t *testing.T) {
	raw, err := os.ReadFile("testdata/adamw.json")
	if err != nil {
		t.Fatal(err)
	}
	var steps [][]float64
	if err := json.Unmarshal(raw, &steps); err != nil {
		t.Fatal(err)
	}
	params := []*Param{param(make([]float32, 8), make([]float32, 8), true), param(make([]float32, 8), make([]float32, 8), false)}
	value := func(i int) *float32 { return &params[i/8].Value[i%8] }
	for i := range 16 {
		*value(i) = float32(math.Cos(float64(i)))
	}
	changed := 0
	params[0].Changed = func() { changed++ }
	a := NewAdamW(params, 0.9, 0.99, 0.05, 2)
	for step, want := range steps {
		n := float64(step + 1)
		for i := range 16 {
			params[i/8].Grad[i%8] = float32(math.Sin(float64(i)+n) * math.Pow(10, float64(i%5-2)))
		}
		a.Step(0.01/n, 0.5)
		for i, w := range want {
			if got := float64(*value(i)); math.Abs(got-w) > 1e-6 {
				t.Errorf("step %d: weight %d is %.8f, want %.8f", step+1, i, got, w)
			}
		}
	}
	if changed != len(steps) {
		t.Errorf("the layer was told of %d changes, want %d", changed, len(steps))
	}
}

// TestAdamWResumes: with its memory and the number of steps another one goes on to the bit.
func TestAdamWResumes(t *testing.T) {
	build := func() (*Param, *AdamW) {
		p := param([]float32{1, 2, 3}, []float32{0.1, -0.2, 0.3}, true)
		return p, NewAdamW([]*Param{p}, 0.9, 0.999, 0.1, 1)
	}
	p, a := build()
	for range 3 {
		a.Step(0.1, 1)
	}
	q, b := build()
	copy(q.Value, p.Value)
	for suffix, from := range a.Memory() {
		copy(b.Memory()[suffix][0], from[0])
	}
	b.Resume(3)
	a.Step(0.1, 1)
	b.Step(0.1, 1)
	for i, v := range p.Value {
		if q.Value[i] != v {
			t.Errorf("weight %d is %g after a break, %g without", i, q.Value[i], v)
		}
	}
}
