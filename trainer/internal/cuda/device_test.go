//go:build linux && (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// open0 opens the first card, or skips the test.
func open0(t *testing.T, half bool) *Device {
	t.Helper()
	d, err := Open(0, half)
	if err != nil {
		t.Skipf("no card to test on: %v", err)
	}
	return d.(*Device)
}

// bench is a device with random maps, rounded to the device's type.
type bench struct {
	*testing.T
	d     *Device
	r     *rand.Rand
	limit float64
}

func (b *bench) round(v float64) float64 {
	if b.d.half {
		return float64(math.Float32frombits(kernel.RoundBFloat16(float32(v)) << 16))
	}
	return float64(float32(v))
}

func (b *bench) random(n, h, w, c int) *plain {
	p := newPlain(n, h, w, c)
	for i := range p.v {
		p.v[i] = b.round(b.r.NormFloat64() + 0.3)
	}
	return p
}

// send returns a map with the values of p.
func (b *bench) send(p *plain) device.Map {
	m := b.d.Map(p.n, p.h, p.w, p.c)
	values := make([]float32, len(p.v))
	for i, v := range p.v {
		values[i] = float32(v)
	}
	b.d.SetGradient(m, values)
	return m
}

func (b *bench) fetch(m device.Map) []float64 {
	n, h, w, c := m.Size()
	values := make([]float32, n*h*w*c)
	b.d.Features(m).Store(values)
	return widened(values)
}

// same compares with the reference by the relative error of the whole.
func (b *bench) same(what string, got, want []float64) {
	b.Helper()
	if err := b.d.Err(); err != nil {
		b.Fatalf("%s: %v", what, err)
	}
	var difference, size float64
	for i, v := range want {
		difference += (got[i] - v) * (got[i] - v)
		size += v * v
	}
	if e := math.Sqrt(difference / size); !(e < b.limit) {
		b.Errorf("%s: relative error %.2g, want less than %g", what, e, b.limit)
	} else {
		b.Logf("%s: relative error %.2g", what, e)
	}
}

// gradient returns the card's gradient of a parameter as a tensor in the reference's order.
func (b *bench) gradient(p *device.Param) []float64 {
	if err := b.d.Gradients(); err != nil {
		b.Fatal(err)
	}
	return widened(p.Export(p.Grad).Data)
}

// filters returns rounded weights as [cout][cin][k][k].
func (b *bench) filters(p *device.Param) []float64 {
	t := p.Export(p.Value)
	for i, v := range t.Data {
		t.Data[i] = float32(b.round(float64(v)))
	}
	p.Import(t)
	return widened(t.Data)
}

// TestOperations compares every operation with float64, at even and odd sizes, with channels that
// fill groups of 8 and channels that do not.
func TestOperations(t *testing.T) {
	for _, half := range []bool{false, true} {
		for _, shape := range [][5]int{{3, 6, 6, 8, 16}, {2, 5, 7, 12, 20}, {4, 7, 5, 16, 72}} {
			n, h, w, cin, cout := shape[0], shape[1], shape[2], shape[3], shape[4]
			t.Run(fmt.Sprint(half, shape), func(t *testing.T) {
				b := &bench{T: t, d: open0(t, half), r: rand.New(rand.NewPCG(rand.Uint64(), 1)), limit: 1e-3}
				if half {
					b.limit = 1e-2
				}
				b.block(n, h, w, cin, cout)
			})
		}
	}
}

// layer is a convolution with its normalization.
type layer struct {
	conv  device.Conv
	norm  device.Norm
	k     int
	value []float64
}

func (b *bench) layer(name string, k, cin, cout int) *layer {
	p := device.NewFilters(name, false, k, cin, cout, b.r)
	bn := device.NewBatchNorm(name+"bn", cout)
	for i := range cout {
		bn.Weight.Value[i], bn.Bias.Value[i] = float32(0.5+b.r.Float64()), float32(b.r.NormFloat64())
	}
	return &layer{conv: b.d.Conv(p, false), norm: b.d.Norm(bn), k: k, value: b.filters(p)}
}

