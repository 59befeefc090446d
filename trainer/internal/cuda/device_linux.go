//go:build amd64 || arm64

package cuda

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Device is an NVIDIA card as a [device.Device]. Maps are in float32 or bfloat16, and channels are padded with zeros to a
// multiple of 8. The weights stay in float32, with a copy in the type of the maps.
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

// maxGroups limits the groups of 8 channels: a block has a thread for each.
const maxGroups = 512

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

// element is the size in bytes of a map's values.
func (d *Device) element() int {
	if d.half {
		return 2
	}
	return 4
}

// maps is a [device.Map]. For a map that ends a block, it has what Split needs of the last Join.
type maps struct {
	n, h, w, c       int
	groups           int // of 8 channels, with padding
	data             *memory
	tensor           uintptr
	chosen, zOf, sOf *memory
}

// Size implements [device.Map].
func (m *maps) Size() (n, h, w, c int) { return m.n, m.h, m.w, m.c }

func (m *maps) rows() int   { return m.n * m.h * m.w }
func (m *maps) padded() int { return m.groups * 8 }
func (m *maps) values() int { return m.rows() * m.padded() }

func pad(c int) int { return (c + 7) &^ 7 }

// Map implements [device.Device].
func (d *Device) Map(n, h, w, c int) device.Map {
	var m *maps
	d.do(func() (err error) {
		m, err = d.newMap(n, h, w, c)
		return err
	})
	if m == nil {
		m = &maps{n: n, h: h, w: w, c: c}
	}
	return m
}

func (d *Device) newMap(n, h, w, c int) (m *maps, err error) {
	m = &maps{n: n, h: h, w: w, c: c, groups: pad(c) / 8}
	if m.groups > maxGroups {
		return nil, fmt.Errorf("%d channels, a card takes %d at most", c, 8*maxGroups)
	}
	if m.tensor, err = d.tensor(n, h, w, m.padded()); err != nil {
		return nil, err
	}
	m.data, err = d.allocate(m.values() * d.element())
	return m, err
}

// staging returns n pinned values for a purpose. Earlier copies from them have ended.
func (d *Device) staging(purpose string, n int) (values []float32, err error) {
	if d.uploading {
		if err := d.synchronize(); err != nil {
			return nil, err
		}
		d.uploading = false
	}
	held := d.staged[purpose]
	if len(held) < n {
		if held != nil {
			d.call("cuMemFreeHost", uintptr(unsafe.Pointer(&held[0])))
		}
		if held, err = d.floats(n); err != nil {
			return nil, err
		}
		d.staged[purpose] = held
	}
	return held[:n], nil
}

// copyShared copies values on several goroutines.
func copyShared(to, from []float32) {
	const each = 1 << 18
	var wait sync.WaitGroup
	for at := 0; at < len(from); at += each {
		wait.Go(func() { copy(to[at:], from[at:min(at+each, len(from))]) })
	}
	wait.Wait()
}

// fill sets a map from values [rows, c] on the host.
func (d *Device) fill(m *maps, purpose string, values []float32) error {
	held, err := d.staging(purpose, len(values))
	if err != nil {
		return err
	}
	copyShared(held, values)
	if d.imagesIn, err = d.grown(d.imagesIn, 4*len(values)); err != nil {
		return err
	}
	if err := d.upload(d.imagesIn.at, unsafe.Pointer(&held[0]), 4*len(held)); err != nil {
		return err
	}
	d.uploading = true
	return d.launch("fromFloats", d.flat(m.values()), m.data.at, d.imagesIn.at, uintptr(m.rows()), uintptr(m.c), uintptr(m.padded()))
}

// grown returns m if it has enough memory.
func (d *Device) grown(m *memory, bytes int) (*memory, error) {
	if m != nil && m.bytes >= bytes {
		return m, nil
	}
	return d.allocate(bytes)
}

// Images implements [device.Device].
func (d *Device) Images(images []float32, n, h, w int) device.Map {
	d.do(func() (err error) {
		if err := d.refresh(); err != nil {
			return err
		}
		if d.input == nil || d.input.n != n || d.input.h != h || d.input.w != w {
			if d.input, err = d.newMap(n, h, w, 3); err != nil {
				return err
			}
		}
		return d.fill(d.input, "images", images)
	})
	if d.input == nil {
		return &maps{n: n, h: h, w: w, c: 3}
	}
	return d.input
}

// SetGradient implements [device.Device].
func (d *Device) SetGradient(m device.Map, values []float32) {
	d.do(func() error { return d.fill(m.(*maps), "gradient", values) })
}

