//go:build (amd64 || arm64) && !nocuda

package cuda

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// store holds all weights of a network in the card's memory: the filters of the convolutions first,
// then the weights and biases of the normalizations. Its arrays are laid out before the first
// forward pass, when all layers are known.
type store struct {
	filters, vectors []*held
	norms            []*norm
	of               map[*device.Param]*held

	values, gradients, velocity, averages *memory // [size]
	copies                                *memory // of the filters, in the type of the maps
	running                               *memory // mean and variance of each normalization
	sums                                  *memory // of squares
	decayed, size                         int     // values of the filters, and of all weights
	statistics                            int

	hostVelocity, hostAverages map[*device.Param][]float32
	stale                      bool // the host has newer weights or statistics
}

func newStore() store { return store{of: map[*device.Param]*held{}, stale: true} }

// held is a parameter in the card's memory: [cout, k, k, cin] with padding, or [c].
type held struct {
	param         *device.Param
	cout, k, cin  int // without padding
	place, padded int // in values; its size
}

// on returns the address of the parameter in an array of the store.
func (h *held) on(array *memory) uintptr { return array.at + uintptr(4*h.place) }

// hold adds a parameter to the store. The host's changes reach the card before the next forward
// pass.
func (d *Device) hold(p *device.Param) *held {
	shape := p.Shape()
	h := &held{param: p, cout: shape[0], k: 1, cin: 1, padded: pad(shape[0])}
	if len(shape) == 4 {
		h.cin, h.k = shape[1], shape[2]
		h.padded *= h.k * h.k * pad(h.cin)
		d.filters = append(d.filters, h)
	} else {
		d.vectors = append(d.vectors, h)
	}
	d.of[p] = h
	p.Changed = d.after(p.Changed)
	return h
}

// after returns a function that calls then and marks the card's weights as old.
func (d *Device) after(then func()) func() {
	return func() {
		then()
		d.stale = true
	}
}

// Norm implements [device.Device].
func (d *Device) Norm(bn *device.BatchNorm) device.Norm {
	n := &norm{bn: bn, channels: pad(bn.Weight.Shape()[0]), weight: d.hold(&bn.Weight), bias: d.hold(&bn.Bias), running: d.statistics}
	bn.Changed = d.after(bn.Changed)
	d.statistics += 2 * n.channels
	d.norms = append(d.norms, n)
	return n
}

// layOut allocates the arrays.
func (d *Device) layOut() error {
	if d.values != nil {
		return nil
	}
	largest := 0
	for _, h := range d.filters {
		h.place = d.size
		d.size += h.padded
		largest = max(largest, h.padded)
	}
	d.decayed = d.size
	for _, h := range d.vectors {
		h.place = d.size
		d.size += h.padded
	}
	for _, a := range []struct {
		of    **memory
		bytes int
	}{
		{&d.values, 4 * d.size}, {&d.gradients, 4 * d.size}, {&d.velocity, 4 * d.size}, {&d.averages, 4 * d.size},
		{&d.copies, d.element() * d.decayed}, {&d.running, 4 * d.statistics}, {&d.scratch, d.element() * largest}, {&d.sums, 8 * squareBlocks},
	} {
		var err error
		if *a.of, err = d.allocate(a.bytes); err != nil {
			return err
		}
		if err := d.zero(*a.of); err != nil {
			return err
		}
	}
	for _, n := range d.norms {
		var err error
		if n.state, err = d.allocate(7 * 4 * n.channels); err != nil {
			return err
		}
		if err := d.zero(n.state); err != nil {
			return err
		}
	}
	return nil
}

// refresh takes weights and running statistics from the host if they are newer there.
func (d *Device) refresh() error {
	if !d.stale {
		return nil
	}
	if err := d.layOut(); err != nil {
		return err
	}
	d.stale = false
	if err := d.send(d.values, func(p *device.Param) []float32 { return p.Value }); err != nil {
		return err
	}
	values := make([]float32, d.statistics)
	for _, n := range d.norms {
		copy(values[n.running:][:n.channels], n.bn.Mean[:n.weight.cout])
		copy(values[n.running+n.channels:][:n.channels], n.bn.Variance[:n.weight.cout])
	}
	if err := d.upload(d.running.at, unsafe.Pointer(&values[0]), 4*len(values)); err != nil {
		return err
	}
	if err := d.synchronize(); err != nil {
		return err
	}
	return d.launch("fromFloats", d.flat(d.decayed), d.copies.at, d.values.at, 1, uintptr(d.decayed), uintptr(d.decayed))
}

// send copies values of all parameters to an array.
func (d *Device) send(to *memory, of func(*device.Param) []float32) error {
	values := make([]float32, d.size)
	d.each(func(h *held) {
		t := h.param.Export(of(h.param))
		h.order(func(card, host int) { values[h.place+card] = t.Data[host] })
	})
	if err := d.upload(to.at, unsafe.Pointer(&values[0]), 4*len(values)); err != nil {
		return err
	}
	return d.synchronize()
}

