package arrays_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// These tests compare the core with gorgonia in float64: a complete network, with convolutions by
// im2col and batch normalization that is not folded, and the cosines of matching. Gorgonia is an
// independent implementation. Packages kernel and nn compare each layer with its definition.

// must stops the test at an error of gorgonia.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// double returns t in float64.
func double(t *tensor.Tensor) *dense.Dense {
	values := make([]float64, len(t.Data))
	for i, v := range t.Data {
		values[i] = float64(v)
	}
	return dense.New(dense.WithShape(t.Shape...), dense.WithBacking(values))
}

// reshaped returns d itself, of another shape.
func reshaped(d *dense.Dense, shape ...int) *dense.Dense {
	if err := d.Reshape(shape...); err != nil {
		panic(err)
	}
	return d
}

// transposed returns a copy of d with its axes in another order.
func transposed(d *dense.Dense, axes ...int) *dense.Dense {
	return must(dense.Transpose(d, axes...)).(*dense.Dense)
}

// rows repeats a vector [C] as n rows [n, C].
func rows(vector *dense.Dense, n int) *dense.Dense {
	ones := dense.Ones(dense.Float64, n, 1)
	return must(ones.MatMul(reshaped(vector.Clone().(*dense.Dense), 1, vector.Shape().TotalSize())))
}

// convolve returns a k×k convolution with padding k/2 of x [N, H, W, Cin] by filters
// [Cout, Cin, k, k]: a matrix product with the neighborhoods of all pixels.
func convolve(x, filters *dense.Dense) *dense.Dense {
	n, h, w, cin := x.Shape()[0], x.Shape()[1], x.Shape()[2], x.Shape()[3]
	cout, k := filters.Shape()[0], filters.Shape()[2]
	if k > 1 {
		top := dense.New(dense.WithShape(n, k/2, w, cin), dense.Of(dense.Float64))
		x = must(top.Concat(1, x, top))
		side := dense.New(dense.WithShape(n, h+2*(k/2), k/2, cin), dense.Of(dense.Float64))
		x = must(side.Concat(2, x, side))
	}
	var columns []*dense.Dense
	for dy := range k {
		for dx := range k {
			window := must(x.Slice(nil, dense.S(dy, dy+h), dense.S(dx, dx+w), nil)).Materialize().(*dense.Dense)
			columns = append(columns, reshaped(window.Clone().(*dense.Dense), n*h*w, cin))
		}
	}
	patches := columns[0]
	if len(columns) > 1 {
		patches = must(patches.Concat(1, columns[1:]...))
	}
	taps := reshaped(transposed(filters, 2, 3, 1, 0), k*k*cin, cout)
	return reshaped(must(patches.MatMul(taps)), n, h, w, cout)
}

// affine is x·scale + shift for each channel of x [N, H, W, C].
func affine(x, scale, shift *dense.Dense) *dense.Dense {
	shape := slices.Clone(x.Shape())
	pixels := x.Shape().TotalSize() / shape[3]
	x = reshaped(x.Clone().(*dense.Dense), pixels, shape[3])
	return reshaped(must(must(x.Mul(rows(scale, pixels))).Add(rows(shift, pixels))), shape...)
}

func leaky(x *dense.Dense) *dense.Dense {
	return must(x.Apply(func(v float64) float64 { return max(v, 0.1*v) })).(*dense.Dense)
}

// pool is max-pooling by 2 that leaves out odd last rows and columns.
func pool(x *dense.Dense) *dense.Dense {
	n, h, w, c := x.Shape()[0], x.Shape()[1]/2, x.Shape()[2]/2, x.Shape()[3]
	x = must(x.Slice(nil, dense.S(0, 2*h), dense.S(0, 2*w), nil)).Materialize().(*dense.Dense)
	x = reshaped(x.Clone().(*dense.Dense), n*h, 2, w, 2, c)
	x = must(must(x.Max(1)).Max(2))
	return reshaped(x, n, h, w, c)
}

