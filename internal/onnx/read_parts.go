package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/tensor"
)

// layerReader reads the layers of a transformer backwards, from the value that each computes to its
// input. A layer's input must be the previous layer's output, apart from its shape, so that no
// other operator is between them. After an error it returns nothing.
type layerReader struct {
	*walk
	channels int
	heads    int // 0 if unknown
	err      error
}

// fail keeps the first error: something else computes the value, apart from its shape.
func (p *layerReader) fail(value, want string) {
	if p.err == nil {
		p.err = fmt.Errorf("%s in place of %s", p.describe(p.plain(value)), want)
	}
}

// describe returns the operator that computes a value, or the value's name.
func (w *walk) describe(value string) string {
	if n := w.Maker(value); n != nil {
		return n.String()
	}
	return fmt.Sprintf("%.80q", value)
}

// maxBack limits the operators between two layers.
const maxBack = 64

// plain follows a value back through operators that only change its shape, or have one of the other
// names.
func (w *walk) plain(value string, also ...string) string {
	for range maxBack {
		n := w.Maker(value)
		if n == nil || !slices.Contains([]string{"Reshape", "Transpose", "Flatten", "Squeeze", "Unsqueeze"}, n.Op) && !slices.Contains(also, n.Op) {
			break
		}
		value = n.Input(0)
	}
	return value
}

// computed returns the operator that computes a value, apart from its shape, if it has that name.
func (w *walk) computed(value, op string) *Node {
	if n := w.Maker(w.plain(value)); n != nil && n.Op == op {
		return n
	}
	return nil
}

// constant returns the weight of the given shape that an operator combines with another value, and
// that value. The weight is nil if the value is computed otherwise.
func (w *walk) constant(value, op string, shape ...int) (t *tensor.Tensor, other string) {
	n := w.Maker(w.plain(value))
	if n == nil || n.Op != op || len(n.Inputs) != 2 {
		return nil, value
	}
	for i, name := range n.Inputs {
		if t := w.Tensors[name]; t != nil && t.HasShape(shape...) && len(t.Data) > 0 && w.Tensors[n.Inputs[1-i]] == nil {
			w.taken[name] = true
			return t, n.Inputs[1-i]
		}
	}
	return nil, value
}

// norm reads the layer normalization that computes a value, and returns its input.
func (p *layerReader) norm(value, name string) (input string) {
	if p.err != nil {
		return ""
	}
	var epsilon float64
	n := p.computed(value, "LayerNormalization")
	scale, shift := (*tensor.Tensor)(nil), tensor.New(p.channels)
	if n != nil {
		if axis := n.Int("axis", -1); axis != -1 && axis != 2 {
			p.err = fmt.Errorf("%v normalizes axis %d and later, want only the last", n, axis)
			return ""
		}
		input, epsilon = n.Input(0), float64(n.Float("epsilon", 1e-5))
		scale, p.err = p.weight(n, 1, p.channels)
		if p.err == nil && n.Input(2) != "" {
			shift, p.err = p.weight(n, 2, p.channels)
		}
	} else {
		rest := value
		if t, other := p.constant(value, "Add", p.channels); t != nil {
			shift, rest = t, other
		}
		scale, rest = p.constant(rest, "Mul", p.channels)
		n = p.Maker(rest)
		if input, epsilon = p.standardized(n); scale == nil || input == "" {
			p.fail(value, "a layer normalization")
			return ""
		}
	}
	if p.err == nil {
		p.err = p.spend(n, p.channels)
	}
	const most = 2e-5 // the engine adds 1e-6, PyTorch 1e-5 unless told otherwise, which differ less than half floats.
	if p.err == nil && !(epsilon >= 0 && epsilon <= most) {
		p.err = fmt.Errorf("%v adds %.3g to the variance, want at most %g", n, epsilon, most)
	}
	p.tensors[name+".weight"], p.tensors[name+".bias"] = scale, shift
	return input
}

