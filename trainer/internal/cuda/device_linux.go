//go:build (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Device is an NVIDIA card as a [device.Device]. Maps are in float32 or bfloat16, and channels are
// padded with zeros to a multiple of 8. The weights stay in float32, with a copy in the type of the
// maps.
type Device struct {
	*card
	number     int
	half       bool
	accumulate bool

	store // weights

	partial, workspace *memory
	scratch            *memory // of a convolution's gradient
	convolutions       map[[2]int32]uintptr
	tensors            map[[4]int]uintptr

	input             *maps
	spare             map[int]*memory // for blends, by size
	imagesIn, numbers *memory
	staged            map[string][]float32 // pinned
	uploading         bool
	features          *nn.Map
	one, zeroed       float32
}

var _ device.Device = (*Device)(nil)

// perProcessor is the number of a kernel's blocks for each processor of the card.
const perProcessor = 8

// Open opens a card by its number. half selects bfloat16.
//
// # Errors
//
// Libraries that are missing or too old, with the package that has them; an unknown number.
func Open(number int, half bool) (device.Device, error) {
	var options []string
	if half {
		options = []string{"-DHALF"}
	}
	c, err := openCard(number, options...)
	if err != nil {
		return nil, err
	}
	d := &Device{
		card: c, number: number, half: half, store: newStore(), one: 1,
		convolutions: map[[2]int32]uintptr{}, tensors: map[[4]int]uintptr{}, staged: map[string][]float32{}, spare: map[int]*memory{},
	}
	d.do(func() (err error) {
		if d.partial, err = d.allocate(perProcessor * c.processors * 3 * 8 * maxGroups * 4); err != nil {
			return err
		}
		d.workspace, err = d.allocate(min(1<<30, c.total/16))
		return err
	})
	if err := d.Err(); err != nil {
		_ = d.Close() // memory is short
		return nil, err
	}
	return d, nil
}

// Name implements [device.Device].
func (d *Device) Name() string { return fmt.Sprintf("cuda:%d (%s)", d.number, d.card.name) }

// Err implements [device.Device].
func (d *Device) Err() error {
	if d.err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", d.Name(), d.err)
}

// Accumulate implements [device.Device].
func (d *Device) Accumulate(on bool) { d.accumulate = on }

// Resident implements [device.Device].
func (d *Device) Resident() device.Resident { return d }

// MeanPool implements [device.Resident].
func (d *Device) MeanPool(mean, m device.Map) { d.pool("meanPool", mean.(*maps), m.(*maps)) }

// Spread implements [device.Resident].
func (d *Device) Spread(dm, dmean device.Map) { d.pool("spread", dmean.(*maps), dm.(*maps)) }

func (d *Device) pool(kernel string, mean, whole *maps) {
	to, from := mean, whole
	if kernel == "spread" {
		to, from = whole, mean
	}
	d.do(func() error {
		return d.launch(kernel, d.flat(mean.values()), to.data.at, from.data.at, uintptr(whole.h*whole.w), uintptr(mean.values()), uintptr(mean.padded()))
	})
}

// norm is a [device.Norm].
type norm struct {
	bn       *device.BatchNorm
	channels int // with padding
	weight   *held
	bias     *held
	running  int // place of mean and variance
	state    *memory
}

// State implements [device.Norm].
func (n *norm) State() *device.BatchNorm { return n.bn }

// Convolve implements [device.Device].
func (d *Device) Convolve(out, in device.Map, by device.Conv, of device.Norm) {
	y, n := out.(*maps), of.(*norm)
	d.do(func() error {
		if err := d.run(by.(*conv), forward, in.(*maps), y, false); err != nil {
			return err
		}
		g := d.rows(y.rows(), y.groups, perProcessor)
		if n.bn.Frozen {
			g.blocks = 0 // no sums
		} else if err := d.launch("moments", g, d.partial.at, y.data.at, uintptr(y.rows()), uintptr(y.groups)); err != nil {
			return err
		}
		return d.launch("statistics", channelGrid(n.channels), n.state.at, d.running.at+uintptr(4*n.running), n.weight.on(d.values), n.bias.on(d.values),
			d.partial.at, uintptr(g.blocks), uintptr(n.channels), float(float32(y.rows())), float(n.bn.Momentum), flag(n.bn.Frozen), float(float32(nn.BatchNormEpsilon)))
	})
}

// channelGrid is the launch of a kernel that adds partial sums: 32 channels for each block.
func channelGrid(channels int) grid { return grid{blocks: (channels + 31) / 32, threads: 256} }

