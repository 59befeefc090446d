package device

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/deepemd/deepemd/internal/nn"
)

// processor has the common parts of the processor's devices.
type processor struct{ ctx nn.Context }

func newProcessor(threads int) processor { return processor{nn.Options{Threads: threads}.Context()} }

func (*processor) Name() string            { return "cpu" }
func (*processor) Norm(bn *BatchNorm) Norm { return bn }
func (*processor) Accumulate(bool)         {}
func (*processor) Resident() Resident      { return nil }
func (*processor) Err() error              { return nil }
func (*processor) Close() error            { return nil }

// single is the processor in float32, or single precision.
type single struct {
	processor
	input *singleMap
	held  []float32 // the values of a map, before they are blended
	sums  []float64 // [sumParts, 2, channels]
	rows  []float32 // [sumParts, 2, channels]
}

// singleMap is a map in float32. The last map of a residual block has the sum that follows it,
// before the pooling.
type singleMap struct {
	*nn.Map
	sum *nn.Map
}

func (m *singleMap) Size() (n, h, w, c int) { return m.N, m.H, m.W, m.C }

func toSingle(m Map) *nn.Map { return m.(*singleMap).Map }

// NewFloat32 returns the processor in float32. threads may be 0 for all cores.
func NewFloat32(threads int) Device { return &single{processor: newProcessor(threads)} }

func (d *single) Conv(weight *Param, first bool) Conv { return newLayer(weight, first) }
func (d *single) Map(n, h, w, c int) Map              { return &singleMap{Map: nn.NewMap(n, h, w, c)} }

func (d *single) Images(images []float32, n, h, w int) Map {
	if d.input == nil || d.input.N != n || d.input.H != h || d.input.W != w {
		d.input = &singleMap{Map: nn.NewInput(n, h, w, 3)}
	}
	d.input.Load(images)
	return d.input
}

func (d *single) Features(m Map) *nn.Map              { return toSingle(m) }
func (d *single) SetGradient(m Map, values []float32) { toSingle(m).Load(values) }

func (d *single) Blend(m Map, share float32, partners []int) {
	values := toSingle(m).Data
	d.held = append(d.held[:0], values...)
	size := len(values) / len(partners)
	d.ctx.Each(len(partners), func(i int) {
		partner := d.held[partners[i]*size:][:size]
		for k, v := range d.held[i*size:][:size] {
			values[i*size+k] = share*v + (1-share)*partner[k]
		}
	})
}

func (d *single) Convolve(out, in Map, conv Conv, norm Norm) {
	z := toSingle(out)
	conv.(layer).forward(&d.ctx, z, toSingle(in))
	d.measure(z, norm)
}

func (d *single) measure(z *nn.Map, norm Norm) {
	sums, squares := d.reduce(z, z)
	norm.State().SetSums(sums, squares, z.N*z.H*z.W)
}

func (d *single) Normalize(out, z Map, norm Norm) {
	d.normalize(toSingle(out), toSingle(z), nil, norm, nn.LeakySlope)
}

// normalize computes out = leaky(norm(z) + res). res is optional, and may be out.
func (d *single) normalize(out, z, res *nn.Map, norm Norm, slope float32) {
	a := norm.State().Affine()
	d.ctx.Each(z.N*z.H, func(row int) {
		at := z.At(row/z.H, row%z.H, 0)
		var held []float32
		if res != nil {
			held = res.Data[at:]
		}
		d.ctx.Kernels.Normalize(out.Data[at:], z.Data[at:], a.Scale, a.Shift, held, z.W, z.Channels, slope)
	})
}

func (d *single) Join(pooled, z, zs Map, norm, shortcut Norm) {
	m := z.(*singleMap)
	m.sum = m.sum.Fit(m.Size())
	d.normalize(m.sum, toSingle(zs), nil, shortcut, nn.Linear)
	d.normalize(m.sum, m.Map, m.sum, norm, nn.LeakySlope)
	nn.MaxPool(&d.ctx, toSingle(pooled), m.sum)
}

