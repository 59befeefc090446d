package nn

import (
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
)

// Activation is what a layer does to each value.
type Activation int

const (
	Identity  Activation = iota
	ReLU                 // max(x, 0)
	ReLU6                // min(max(x, 0), 6)
	HardSwish            // x·min(max(x + 3, 0), 6)/6
)

// Run applies the activation to a map, in place. All of them leave zero, and so a border,
// as it is.
func (a Activation) Run(c *Context, m *Map) {
	c.Split(len(m.Data)/kernel.Lanes, func(from, to int) {
		a.apply(c.Kernels, m.Data[from*kernel.Lanes:to*kernel.Lanes])
	})
}

// apply applies the activation to whole vectors of values.
func (a Activation) apply(set *kernel.Set, values []float32) {
	switch a {
	case ReLU:
		set.Clamp(values, math.MaxFloat32)
	case ReLU6:
		set.Clamp(values, 6)
	case HardSwish:
		set.HardSwish(values)
	}
}