// Normalize implements [device.Device].
func (d *Device) Normalize(out, z device.Map, of device.Norm) {
	y, x := out.(*maps), z.(*maps)
	d.do(func() error {
		return d.launch("normalize", d.rows(x.rows(), x.groups, 2*perProcessor), y.data.at, x.data.at, of.(*norm).state.at,
			uintptr(x.rows()), uintptr(x.groups), float(float32(nn.LeakySlope)))
	})
}

// Join implements [device.Device].
func (d *Device) Join(pooled, z, zs device.Map, a, b device.Norm) {
	p, x, s := pooled.(*maps), z.(*maps), zs.(*maps)
	d.do(func() (err error) {
		if x.chosen == nil {
			for _, m := range []struct {
				of   **memory
				each int
			}{{&x.chosen, 1}, {&x.zOf, d.element()}, {&x.sOf, d.element()}} {
				if *m.of, err = d.allocate(p.values() * m.each); err != nil {
					return err
				}
			}
		}
		return d.launch("join", d.rows(p.rows(), p.groups, 2*perProcessor), p.data.at, x.chosen.at, x.zOf.at, x.sOf.at, x.data.at, s.data.at,
			a.(*norm).state.at, b.(*norm).state.at, uintptr(p.rows()), uintptr(p.groups), uintptr(x.h), uintptr(x.w), float(float32(nn.LeakySlope)))
	})
}

// Split implements [device.Device].
func (d *Device) Split(dz, dzs, dpooled, z, zs device.Map, na, nb device.Norm) {
	p, x, s, a, b := dpooled.(*maps), z.(*maps), zs.(*maps), na.(*norm), nb.(*norm)
	d.do(func() error {
		slope := float(float32(nn.LeakySlope))
		g := d.rows(p.rows(), p.groups, perProcessor)
		if err := d.launch("splitMoments", g, d.partial.at, p.data.at, x.chosen.at, x.zOf.at, x.sOf.at, uintptr(p.rows()), uintptr(p.groups), slope); err != nil {
			return err
		}
		for i, n := range []*norm{a, b} {
			if err := d.slopes(n, g.blocks, 3, 1+i, x.rows()); err != nil {
				return err
			}
		}
		windows := x.n * ((x.h + 1) / 2) * ((x.w + 1) / 2)
		return d.launch("split", d.rows(windows, x.groups, 2*perProcessor), dz.(*maps).data.at, dzs.(*maps).data.at, p.data.at, x.chosen.at,
			x.data.at, s.data.at, a.state.at, b.state.at, uintptr(windows), uintptr(x.groups), uintptr(x.h), uintptr(x.w), slope)
	})
}

// slopes ends the backward pass of a normalization's statistics. The partial sums have the given
// number of columns, and the product with z in one of them.
func (d *Device) slopes(n *norm, blocks, columns, product, rows int) error {
	return d.launch("slopes", channelGrid(n.channels), n.state.at, n.weight.on(d.gradients), n.bias.on(d.gradients), n.weight.on(d.values),
		d.partial.at, uintptr(blocks), uintptr(columns), uintptr(product), uintptr(n.channels), float(float32(rows)), flag(n.bn.Frozen), flag(d.accumulate))
}

// WeightGradient implements [device.Device].
func (d *Device) WeightGradient(in device.Map, paths ...device.Path) {
	d.do(func() error {
		for _, p := range paths {
			if err := d.filterGradient(in.(*maps), p.Gradient.(*maps), p.Conv.(*conv)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Descend implements [device.Device].
func (d *Device) Descend(dz device.Map, path device.Path, _, z device.Map, of device.Norm) {
	g, x, n := dz.(*maps), z.(*maps), of.(*norm)
	d.Backward(dz, path)
	d.do(func() error {
		slope := float(float32(nn.LeakySlope))
		sums := d.rows(x.rows(), x.groups, perProcessor)
		if err := d.launch("descendMoments", sums, d.partial.at, g.data.at, x.data.at, n.state.at, uintptr(x.rows()), uintptr(x.groups), slope); err != nil {
			return err
		}
		if err := d.slopes(n, sums.blocks, 2, 1, x.rows()); err != nil {
			return err
		}
		return d.launch("descend", d.rows(x.rows(), x.groups, 2*perProcessor), g.data.at, x.data.at, n.state.at, uintptr(x.rows()), uintptr(x.groups), slope)
	})
}