// standardized returns the x of (x - mean(x)) / √(mean((x - mean(x))²) + epsilon), or "" if a node
// computes something else.
func (w *walk) standardized(n *Node) (x string, epsilon float64) {
	if n == nil || n.Op != "Div" {
		return "", 0
	}
	root := w.Maker(n.Input(1))
	if root == nil || root.Op != "Sqrt" {
		return "", 0
	}
	variance, epsilon, ok := w.plus(root.Input(0))
	squares := w.Maker(w.lastMean(variance))
	if !ok || squares == nil || squares.Op == "Mul" && squares.Input(0) != squares.Input(1) {
		return "", 0
	}
	if two, _ := w.Scalar(squares.Input(1)); squares.Op != "Mul" && !(squares.Op == "Pow" && two == 2) {
		return "", 0
	}
	x = w.centered(n.Input(0))
	if x != w.centered(squares.Input(0)) {
		return "", 0
	}
	return x, epsilon
}

// plus returns the value to which a sum adds a number.
func (w *walk) plus(value string) (other string, number float64, ok bool) {
	n := w.Maker(value)
	if n == nil || n.Op != "Add" {
		return "", 0, false
	}
	for i := range 2 {
		if v, ok := w.Scalar(n.Input(i)); ok {
			return n.Input(1 - i), float64(v), true
		}
	}
	return "", 0, false
}

// centered returns the x of x - mean(x), or "".
func (w *walk) centered(value string) string {
	if n := w.Maker(value); n != nil && n.Op == "Sub" && w.lastMean(n.Input(1)) == n.Input(0) {
		return n.Input(0)
	}
	return ""
}

// lastMean returns the value whose mean over the last of three axes this is, or "".
func (w *walk) lastMean(value string) string {
	n := w.Maker(value)
	if n == nil || n.Op != "ReduceMean" || n.Int("keepdims", 1) != 1 {
		return ""
	}
	if axes := w.axes(n); len(axes) != 1 || axes[0] != -1 && axes[0] != 2 {
		return ""
	}
	return n.Input(0)
}

// axes returns the axes of a reduction, an attribute in older opsets.
func (w *walk) axes(n *Node) []int {
	if axes := n.Ints("axes"); axes != nil {
		return axes
	}
	return w.Integers[n.Input(1)]
}

// fullyConnected is a dense layer.
type fullyConnected struct {
	node   *Node
	weight *tensor.Tensor // [out, in]
	bias   []float32      // zeros if it has none
	input  string
}

// dense reads the dense layer that computes a value.
func (p *layerReader) dense(value string) (d fullyConnected) {
	if p.err != nil {
		return d
	}
	bias, product := p.constant(value, "Add", -1)
	n := p.Maker(p.plain(product))
	if n == nil || n.Op != "MatMul" && n.Op != "Gemm" {
		p.fail(value, "a dense layer")
		return d
	}
	name, transposed := n.Input(1), n.Op == "Gemm" && n.Int("transB", 0) == 1
	if turn := p.Maker(name); turn != nil && turn.Op == "Transpose" && slices.Equal(turn.Ints("perm"), []int{1, 0}) {
		name, transposed = turn.Input(0), !transposed
	}
	t := p.Tensors[name]
	switch {
	case t == nil:
		p.fail(value, "a dense layer")
		return d
	case len(t.Shape) != 2 || len(t.Data) == 0 || n.Int("transA", 0) != 0 || n.Float("alpha", 1) != 1 || n.Float("beta", 1) != 1:
		p.err = fmt.Errorf("%v is not a plain dense layer: its weights have shape %v", n, t.Shape)
		return d
	}
	p.taken[name] = true
	if p.err = p.spend(n, len(t.Data)+max(t.Shape[0], t.Shape[1])); p.err != nil {
		return d
	}
	if !transposed {
		t = transpose(t)
	}
	if n.Op == "Gemm" && n.Input(2) != "" {
		if bias != nil {
			p.err = fmt.Errorf("%v has a bias of its own, and another is added", n)
			return d
		}
		bias, p.err = p.weight(n, 2, t.Shape[0])
	}
	d = fullyConnected{n, t, make([]float32, t.Shape[0]), n.Input(0)}
	switch {
	case bias == nil:
	case len(bias.Data) != len(d.bias):
		p.err = fmt.Errorf("%v has %d outputs, but %d biases", n, len(d.bias), len(bias.Data))
	default:
		d.bias = bias.Data
	}
	return d
}