// near fails unless got agrees with want up to tol times want's largest value.
func near(t *testing.T, what string, got []float32, want *dense.Dense, tol float64) {
	t.Helper()
	values, scale := want.Float64s(), 0.0
	if len(got) != len(values) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(values))
	}
	for _, v := range values {
		scale = max(scale, math.Abs(v))
	}
	for i, v := range values {
		if d := math.Abs(float64(got[i]) - v); !(d <= tol*scale) {
			t.Fatalf("%s: value %d is %v, gorgonia's %v", what, i, got[i], v)
		}
	}
}

// random returns a tensor of normally distributed values.
func random(r *rand.Rand, shape ...int) *tensor.Tensor {
	t := tensor.New(shape...)
	for i := range t.Data {
		t.Data[i] = float32(r.NormFloat64())
	}
	return t
}

// each runs a test with every set of kernels of this machine.
func each(t *testing.T, test func(t *testing.T, c *nn.Context)) {
	for _, set := range kernel.Available() {
		t.Run(set.Name(), func(t *testing.T) { test(t, &nn.Context{Kernels: set, Threads: 2}) })
	}
}

// forward returns the ResNet-12 of the paper, its normalization with the statistics of
// training.
func forward(f *weights.File, x *dense.Dense) *dense.Dense {
	for block := 1; block <= 4; block++ {
		get := func(name string) *dense.Dense {
			return double(f.Tensors[fmt.Sprintf("encoder.layer%d.0.%s", block, name)])
		}
		layer := func(x *dense.Dense, conv, norm string) *dense.Dense {
			deviation := must(must(get(norm+".running_var").AddScalar(1e-5, true)).Apply(math.Sqrt)).(*dense.Dense)
			scale := must(get(norm + ".weight").Div(deviation))
			shift := must(get(norm + ".bias").Sub(must(get(norm + ".running_mean").Mul(scale))))
			return affine(convolve(x, get(conv+".weight")), scale, shift)
		}
		y := leaky(layer(x, "conv1", "bn1"))
		y = leaky(layer(y, "conv2", "bn2"))
		y = must(layer(y, "conv3", "bn3").Add(layer(x, "downsample.0", "downsample.1")))
		x = pool(leaky(y))
	}
	return x
}

func TestNetwork(t *testing.T) {
	f := networktest.ResNet12([]int{8, 20, 16, 36}, 32, 3)
	x := networktest.Pictures(2, 37, 4)
	want := forward(f, double(x))
	each(t, func(t *testing.T, c *nn.Context) {
		network := require.Value(backbone.New(f, backbone.Options{Threads: c.Threads, Kernels: c.Kernels}))(t)
		got := require.Value(network.Forward(x))(t)
		if !slices.Equal(got.Shape, want.Shape()) {
			t.Fatalf("features %v, want %v", got.Shape, want.Shape())
		}
		near(t, "features", got.Data, want, 1e-5)
	})
}

// unit centers each node [N, C] by its own mean and scales it to length 1.
func unit(nodes *dense.Dense) *dense.Dense {
	n, c := nodes.Shape()[0], nodes.Shape()[1]
	spread := func(column *dense.Dense) *dense.Dense {
		return must(reshaped(column, n, 1).MatMul(dense.Ones(dense.Float64, 1, c)))
	}
	mean := must(must(nodes.Sum(1)).DivScalar(float64(c), true))
	centered := must(nodes.Sub(spread(mean)))
	length := must(must(must(centered.Mul(centered)).Sum(1)).Apply(math.Sqrt)).(*dense.Dense)
	return must(centered.Div(spread(length)))
}

func TestSimilarities(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for _, s := range []struct{ query, support, channels int }{{1, 1, 2}, {4, 9, 40}, {25, 30, 320}} {
		query, support := random(r, s.query, s.channels), random(r, s.support, s.channels)
		set := func(t *tensor.Tensor) *embed.Set {
			return &embed.Set{N: t.Shape[0], C: t.Shape[1], Data: t.Data}
		}
		var m match.Matcher
		got := require.Value(m.Match(set(query), set(support)))(t)
		want := must(unit(double(query)).MatMul(transposed(unit(double(support)), 1, 0)))
		for i, v := range want.Float64s() {
			if !(math.Abs(got.Similarity[i]-v) <= 1e-6) {
				t.Fatalf("%+v: similarity %d is %v, gorgonia's %v", s, i, got.Similarity[i], v)
			}
		}
	}
}
