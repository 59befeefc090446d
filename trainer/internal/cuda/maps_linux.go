//go:build (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// maxGroups limits the groups of 8 channels: a block has a thread for each.
const maxGroups = 512

// element is the size in bytes of a map's values.
func (d *Device) element() int {
	if d.half {
		return 2
	}
	return 4
}

// maps is a [device.Map]. A map that ends a block also has the choices of the last Join, for Split.
type maps struct {
	n, h, w, c       int
	groups           int // of 8 channels, with padding
	data             *memory
	tensor           uintptr
	chosen, zOf, sOf *memory
}

// Size implements [device.Map].
func (m *maps) Size() (n, h, w, c int) { return m.n, m.h, m.w, m.c }

func (m *maps) rows() int { return m.n * m.h * m.w }

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
		err = d.launch("blend", d.flat(all), other.at, m.data.at, d.numbers.at, uintptr(all/m.n), uintptr(all), float(share))
		d.spare[m.data.bytes], m.data = m.data, other
		runtime.KeepAlive(numbers)
		return err
	})
}