// block checks the operations in the order of a residual block.
func (b *bench) block(n, h, w, cin, cout int) {
	d := b.d
	main, second, shortcut := b.layer("a", 3, cin, cout), b.layer("b", 3, cout, cout), b.layer("s", 1, cin, cout)
	d.Images(make([]float32, n*h*w*3), n, h, w) // sends the weights
	in := b.random(n, h, w, cin)
	x := b.send(in)
	b.same("maps", b.fetch(x), in.v)

	// Convolve and Normalize.
	forward := func(l *layer, from *plain, m device.Map) (z device.Map, want *plain, a affine) {
		want = newPlain(n, h, w, cout)
		convolve(from, want, l.k, func(out, x *float64, f int) { *out += *x * l.value[f] })
		z = d.Map(n, h, w, cout)
		d.Convolve(z, m, l.conv, l.norm)
		got := b.fetch(z)
		b.same("convolution", got, want.v)
		want.v = got // later layers start from the same values
		return z, want, statistics(want, l.norm.State())
	}
	z, zw, a := forward(main, in, x)
	y := d.Map(n, h, w, cout)
	d.Normalize(y, z, main.norm)
	yw := newPlain(n, h, w, cout)
	for i, v := range zw.v {
		yw.v[i] = a.scale[i%cout]*v + a.shift[i%cout]
		yw.v[i] *= slope(yw.v[i])
	}
	got := b.fetch(y)
	b.same("normalization", got, yw.v)
	yw.v = got

	// Join.
	z2, z2w, a2 := forward(second, yw, y)
	zs, zsw, as := forward(shortcut, in, x)
	pooled := d.Map(n, h/2, w/2, cout)
	d.Join(pooled, z2, zs, second.norm, shortcut.norm)
	best, from := newPlain(n, h/2, w/2, cout), map[int][3]int{}
	sum := func(n, y, x, c int) float64 {
		return a2.scale[c]*(*z2w.at(n, y, x, c)) + a2.shift[c] + as.scale[c]*(*zsw.at(n, y, x, c)) + as.shift[c]
	}
	best.each(func(n, y, x int) {
		for c := range cout {
			top := math.Inf(-1)
			for p := range 4 {
				if v := sum(n, 2*y+p/2, 2*x+p%2, c); v > top {
					top = v
					from[((n*best.h+y)*best.w+x)*cout+c] = [3]int{n, 2*y + p/2, 2*x + p%2}
				}
			}
			*best.at(n, y, x, c) = top * slope(top)
		}
	})
	b.same("pool", b.fetch(pooled), best.v)

	// Split.
	dp := b.random(n, h/2, w/2, cout)
	dz2, dzs := d.Map(n, h, w, cout), d.Map(n, h, w, cout)
	d.Split(dz2, dzs, b.send(dp), z2, zs, second.norm, shortcut.norm)
	g := newPlain(n, h, w, cout)
	for i, v := range dp.v {
		at, c := from[i], i%cout
		*g.at(at[0], at[1], at[2], c) = v * slope(sum(at[0], at[1], at[2], c))
	}
	check := func(what string, l *layer, a affine, g, z *plain, got device.Map) *plain {
		bn := l.norm.State()
		want, dweight, dbias := a.descend(g, z, bn)
		values := b.fetch(got)
		b.same(what, values, want.v)
		b.same(what+", weight", b.gradient(&bn.Weight), dweight)
		b.same(what+", bias", b.gradient(&bn.Bias), dbias)
		want.v = values
		return want
	}
	dz2w := check("split", second, a2, g, z2w, dz2)
	dzsw := check("split, shortcut", shortcut, as, g, zsw, dzs)

	// WeightGradient.
	weights := func(what string, l *layer, from, dout *plain, times float64) {
		want := make([]float64, len(l.value))
		convolve(from, dout, l.k, func(out, x *float64, f int) { want[f] += *out * *x * times })
		b.same(what, b.gradient(l.conv.Param()), want)
	}
	d.WeightGradient(y, device.Path{Conv: second.conv, Gradient: dz2})
	weights("weights", second, yw, dz2w, 1)
	d.Accumulate(true)
	d.WeightGradient(y, device.Path{Conv: second.conv, Gradient: dz2})
	d.Accumulate(false)
	weights("weights, added", second, yw, dz2w, 2)

	// Descend.
	dz := d.Map(n, h, w, cout)
	d.Descend(dz, device.Path{Conv: second.conv, Gradient: dz2}, y, z, main.norm)
	dy := newPlain(n, h, w, cout)
	convolve(dy, dz2w, 3, func(out, x *float64, f int) { *x += *out * second.value[f] })
	for i := range dy.v {
		dy.v[i] *= slope(a.scale[i%cout]*zw.v[i] + a.shift[i%cout])
	}
	dzw := check("descend", main, a, dy, zw, dz)

	// Two paths to the input.
	paths := []device.Path{{Conv: main.conv, Gradient: dz}, {Conv: shortcut.conv, Gradient: dzs}}
	d.WeightGradient(x, paths...)
	weights("weights of the first", main, in, dzw, 1)
	weights("weights of the shortcut", shortcut, in, dzsw, 1)
	din := d.Map(n, h, w, cin)
	d.Backward(din, paths...)
	want := newPlain(n, h, w, cin)
	convolve(want, dzw, 3, func(out, x *float64, f int) { *x += *out * main.value[f] })
	convolve(want, dzsw, 1, func(out, x *float64, f int) { *x += *out * shortcut.value[f] })
	b.same("input", b.fetch(din), want.v)

	b.means(in)
	b.blend(in)
	b.step(main, second, shortcut)
}

