package device

import (
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// mixed is the processor in mixed precision: maps and their gradients are bfloat16.
type mixed struct {
	processor
	kernels                  *bfloat16.Kernels
	columns                  *bfloat16.Map
	features, gradient       *nn.Map
	transposed, interleaved  operands
	moments, momentsShortcut bfloat16.Moments
}

// mixedMap is a map in bfloat16. The last map of a residual block has the sum that follows it,
// before the pooling.
type mixedMap struct {
	*bfloat16.Map
	sum *bfloat16.Map
}

func (m *mixedMap) Size() (n, h, w, c int) { return m.N, m.H, m.W, m.C }

func toMixed(m Map) *bfloat16.Map { return m.(*mixedMap).Map }

// mixedConv is a convolution in bfloat16.
type mixedConv struct {
	*bfloat16.Conv
	weight *Param
}

func (c *mixedConv) Param() *Param { return c.weight }

func toConv(c Conv) *bfloat16.Conv { return c.(*mixedConv).Conv }

// operands maps sizes to factors of the weights' gradients, which all maps of a size share.
type operands map[[4]int]*bfloat16.Map

func (o operands) of(m *bfloat16.Map) *bfloat16.Map {
	size := [4]int{m.N, m.H, m.W, m.C}
	if o[size] == nil {
		o[size] = bfloat16.NewOperand(m.N, m.H, m.W, m.C)
	}
	return o[size]
}

// NewBFloat16 returns the processor in mixed precision: see [Precision]. threads is 0 for all cores.
func NewBFloat16(kernels *bfloat16.Kernels, threads int) Device {
	return &mixed{processor: newProcessor(threads), kernels: kernels}
}

// columns is the number of input values of a 3×3 convolution of an image, per pixel.
const columns = 9 * 3

func (d *mixed) Conv(weight *Param, first bool) Conv {
	cout, cin, k := weight.shape[0], weight.shape[1], weight.shape[2]
	out := kernel.Pad(cout)
	f := bfloat16.Filters{Value: weight.Value, Grad: weight.Grad, Taps: k * k, In: kernel.Pad(cin), Out: out, Stride: out}
	if first {
		f.Taps, f.In = 1, k*k*cin
		f.First = (columns - f.In) / 2 // of a 1×1 convolution: the pixel itself among its neighbors
		cin = columns
	}
	c := &mixedConv{bfloat16.NewConv(d.kernels, f, cin), weight}
	weight.Changed = c.Invalidate
	return c
}

func (d *mixed) Map(n, h, w, c int) Map { return &mixedMap{Map: d.kernels.NewMap(n, h, w, c)} }

func (d *mixed) Images(images []float32, n, h, w int) Map {
	if !d.columns.Fits(n, h, w) {
		d.columns = d.kernels.NewMap(n, h, w, columns)
		d.transposed, d.interleaved = operands{}, operands{} // other sizes are no longer needed
	}
	d.columns.LoadColumns(&d.ctx, images)
	return &mixedMap{Map: d.columns}
}

func (d *mixed) Features(m Map) *nn.Map {
	d.features = d.features.Fit(m.Size())
	toMixed(m).Store(&d.ctx, d.features)
	return d.features
}

func (d *mixed) SetGradient(m Map, values []float32) {
	d.gradient = d.gradient.Fit(m.Size())
	d.gradient.Load(values)
	toMixed(m).Load(&d.ctx, d.gradient)
}

func (d *mixed) Blend(m Map, share float32, partners []int) {
	toMixed(m).Blend(&d.ctx, share, partners)
}

func (d *mixed) Convolve(out, in Map, conv Conv, norm Norm) {
	z := toMixed(out)
	toConv(conv).Forward(&d.ctx, z, toMixed(in), &d.moments)
	sums, squares := d.moments.Sums()
	norm.State().SetSums(sums, squares, z.N*z.H*z.W)
}

func (d *mixed) Normalize(out, z Map, norm Norm) {
	bfloat16.Normalize(&d.ctx, d.kernels, toMixed(out), toMixed(z), norm.State().Affine(), nn.LeakySlope)
}

func (d *mixed) Join(pooled, z, zs Map, norm, shortcut Norm) {
	m := z.(*mixedMap)
	if m.sum == nil {
		m.sum = m.NewLike()
	}
	bfloat16.Join(&d.ctx, d.kernels, m.sum, m.Map, toMixed(zs), norm.State().Affine(), shortcut.State().Affine(), nn.LeakySlope)
	bfloat16.MaxPool(&d.ctx, d.kernels, toMixed(pooled), m.sum)
}

func (d *mixed) Split(dz, dzs, dpooled, z, zs Map, norm, shortcut Norm) {
	g, m := toMixed(dz), z.(*mixedMap)
	bfloat16.Unpool(&d.ctx, d.kernels, g, toMixed(dpooled), m.sum, m.Map, toMixed(zs), nn.LeakySlope, &d.moments, &d.momentsShortcut)
	d.descend(toMixed(dzs), g, toMixed(zs), shortcut, &d.momentsShortcut)
	d.descend(g, g, m.Map, norm, &d.moments)
}

// descend sets the gradients of a normalization, and of its input z, from the gradient of its output
// and its moments. dz may be g.
func (d *mixed) descend(dz, g, z *bfloat16.Map, norm Norm, m *bfloat16.Moments) {
	bn := norm.State()
	sums, products := m.Sums()
	bn.Descend(sums, products, z.N*z.H*z.W)
	a, b, k := bn.Slopes()
	bfloat16.Combine(&d.ctx, d.kernels, dz, g, z, a, b, k)
}

func (d *mixed) WeightGradient(in Map, paths ...Path) {
	transposed := d.transposed.of(toMixed(in))
	bfloat16.Transposed(&d.ctx, d.kernels, transposed, toMixed(in))
	for _, p := range paths {
		g := toMixed(p.Gradient)
		interleaved := d.interleaved.of(g)
		bfloat16.Interleaved(&d.ctx, d.kernels, interleaved, g)
		toConv(p.Conv).Gradient(&d.ctx, transposed, interleaved)
	}
}

func (d *mixed) Descend(dz Map, conv Path, y, z Map, norm Norm) {
	g, through := toMixed(dz), &bfloat16.Preceding{Y: toMixed(y), Z: toMixed(z), Slope: nn.LeakySlope, Moments: &d.moments}
	bfloat16.Backward(&d.ctx, g, through, bfloat16.Path{Conv: toConv(conv.Conv), Gradient: toMixed(conv.Gradient)})
	d.descend(g, g, through.Z, norm, through.Moments)
}

func (d *mixed) Backward(din Map, paths ...Path) {
	var all []bfloat16.Path
	for _, p := range paths {
		all = append(all, bfloat16.Path{Conv: toConv(p.Conv), Gradient: toMixed(p.Gradient)})
	}
	bfloat16.Backward(&d.ctx, toMixed(din), nil, all...)
}