func (d *single) Split(dz, dzs, dpooled, z, zs Map, norm, shortcut Norm) {
	g, m := toSingle(dz), z.(*singleMap)
	unpool(&d.ctx, g, toSingle(dpooled), m.sum)
	unleak(&d.ctx, g, m.sum)
	d.descend(toSingle(dzs), g, toSingle(zs), shortcut)
	d.descend(g, g, m.Map, norm)
}

// descend sets the gradients of a normalization, and of its input z, from the gradient of its
// output. dz may be g.
func (d *single) descend(dz, g, z *nn.Map, norm Norm) {
	bn := norm.State()
	sums, products := d.reduce(g, z)
	bn.Descend(sums, products, z.N*z.H*z.W)
	a, b, k := bn.Slopes()
	d.ctx.Each(z.N*z.H, func(row int) {
		at := z.At(row/z.H, row%z.H, 0)
		d.ctx.Kernels.Combine(dz.Data[at:], g.Data[at:], z.Data[at:], a, b, k, z.W, z.Channels)
	})
}

func (d *single) WeightGradient(in Map, paths ...Path) {
	for _, p := range paths {
		p.Conv.(layer).gradient(&d.ctx, toSingle(p.Gradient), toSingle(in))
	}
}

func (d *single) Descend(dz Map, conv Path, y, z Map, norm Norm) {
	d.Backward(dz, conv)
	unleak(&d.ctx, toSingle(dz), toSingle(y))
	d.descend(toSingle(dz), toSingle(dz), toSingle(z), norm)
}

// Backward begins the sum with the last path.
func (d *single) Backward(din Map, paths ...Path) {
	for i, p := range slices.Backward(paths) {
		p.Conv.(inner).backward(&d.ctx, toSingle(din), toSingle(p.Gradient), i < len(paths)-1)
	}
}

// reduce returns Σ x and Σ x·y over all pixels. It sums a row of pixels in float32, and rows in
// float64.
func (d *single) reduce(x, y *nn.Map) (sums, products []float64) {
	c, rows := x.Channels, x.N*x.H
	size := sumParts * 2 * c
	d.sums, d.rows = slices.Grow(d.sums[:0], size)[:size], slices.Grow(d.rows[:0], size)[:size]
	clear(d.sums)
	d.ctx.Each(sumParts, func(part int) {
		line, total := d.rows[part*2*c:][:2*c], d.sums[part*2*c:][:2*c]
		for row := part * rows / sumParts; row < (part+1)*rows/sumParts; row++ {
			at := x.At(row/x.H, row%x.H, 0)
			clear(line)
			d.ctx.Kernels.Moments(line[:c], line[c:], x.Data[at:], y.Data[at:], x.W, c)
			for i, v := range line {
				total[i] += float64(v)
			}
		}
	})
	for part := 1; part < sumParts; part++ {
		floats.Add(d.sums[:2*c], d.sums[part*2*c:][:2*c])
	}
	return d.sums[:c], d.sums[c:][:c]
}

// unleak takes the gradient g back through a leaky ReLU of [nn.LeakySlope], in place. y is the
// output of the ReLU.
func unleak(ctx *nn.Context, g, y *nn.Map) {
	ctx.Each(g.N*g.H, func(row int) {
		at := g.At(row/g.H, row%g.H, 0)
		ctx.Kernels.Unleak(g.Data[at:], y.Data[at:], g.W, g.Channels, nn.LeakySlope)
	})
}

// unpool takes the gradient g of a 2×2 max-pool back. The first largest pixel of each four in in
// gets it; all other pixels of din are zero, including an odd last row and column.
func unpool(ctx *nn.Context, din, g, in *nn.Map) {
	ctx.Each(g.N*g.H, func(row int) {
		n, y := row/g.H, row%g.H
		for x := range g.W {
			at := in.At(n, 2*y, 2*x)
			ctx.Kernels.Unpool(din.Data[at:], g.Data[g.At(n, y, x):], in.Data[at:], in.Channels, in.Row())
		}
		if in.W%2 == 1 {
			clear(din.Data[din.At(n, 2*y, in.W-1):][:din.Channels])
			clear(din.Data[din.At(n, 2*y+1, in.W-1):][:din.Channels])
		}
		if in.H%2 == 1 && y == g.H-1 {
			clear(din.Data[din.At(n, in.H-1, 0):][:din.W*din.Channels])
		}
	})
}