// fetch copies an array to values of all parameters.
func (d *Device) fetch(from *memory, of func(*device.Param) []float32) error {
	values := make([]float32, d.size)
	if err := d.download(unsafe.Pointer(&values[0]), from.at, 4*len(values)); err != nil {
		return err
	}
	d.each(func(h *held) {
		t := tensor.New(h.param.Shape()...)
		h.order(func(card, host int) { t.Data[host] = values[h.place+card] })
		h.param.Store(of(h.param), t)
	})
	return nil
}

// each calls do for all parameters at once.
func (d *Device) each(do func(h *held)) {
	var wait sync.WaitGroup
	for _, h := range d.of {
		wait.Go(func() { do(h) })
	}
	wait.Wait()
}

// order calls do with the places of every value: on the card, and in a tensor [cout, cin, k, k] or
// [c].
func (h *held) order(do func(card, host int)) {
	cin, taps := h.padded/pad(h.cout)/(h.k*h.k), h.k*h.k
	for o := range h.cout {
		for t := range taps {
			for i := range h.cin {
				do((o*taps+t)*cin+i, (o*h.cin+i)*taps+t)
			}
		}
	}
}

// Memory implements [device.Resident].
func (d *Device) Memory() int64 { return int64(d.total) }

// Recover implements [device.Resident].
func (d *Device) Recover() { d.err = nil }

// Holds implements [device.Resident].
func (d *Device) Holds(p *device.Param) bool { return d.of[p] != nil }

// Bind implements [device.Resident].
func (d *Device) Bind(velocity, averages map[*device.Param][]float32) {
	d.hostVelocity, d.hostAverages = velocity, averages
}

// copied is an array of the card with its copies on the host.
type copied struct {
	card *memory
	host map[*device.Param][]float32
}

// bound returns momentum and averages, if the host has copies.
func (d *Device) bound() []copied {
	all := []copied{{d.velocity, d.hostVelocity}, {d.averages, d.hostAverages}}
	return slices.DeleteFunc(all, func(c copied) bool { return c.host == nil })
}

// Pull implements [device.Resident].
func (d *Device) Pull() error {
	d.do(func() error {
		if err := d.refresh(); err != nil {
			return err
		}
		if err := d.fetch(d.values, func(p *device.Param) []float32 { return p.Value }); err != nil {
			return err
		}
		for _, c := range d.bound() {
			if err := d.fetch(c.card, func(p *device.Param) []float32 { return c.host[p] }); err != nil {
				return err
			}
		}
		return d.pullStatistics()
	})
	return d.Err()
}

func (d *Device) pullStatistics() error {
	values := make([]float32, d.statistics)
	if err := d.download(unsafe.Pointer(&values[0]), d.running.at, 4*len(values)); err != nil {
		return err
	}
	for _, n := range d.norms {
		copy(n.bn.Mean, values[n.running:][:n.weight.cout])
		copy(n.bn.Variance, values[n.running+n.channels:][:n.weight.cout])
	}
	return nil
}

// Push implements [device.Resident].
func (d *Device) Push() error {
	d.do(func() error {
		d.stale = true
		if err := d.refresh(); err != nil {
			return err
		}
		for _, c := range d.bound() {
			if err := d.send(c.card, func(p *device.Param) []float32 { return c.host[p] }); err != nil {
				return err
			}
		}
		return nil
	})
	return d.Err()
}

// Gradients implements [device.Resident].
func (d *Device) Gradients() error {
	d.do(func() error { return d.fetch(d.gradients, func(p *device.Param) []float32 { return p.Grad }) })
	return d.Err()
}

const squareBlocks = 256

// Squares implements [device.Resident].
func (d *Device) Squares() (sum float64, err error) {
	var partial [squareBlocks]float64
	d.do(func() error {
		if err := d.launch("squares", grid{blocks: squareBlocks, threads: 256}, d.sums.at, d.gradients.at, uintptr(d.size)); err != nil {
			return err
		}
		return d.download(unsafe.Pointer(&partial[0]), d.sums.at, 8*squareBlocks)
	})
	for _, s := range partial {
		sum += s
	}
	return sum, d.Err()
}

// Step implements [device.Resident].
func (d *Device) Step(u device.Update) {
	d.do(func() error {
		for _, part := range []struct {
			from, to int
			copies   uintptr
			decay    float32
		}{{0, d.decayed, d.copies.at, u.Decay}, {d.decayed, d.size, 0, 0}} {
			at := uintptr(4 * part.from)
			if err := d.launch("sgd", d.flat(part.to-part.from), d.values.at+at, part.copies, d.gradients.at+at, d.velocity.at+at,
				uintptr(part.to-part.from), float(u.Rate), float(u.Scale), float(u.Momentum), float(part.decay), flag(u.Nesterov)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Average implements [device.Resident].
func (d *Device) Average(keep float32) {
	d.do(func() error {
		return d.launch("average", d.flat(d.size), d.averages.at, d.values.at, uintptr(d.size), float(keep))
	})
}