func (b *bench) means(in *plain) {
	mean, din := b.d.Map(in.n, 1, 1, in.c), b.d.Map(in.n, in.h, in.w, in.c)
	want, back := newPlain(in.n, 1, 1, in.c), newPlain(in.n, in.h, in.w, in.c)
	share := 1 / float64(in.h*in.w)
	in.each(func(n, y, x int) {
		for c := range in.c {
			*want.at(n, 0, 0, c) += *in.at(n, y, x, c) * share
		}
	})
	b.d.MeanPool(mean, b.send(in))
	got := b.fetch(mean)
	b.same("mean", got, want.v)
	want.v = got
	b.d.Spread(din, mean)
	back.each(func(n, y, x int) {
		for c := range in.c {
			*back.at(n, y, x, c) = *want.at(n, 0, 0, c) * share
		}
	})
	b.same("spread", b.fetch(din), back.v)
}

func (b *bench) blend(in *plain) {
	m, partners := b.send(in), b.r.Perm(in.n)
	b.d.Blend(m, 0.7, partners)
	want := newPlain(in.n, in.h, in.w, in.c)
	size := len(in.v) / in.n
	for i := range want.v {
		want.v[i] = 0.7*in.v[i] + 0.3*in.v[partners[i/size]*size+i%size]
	}
	b.same("blend", b.fetch(m), want.v)
}

// step checks two steps of gradient descent, with their averages.
func (b *bench) step(layers ...*layer) {
	var all []*device.Param
	velocity, averages := map[*device.Param][]float32{}, map[*device.Param][]float32{}
	for _, l := range layers {
		bn := l.norm.State()
		all = append(all, l.conv.Param(), &bn.Weight, &bn.Bias)
	}
	squares := 0.0
	for _, p := range all {
		velocity[p], averages[p] = make([]float32, len(p.Value)), append([]float32(nil), p.Value...)
		for _, g := range b.gradient(p) {
			squares += g * g
		}
	}
	b.d.Bind(velocity, averages)
	if err := b.d.Push(); err != nil {
		b.Fatal(err)
	}
	got, err := b.d.Squares()
	if err != nil {
		b.Fatal(err)
	}
	b.same("squares", []float64{got}, []float64{squares})
	u := device.Update{Rate: 0.1, Scale: 0.5, Momentum: 0.9, Decay: 0.01, Nesterov: true}
	want := map[*device.Param][3][]float64{}
	for _, p := range all {
		w, v, a := widened(p.Value), make([]float64, len(p.Value)), widened(p.Value)
		for range 2 {
			for i := range w {
				g := float64(p.Grad[i]) * 0.5
				if p.Decay {
					g += 0.01 * w[i]
				}
				v[i] = 0.9*v[i] + g
				w[i] -= 0.1 * (g + 0.9*v[i])
				a[i] += 0.25 * (w[i] - a[i])
			}
		}
		want[p] = [3][]float64{w, v, a}
	}
	for range 2 {
		b.d.Step(u)
		b.d.Average(0.75)
	}
	if err := b.d.Pull(); err != nil {
		b.Fatal(err)
	}
	for _, p := range all {
		b.same(p.Name+" after steps", widened(p.Value), want[p][0])
		b.same(p.Name+" velocity", widened(velocity[p]), want[p][1])
		b.same(p.Name+" average", widened(averages[p]), want[p][2])
	}
}
