//go:build (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"
	"unsafe"

	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Values of cuDNN's enumerations.
const (
	typeFloat, typeBFloat16 = 0, 9
	layoutNHWC              = 1
	crossCorrelation        = 1
)

// direction is a pass of a convolution.
type direction int

const (
	forward direction = iota
	byData
	byFilter
)

// conv is a [device.Conv].
type conv struct {
	*held
	filter uintptr // descriptor
	plans  map[planKey]plan
}

type planKey struct {
	direction direction
	n, h, w   int
}

// plan is an algorithm of cuDNN, the fastest for a shape in a trial.
type plan struct{ algorithm, math int32 }

// Param implements [device.Conv].
func (c *conv) Param() *device.Param { return c.param }

// Conv implements [device.Device].
func (d *Device) Conv(weight *device.Param, _ bool) device.Conv {
	c := &conv{held: d.hold(weight), plans: map[planKey]plan{}}
	d.do(func() error {
		if err := d.check("cudnnCreateFilterDescriptor", uintptr(unsafe.Pointer(&c.filter))); err != nil {
			return err
		}
		return d.check("cudnnSetFilter4dDescriptor", c.filter, d.dataType(), layoutNHWC, uintptr(pad(c.cout)), uintptr(pad(c.cin)), uintptr(c.k), uintptr(c.k))
	})
	return c
}

func (d *Device) dataType() uintptr {
	if d.half {
		return typeBFloat16
	}
	return typeFloat
}

// tensor returns the descriptor of a map.
func (d *Device) tensor(n, h, w, channels int) (t uintptr, err error) {
	key := [4]int{n, h, w, channels}
	if t := d.tensors[key]; t != 0 {
		return t, nil
	}
	if err := d.check("cudnnCreateTensorDescriptor", uintptr(unsafe.Pointer(&t))); err != nil {
		return 0, err
	}
	d.tensors[key] = t
	return t, d.check("cudnnSetTensor4dDescriptor", t, layoutNHWC, d.dataType(), uintptr(n), uintptr(channels), uintptr(h), uintptr(w))
}

// convolution returns the descriptor of a k×k convolution with a kind of arithmetic. Sums are in
// float32.
func (d *Device) convolution(k int, math int32) (c uintptr, err error) {
	key := [2]int32{int32(k), math}
	if c := d.convolutions[key]; c != 0 {
		return c, nil
	}
	if err := d.check("cudnnCreateConvolutionDescriptor", uintptr(unsafe.Pointer(&c))); err != nil {
		return 0, err
	}
	edge := uintptr(k / 2)
	if err := d.check("cudnnSetConvolution2dDescriptor", c, edge, edge, 1, 1, 1, 1, crossCorrelation, typeFloat); err != nil {
		return 0, err
	}
	d.convolutions[key] = c
	return c, d.check("cudnnSetConvolutionMathType", c, uintptr(math))
}

// trial is a result of cuDNN's trial of an algorithm: cudnnConvolutionFwdAlgoPerf_t and its
// siblings.
type trial struct {
	algorithm, status int32
	time              float32
	_                 int32
	memory            uintptr
	determinism, math int32
	_                 [4]int32
}

// plan tries all algorithms for a shape once, and returns the fastest. The trials overwrite the
// result of the direction. x is the convolution's input or the input's gradient, y is its output or
// the output's gradient.
func (d *Device) plan(c *conv, to direction, x, y *maps) (plan, error) {
	key := planKey{to, x.n, x.h, x.w}
	if p, ok := c.plans[key]; ok {
		return p, nil
	}
	desc, err := d.convolution(c.k, 1) // tensor cores
	if err != nil {
		return plan{}, err
	}
	var found int32
	trials := make([]trial, 16)
	count, results := uintptr(unsafe.Pointer(&found)), uintptr(unsafe.Pointer(&trials[0]))
	filter, space, bytes := d.copyOf(c), d.workspace.at, uintptr(d.workspace.bytes)
	switch to {
	case forward:
		err = d.check("cudnnFindConvolutionForwardAlgorithmEx", d.cudnn, x.tensor, x.data.at, c.filter, filter, desc, y.tensor, y.data.at,
			uintptr(len(trials)), count, results, space, bytes)
	case byData:
		err = d.check("cudnnFindConvolutionBackwardDataAlgorithmEx", d.cudnn, c.filter, filter, y.tensor, y.data.at, desc, x.tensor, x.data.at,
			uintptr(len(trials)), count, results, space, bytes)
	case byFilter:
		err = d.check("cudnnFindConvolutionBackwardFilterAlgorithmEx", d.cudnn, x.tensor, x.data.at, y.tensor, y.data.at, desc, c.filter, d.scratch.at,
			uintptr(len(trials)), count, results, space, bytes)
	}
	if err != nil {
		return plan{}, err
	}
	for _, t := range trials[:found] { // the fastest first
		if t.status == 0 && t.memory <= bytes {
			p := plan{t.algorithm, t.math}
			c.plans[key] = p
			return p, nil
		}
	}
	return plan{}, fmt.Errorf("cuDNN has no algorithm for %s with %d images of %d×%d pixels", c.param.Name, x.n, x.h, x.w)
}

// copyOf returns the address of the weights in the type of the maps.
func (d *Device) copyOf(c *conv) uintptr { return d.copies.at + uintptr(d.element()*c.place) }

// run runs a planned convolution. added makes it add to its result.
func (d *Device) run(c *conv, to direction, x, y *maps, added bool) error {
	p, err := d.plan(c, to, x, y)
	if err != nil {
		return err
	}
	desc, err := d.convolution(c.k, p.math)
	if err != nil {
		return err
	}
	one, beta := uintptr(unsafe.Pointer(&d.one)), uintptr(unsafe.Pointer(&d.zeroed))
	if added {
		beta = one
	}
	filter, space, bytes, algorithm := d.copyOf(c), d.workspace.at, uintptr(d.workspace.bytes), uintptr(p.algorithm)
	switch to {
	case forward:
		return d.check("cudnnConvolutionForward", d.cudnn, one, x.tensor, x.data.at, c.filter, filter, desc, algorithm, space, bytes, beta, y.tensor, y.data.at)
	case byData:
		return d.check("cudnnConvolutionBackwardData", d.cudnn, one, c.filter, filter, y.tensor, y.data.at, desc, algorithm, space, bytes, beta, x.tensor, x.data.at)
	}
	return d.check("cudnnConvolutionBackwardFilter", d.cudnn, one, x.tensor, x.data.at, y.tensor, y.data.at, desc, algorithm, space, bytes, beta, c.filter, d.scratch.at)
}

// filterGradient sets the gradient of a convolution's weights, or adds to it.
func (d *Device) filterGradient(in, dout *maps, c *conv) error {
	if err := d.run(c, byFilter, in, dout, false); err != nil {
		return err
	}
	return d.launch("gather", d.flat(c.padded), c.on(d.gradients), d.scratch.at, uintptr(c.padded), flag(d.accumulate))
}

// Backward implements [device.Device].
func (d *Device) Backward(din device.Map, paths ...device.Path) {
	x := din.(*maps)
	d.do(func() error {
		for _, p := range paths { // trials overwrite din
			if _, err := d.plan(p.Conv.(*conv), byData, x, p.Gradient.(*maps)); err != nil {
				return err
			}
		}
		for i, p := range paths {
			if err := d.run(p.Conv.(*conv), byData, x, p.Gradient.(*maps), i > 0); err != nil {
				return err
			}
		}
		return nil
	})
}