// transpose returns the transpose of a matrix.
func transpose(t *tensor.Tensor) *tensor.Tensor {
	rows, columns := t.Shape[0], t.Shape[1]
	out := tensor.New(columns, rows)
	for i := range rows {
		for j := range columns {
			out.Data[j*rows+i] = t.Data[i*columns+j]
		}
	}
	return out
}

// gelu reads the GELU that computes a value, and returns its input.
func (p *layerReader) gelu(value string) (input string) {
	if p.err != nil {
		return ""
	}
	if n := p.computed(value, "Gelu"); n != nil {
		if how := n.Text("approximate"); how != "" && how != "none" {
			p.err = fmt.Errorf("%v uses the approximation %.20q, want the exact function", n, how)
		}
		return n.Input(0)
	}
	half, factors := p.product(value)
	for i, x := range factors {
		if len(factors) != 2 || !near(half, 0.5) {
			break
		}
		value, one, _ := p.plus(factors[1-i])
		erf := p.Maker(value)
		if one != 1 || erf == nil || erf.Op != "Erf" {
			continue
		}
		if by, inside := p.product(erf.Input(0)); near(by, 1/math.Sqrt2) && slices.Equal(inside, []string{x}) {
			return x
		}
	}
	p.fail(value, "a GELU, x·(1 + erf(x/√2))/2")
	return ""
}

// near reports whether two numbers are equal up to the rounding of half floats.
func near(v, want float64) bool { return math.Abs(v-want) <= 1e-3*math.Abs(want) }

// product takes a value apart into a number and the other factors, apart from their shapes.
func (p *layerReader) product(value string) (by float64, factors []string) {
	by = 1
	rest := []string{value}
	for i := 0; i < len(rest); i++ {
		if i == maxBack {
			return math.NaN(), nil
		}
		value := p.plain(rest[i])
		if v, ok := p.number(value, 0); ok {
			by *= v
			continue
		}
		switch n := p.Maker(value); {
		case n != nil && n.Op == "Mul":
			rest = append(rest, n.Input(0), n.Input(1))
			continue
		case n != nil && n.Op == "Div":
			if v, ok := p.number(n.Input(1), 0); ok {
				by /= v
				rest = append(rest, n.Input(0))
				continue
			}
		}
		factors = append(factors, value)
	}
	return by, factors
}

// number returns a number that the graph has or computes. Graphs may compute the scale of the scores
// from shapes.
func (p *layerReader) number(name string, depth int) (v float64, ok bool) {
	if v, ok := p.Scalar(name); ok {
		return float64(v), true
	}
	if values := p.Integers[name]; len(values) == 1 {
		return float64(values[0]), true
	}
	const deepest = 8
	n := p.Maker(name)
	if n == nil || depth == deepest {
		return 0, false
	}
	v, ok = p.number(n.Input(0), depth+1)
	switch n.Op {
	case "Cast", "CastLike", "Squeeze", "Unsqueeze", "Reshape", "Floor":
	case "Sqrt":
		v = math.Sqrt(v)
	case "Reciprocal":
		v = 1 / v
	case "Mul", "Div", "Pow":
		by, known := p.number(n.Input(1), depth+1)
		ok = ok && known
		switch n.Op {
		case "Mul":
			v *= by
		case "Div":
			v /= by
		case "Pow":
			v = math.Pow(v, by)
		}
	case "Gather", "Slice":
		return p.extent(p.Maker(n.Input(0)), p.Integers[n.Input(1)])
	default:
		ok = false
	}
	return v, ok
}

// extent returns the extent of a value's last axis: of [images, tokens, channels], or of queries and
// keys [images, heads, tokens, channels of a head], which are parts or have been reshaped.
func (p *layerReader) extent(shape *Node, axis []int) (v float64, ok bool) {
	if shape == nil || shape.Op != "Shape" || p.heads == 0 || len(axis) != 1 {
		return 0, false
	}
	extent, last := p.channels/p.heads, 3
	if value := shape.Input(0); p.plain(value, "Split", "Gather", "Slice") == value {
		extent, last = p.channels, 2
	}
	return float64(extent), axis[0] == -1 || axis[0] == last
}
