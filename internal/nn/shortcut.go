package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Shortcut is a 1×1 convolution without bias or activation: the shortcut of a residual block.
type Shortcut struct {
	filters *tensor.Tensor // [Cout, Cin, 1, 1]
	in, out int            // stored channels
	packed  []float32
}

// NewShortcut returns a convolution with filters [Cout, Cin, 1, 1].
func NewShortcut(filters *tensor.Tensor) *Shortcut {
	filters.MustShape("filters of a 1×1 convolution", -1, -1, 1, 1)
	return &Shortcut{filters: filters, out: kernel.Pad(filters.Shape[0])}
}

func (s *Shortcut) pack(set *kernel.Set, channels int) {
	cout, cin := s.filters.Shape[0], s.filters.Shape[1]
	s.in = channels
	s.packed = kernel.NewPacked(kernel.PackedLen(s.in, s.out))
	set.Pack(s.packed, s.in, s.out, func(i, o int) float32 {
		if o >= cout || i >= cin {
			return 0
		}
		return s.filters.Data[o*cin+i]
	})
}

// Run computes out = conv(in).
func (s *Shortcut) Run(c *Context, out, in *Map) {
	if in.C != s.filters.Shape[1] || out.C != s.filters.Shape[0] || in.N != out.N || in.H != out.H || in.W != out.W {
		panic(fmt.Sprintf("nn: convolution %v from %d×%d×%d×%d to %d×%d×%d×%d", s.filters.Shape,
			in.N, in.H, in.W, in.C, out.N, out.H, out.W, out.C))
	}
	if s.packed == nil {
		s.pack(c.Kernels, in.Channels)
	}
	c.Split(in.N*in.H, func(from, to int) {
		for row := from; row < to; row++ {
			n, y := row/in.H, row%in.H
			c.Kernels.Gemm(in.W, s.in, s.out, in.Data[in.At(n, y, 0):], s.in, s.packed, out.Data[out.At(n, y, 0):], s.out, false)
		}
	})
}
