package backbone

import (
	"math"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

func param(values, grad []float32, decay bool) *device.Param {
	return &device.Param{Name: "w", Value: values, Grad: grad, Decay: decay, Changed: func() {}}
}

// TestSGDAgreesWithPyTorch pins three steps of torch.optim.SGD, computed by hand
// from its definition: lr 0.1, momentum 0.9, weight decay 0.01, gradient 1 from
// weight 1.
func TestSGDAgreesWithPyTorch(t *testing.T) {
	cases := []struct {
		nesterov bool
		want     []float64
	}{{false, nil}, {true, nil}}
	for i := range cases {
		w, v := 1.0, 0.0
		for range 3 {
			g := 1 + 0.01*w
			v = 0.9*v + g
			if cases[i].nesterov {
				w -= 0.1 * (g + 0.9*v)
			} else {
				w -= 0.1 * v
			}
			cases[i].want = append(cases[i].want, w)
		}
	}
	if !(math.Abs(cases[0].want[0]-0.899) <= 1e-12) || !(math.Abs(cases[1].want[0]-0.8081) <= 1e-12) {
		t.Fatalf("the expectation itself is wrong: %v", cases)
	}
	for _, c := range cases {
		changed := 0
		p := param([]float32{1}, []float32{1}, true)
		p.Changed = func() { changed++ }
		s := NewSGD([]*device.Param{p}, 0.9, 0.01, c.nesterov, 2)
		for i, want := range c.want {
			s.Step(0.1, 1)
			if !(math.Abs(float64(p.Value[0])-want) <= 1e-6) {
				t.Errorf("nesterov %v, step %d: weight %g, want %g", c.nesterov, i+1, p.Value[0], want)
			}
		}
		if changed != 3 {
			t.Errorf("the layer was told of %d changes, want 3", changed)
		}
	}
	p := param([]float32{1}, []float32{0}, false)
	NewSGD([]*device.Param{p}, 0.9, 0.01, true, 1).Step(0.1, 1)
	if p.Value[0] != 1 {
		t.Errorf("a parameter without weight decay decayed to %g", p.Value[0])
	}
}

func TestOptimStepsDoNotDependOnThreads(t *testing.T) {
	run := func(threads int) []float32 {
		value, grad := make([]float32, 3*stripe+7), make([]float32, 3*stripe+7)
		for i := range value {
			value[i], grad[i] = float32(math.Sin(float64(i))), float32(math.Cos(float64(i)))
		}
		s := NewSGD([]*device.Param{param(value, grad, true), param(value[:5:5], grad[:5:5], true)}[:1], 0.9, 0.1, true, threads)
		s.Step(0.1, 0.5)
		s.Step(0.1, 0.5)
		return value
	}
	want := run(1)
	for i, v := range run(4) {
		if v != want[i] {
			t.Fatalf("weight %d is %g on four threads, %g on one", i, v, want[i])
		}
	}
}

func TestClip(t *testing.T) {
	p := []*device.Param{param([]float32{1}, []float32{3}, true), param([]float32{1, 1}, []float32{0, 4}, true)}
	if n := require.Value(GradientNorm(p, nil, 2))(t); n != 5 {
		t.Errorf("norm %g, want 5", n)
	}
	if ClipScale(5, 1) != 0.2 || ClipScale(5, 0) != 1 || ClipScale(0.5, 1) != 1 {
		t.Error("gradients are clipped by the wrong factor")
	}
	p[0].Grad[0] = float32(math.NaN())
	if n := require.Value(GradientNorm(p, nil, 1))(t); !math.IsNaN(n) {
		t.Errorf("norm of a gradient that is not a number: %g", n)
	}
}

func TestSchedules(t *testing.T) {
	for name, at := range map[string]map[int]float64{
		"cosine": {0: 1, 50: 0.5, 100: 0}, "one-cycle": {0: 0.04, 99: 1e-4},
		"halving": {0: 1, 9: 1, 10: 0.5, 35: 0.125}, "flat": {0: 1, 75: 1, 90: 0.4, 99: 0.04},
	} {
		schedule := require.Value(ParseSchedule(name, 10))(t)
		for step, want := range at {
			if got := schedule(step, 100); !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("%s at step %d: %g, want %g", name, step, got, want)
			}
		}
	}
	for step, want := range map[int]float64{0: 0.25, 3: falling(3, 100), 50: 0.5} {
		if got := WarmUp(4, falling)(step, 100); math.Abs(got-want) > 1e-9 {
			t.Errorf("warm-up at step %d: %g, want %g", step, got, want)
		}
	}
	highest := 0.0
	for step := range 100 {
		highest = max(highest, oneCycle(step, 100))
	}
	if highest < 0.99 || highest > 1 {
		t.Errorf("one-cycle reaches %g, want 1", highest)
	}
	if _, err := ParseSchedule("linear", 0); err == nil {
		t.Error("an unknown schedule gives no error")
	}
}

func TestAverage(t *testing.T) {
	p := param([]float32{0}, nil, true)
	a := NewAverage([]*device.Param{p}, 0.99, 2)
	p.Value[0] = 1
	a.Update()
	if got := a.Values[0][0]; !(math.Abs(float64(got)-0.9) <= 1e-6) {
		t.Errorf("average after one update is %g, want 0.9", got)
	}
	for range 5000 {
		a.Update()
	}
	if got := a.Values[0][0]; !(math.Abs(float64(got)-1) <= 1e-4) {
		t.Errorf("average of a weight that stays at 1 is %g", got)
	}
	p.Value[0] = 7
	a.Swap()
	if !(math.Abs(float64(p.Value[0])-1) <= 1e-4) || a.Values[0][0] != 7 {
		t.Errorf("swapped weight is %g and average %g", p.Value[0], a.Values[0][0])
	}
}
