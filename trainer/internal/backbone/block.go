package backbone

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/trainer/internal/device"
)

// block is a residual block. It keeps the input of every convolution and normalization for the
// backward pass.
type block struct {
	device                            device.Device
	out                               int
	first                             bool // the input is the network's
	conv1, conv2, conv3, shortcut     device.Conv
	norm1, norm2, norm3, normShortcut device.Norm
	in                                device.Map
	z1, y1, z2, y2, z3, zs, pooled    device.Map
	dz, dzs, din                      device.Map // gradients of the block's size, and of its input; made by backward
}

func newBlock(d device.Device, prefix string, first bool, in, out int, r *rand.Rand) *block {
	conv := func(name string, first bool, k, in int) device.Conv {
		return d.Conv(device.NewFilters(prefix+name+".weight", first, k, in, out, r), first)
	}
	norm := func(name string) device.Norm { return d.Norm(device.NewBatchNorm(prefix+name, out)) }
	return &block{
		device: d, out: out, first: first,
		conv2: conv("conv2", false, 3, out), conv3: conv("conv3", false, 3, out),
		conv1: conv("conv1", first, 3, in), shortcut: conv("downsample.0", first, 1, in),
		norm1: norm("bn1"), norm2: norm("bn2"), norm3: norm("bn3"), normShortcut: norm("downsample.1"),
	}
}

func (b *block) norms() []*device.BatchNorm {
	return []*device.BatchNorm{b.norm1.State(), b.norm2.State(), b.norm3.State(), b.normShortcut.State()}
}

func (b *block) params() (params []*device.Param) {
	norms := b.norms()
	for i, conv := range []device.Conv{b.conv1, b.conv2, b.conv3, b.shortcut} {
		params = append(params, conv.Param(), &norms[i].Weight, &norms[i].Bias)
	}
	return params
}

// resize allocates the maps for an input of the size of in.
func (b *block) resize(in device.Map) {
	b.in = in
	n, h, w, _ := in.Size()
	if fits(b.z1, n, h, w) {
		return
	}
	b.release()
	for _, m := range []*device.Map{&b.z1, &b.y1, &b.z2, &b.y2, &b.z3, &b.zs} {
		*m = b.device.Map(n, h, w, b.out)
	}
	b.pooled = b.device.Map(n, h/2, w/2, b.out)
}

// release drops all maps.
func (b *block) release() {
	for _, m := range []*device.Map{&b.z1, &b.y1, &b.z2, &b.y2, &b.z3, &b.zs, &b.pooled, &b.dz, &b.dzs, &b.din} {
		*m = nil
	}
}

// fits reports whether m has n images of h×w pixels. m may be nil.
func fits(m device.Map, n, h, w int) bool {
	if m == nil {
		return false
	}
	mn, mh, mw, _ := m.Size()
	return mn == n && mh == h && mw == w
}

func (b *block) forward(in device.Map) device.Map {
	b.resize(in)
	d := b.device
	d.Convolve(b.z1, in, b.conv1, b.norm1)
	d.Normalize(b.y1, b.z1, b.norm1)
	d.Convolve(b.z2, b.y1, b.conv2, b.norm2)
	d.Normalize(b.y2, b.z2, b.norm2)
	d.Convolve(b.zs, in, b.shortcut, b.normShortcut)
	d.Convolve(b.z3, b.y2, b.conv3, b.norm3)
	d.Join(b.pooled, b.z3, b.zs, b.norm3, b.normShortcut)
	return b.pooled
}

// backward returns the gradient of the input from the gradient of the output; nil for the first
// block.
func (b *block) backward(g device.Map) device.Map {
	d := b.device
	if b.dz == nil {
		n, h, w, c := b.in.Size()
		b.dz, b.dzs = d.Map(n, h, w, b.out), d.Map(n, h, w, b.out)
		if !b.first {
			b.din = d.Map(n, h, w, c)
		}
	}
	d.Split(b.dz, b.dzs, g, b.z3, b.zs, b.norm3, b.normShortcut)

	dz2 := b.z3 // no longer needed
	d.WeightGradient(b.y2, device.Path{Conv: b.conv3, Gradient: b.dz})
	d.Descend(dz2, device.Path{Conv: b.conv3, Gradient: b.dz}, b.y2, b.z2, b.norm2)
	d.WeightGradient(b.y1, device.Path{Conv: b.conv2, Gradient: dz2})
	d.Descend(b.dz, device.Path{Conv: b.conv2, Gradient: dz2}, b.y1, b.z1, b.norm1)

	paths := []device.Path{{Conv: b.conv1, Gradient: b.dz}, {Conv: b.shortcut, Gradient: b.dzs}}
	d.WeightGradient(b.in, paths...)
	if !b.first {
		d.Backward(b.din, paths...)
	}
	return b.din
}