// Features implements [device.Device].
func (d *Device) Features(of device.Map) *nn.Map {
	m := of.(*maps)
	d.features = d.features.Fit(m.n, m.h, m.w, m.c)
	d.do(func() error {
		n := m.rows() * m.c
		held, err := d.staging("features", n)
		if err != nil {
			return err
		}
		if d.imagesIn, err = d.grown(d.imagesIn, 4*n); err != nil {
			return err
		}
		if err := d.launch("toFloats", d.flat(n), d.imagesIn.at, m.data.at, uintptr(m.rows()), uintptr(m.c), uintptr(m.padded())); err != nil {
			return err
		}
		if err := d.download(unsafe.Pointer(&held[0]), d.imagesIn.at, 4*n); err != nil {
			return err
		}
		d.features.Load(held)
		return nil
	})
	return d.features
}

// Blend implements [device.Device].
func (d *Device) Blend(of device.Map, share float32, partners []int) {
	m := of.(*maps)
	d.do(func() error {
		other := d.spare[m.data.bytes]
		if other == nil {
			var err error
			if other, err = d.allocate(m.data.bytes); err != nil {
				return err
			}
		}
		numbers := make([]int32, len(partners))
		for i, p := range partners {
			numbers[i] = int32(p)
		}
		var err error
		if d.numbers, err = d.grown(d.numbers, 4*len(numbers)); err != nil {
			return err
		}
		if err := d.upload(d.numbers.at, unsafe.Pointer(&numbers[0]), 4*len(numbers)); err != nil {
			return err
		}
		all := m.values() / 8
		err = d.launch("blend", d.flat(all), other.at, m.data.at, d.numbers.at, uintptr(all/m.n), uintptr(all), real(share))
		d.spare[m.data.bytes], m.data = m.data, other
		runtime.KeepAlive(numbers)
		return err
	})
}

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
		if err := d.forward(y, in.(*maps), by.(*conv)); err != nil {
			return err
		}
		g := d.rows(y.rows(), y.groups, perProcessor)
		if n.bn.Frozen {
			g.blocks = 0 // no sums
		} else if err := d.launch("moments", g, d.partial.at, y.data.at, uintptr(y.rows()), uintptr(y.groups)); err != nil {
			return err
		}
		return d.launch("statistics", channelGrid(n.channels), n.state.at, d.running.at+uintptr(4*n.running), n.weight.on(d.values), n.bias.on(d.values),
			d.partial.at, uintptr(g.blocks), uintptr(n.channels), real(float32(y.rows())), real(n.bn.Momentum), flag(n.bn.Frozen), real(float32(nn.BatchNormEpsilon)))
	})
}

// channelGrid is the launch of a kernel that adds partial sums: 32 channels for each block.
func channelGrid(channels int) grid { return grid{blocks: (channels + 31) / 32, threads: 256} }

// Normalize implements [device.Device].
func (d *Device) Normalize(out, z device.Map, of device.Norm) {
	y, x := out.(*maps), z.(*maps)
	d.do(func() error {
		return d.launch("normalize", d.rows(x.rows(), x.groups, 2*perProcessor), y.data.at, x.data.at, of.(*norm).state.at,
			uintptr(x.rows()), uintptr(x.groups), real(float32(nn.LeakySlope)))
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
			a.(*norm).state.at, b.(*norm).state.at, uintptr(p.rows()), uintptr(p.groups), uintptr(x.h), uintptr(x.w), real(float32(nn.LeakySlope)))
	})
}

// Split implements [device.Device].
func (d *Device) Split(dz, dzs, dpooled, z, zs device.Map, na, nb device.Norm) {
	p, x, s, a, b := dpooled.(*maps), z.(*maps), zs.(*maps), na.(*norm), nb.(*norm)
	d.do(func() error {
		slope := real(float32(nn.LeakySlope))
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

// slopes ends the backward pass of a normalization's statistics. The partial sums have the given number of
// columns, and the product with z in one of them.
func (d *Device) slopes(n *norm, blocks, columns, product, rows int) error {
	return d.launch("slopes", channelGrid(n.channels), n.state.at, n.weight.on(d.gradients), n.bias.on(d.gradients), n.weight.on(d.values),
		d.partial.at, uintptr(blocks), uintptr(columns), uintptr(product), uintptr(n.channels), real(float32(rows)), flag(n.bn.Frozen), flag(d.accumulate))
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
		slope := real(float32(nn.LeakySlope))
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
