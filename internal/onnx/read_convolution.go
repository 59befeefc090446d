package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/tensor"
)

// convolution is a convolution of a graph with the batch normalization after it, if any.
type convolution struct {
	node               *Node
	filters            *tensor.Tensor
	stride, pad, group int
	bias               []float32 // may be nil
	norm               *normalization
	out                string // output value
}

// normalization is a batch normalization with running statistics.
type normalization struct {
	weight, bias, mean, variance []float32
	epsilon                      float32
}

// weight returns a weight with the given shape; -1 accepts any size.
func (w *walk) weight(n *Node, input int, shape ...int) (*tensor.Tensor, error) {
	name := n.Input(input)
	t := w.Tensors[name]
	switch {
	case t == nil:
		return nil, fmt.Errorf("input %d of %v is %.80q, not float32 or float16 weights: export the network in float32, without quantization", input, n, name)
	case !t.HasShape(shape...) || len(t.Data) == 0:
		return nil, fmt.Errorf("input %d of %v has shape %v, want %v", input, n, t.Shape, shape)
	}
	w.taken[name] = true
	return t, nil
}

// conv reads a convolution with square filters and equal padding on all sides.
func (w *walk) conv(n *Node) (convolution, error) {
	filters, err := w.weight(n, 1, -1, -1, -1, -1)
	if err != nil {
		return convolution{}, err
	}
	k := filters.Shape[2]
	same := func(values []int, count int) bool {
		return len(values) == count && slices.Max(values) == slices.Min(values)
	}
	strides, pads, dilations := n.Ints("strides"), n.Ints("pads"), n.Ints("dilations")
	if strides == nil {
		strides = []int{1, 1}
	}
	if pads == nil {
		pads = []int{0, 0, 0, 0}
	}
	auto := n.Text("auto_pad")
	switch {
	case filters.Shape[3] != k || !same(strides, 2) || !same(pads, 4) || auto != "" && auto != "NOTSET":
		return convolution{}, fmt.Errorf("%v has filters %v, strides %v, pads %v %s: want square filters and equal padding on all sides", n, filters.Shape, strides, pads, auto)
	case len(dilations) > 0 && slices.Max(dilations) != 1:
		return convolution{}, fmt.Errorf("%v has dilations %v: want none", n, dilations)
	}
	c := convolution{node: n, filters: filters, stride: strides[0], pad: pads[0], group: n.Int("group", 1), out: n.Output()}
	channels := filters.Shape[0]
	if err := w.spend(n, 4*channels); err != nil { // for a normalization
		return convolution{}, err
	}
	if n.Input(2) != "" {
		bias, err := w.weight(n, 2, channels)
		if err != nil {
			return convolution{}, err
		}
		c.bias = bias.Data
	}
	if after := w.onlyUser(c.out); after != nil && after.Op == "BatchNormalization" {
		if after.Int("training_mode", 0) != 0 {
			return convolution{}, fmt.Errorf("%v normalizes with statistics of the images: call model.eval() before the export", after)
		}
		var parts [4][]float32
		for i := range parts {
			t, err := w.weight(after, i+1, channels)
			if err != nil {
				return convolution{}, err
			}
			parts[i] = t.Data
		}
		c.norm = &normalization{parts[0], parts[1], parts[2], parts[3], after.Float("epsilon", 1e-5)}
		c.out = after.Output()
	}
	return c, nil
}

// check returns an error unless the convolution has k×k filters, keeps ⌈side/stride⌉ positions and
// has one group, or one group for each channel if each is set.
func (c *convolution) check(k, stride int, each bool) error {
	groups := 1
	if each {
		groups = c.filters.Shape[0]
	}
	if c.filters.Shape[2] != k || c.pad != k/2 || c.stride != stride || c.group != groups {
		return fmt.Errorf("%v has filters %v, stride %d, %d pixels of padding and %d groups: want filters of %d×%d, stride %d, padding %d, groups %d",
			c.node, c.filters.Shape, c.stride, c.pad, c.group, k, k, stride, k/2, groups)
	}
	return nil
}

// addConvolution adds the tensors of a convolution and of its normalization, to whose variance core adds
// epsilon. Without a normalization, or with a different epsilon, it adds an equivalent one with
// variance + epsilon = 1.
func (w *walk) addConvolution(conv, norm string, c convolution, epsilon float64) {
	channels := c.filters.Shape[0]
	put := func(name string, values []float32) { w.tensors[norm+name] = tensor.Of(values, channels) }
	w.tensors[conv+".weight"] = c.filters
	n := c.norm
	if n == nil {
		one, zeros := []float32{1}, make([]float32, 2*channels)
		n = &normalization{weight: slices.Repeat(one, channels), bias: c.bias, mean: zeros[:channels], variance: slices.Repeat(one, channels)}
		if c.bias == nil {
			n.bias = zeros[channels:]
		}
	}
	scale, mean, variance := n.weight, n.mean, n.variance
	if n.epsilon != float32(epsilon) {
		scale = make([]float32, channels)
		for i, v := range n.variance {
			scale[i] = float32(float64(n.weight[i]) / math.Sqrt(float64(v)+float64(n.epsilon)))
		}
		variance = slices.Repeat([]float32{float32(1 - epsilon)}, channels)
	}
	if c.norm != nil && c.bias != nil { // it is added before the mean is subtracted
		mean = slices.Clone(mean)
		for i, b := range c.bias {
			mean[i] -= b
		}
	}
	put(".weight", scale)
	put(".bias", n.bias)
	put(".running_mean", mean)
	put(".running_var", variance)
}

// onlyUser returns the node that takes a value, or nil unless there is exactly one.
func (w *walk) onlyUser(value string) *Node {
	if users := w.Users(value); len(users) == 1 {
		return users[0]
	}
	return nil
}

// after describes the readers of a value in error messages.
func (w *walk) after(value string) string {
	users := w.Users(value)
	if len(users) > 1 {
		return fmt.Sprintf("both %v and %v", users[0], users[1])
	}
	return w.onlyUser(value).String()
}

// Results of activation.
const (
	linear    = "no activation"
	relu      = "ReLU"
	relu6     = "ReLU6"
	hardSwish = "hard-swish"
	leaky     = "leaky ReLU of 0.1"
)

// activation returns the activation after a value, one of the constants above or a description, and
// its output.
func (w *walk) activation(value string) (kind, out string) {
	users := w.Users(value)
	if len(users) == 2 {
		for i, n := range users {
			product := users[1-i]
			if gate := w.hardSigmoid(n); gate != "" && product.Op == "Mul" && slices.Contains(product.Inputs, gate) {
				return hardSwish, product.Output()
			}
			if n.Op == "Sigmoid" && product.Op == "Mul" && slices.Contains(product.Inputs, n.Output()) {
				return "SiLU", product.Output()
			}
		}
	}
	if len(users) != 1 {
		return linear, value
	}
	n := users[0]
	switch n.Op {
	case "Relu":
		kind = relu
	case "HardSwish":
		kind = hardSwish
	case "LeakyRelu":
		kind = fmt.Sprintf("leaky ReLU of %v", n.Float("alpha", 0.01))
	case "Clip":
		low, high := w.bounds(n)
		kind = fmt.Sprintf("clip from %v to %v", low, high)
		if low == 0 && high == 6 {
			kind = relu6
		}
	case "PRelu", "Sigmoid", "HardSigmoid", "Tanh", "Elu", "Selu", "Celu", "Gelu", "Mish", "Softplus":
		kind = n.Op
	default:
		return linear, value
	}
	return kind, n.Output()
}

// bounds returns the bounds of a Clip, infinite if absent.
func (w *walk) bounds(n *Node) (low, high float32) {
	low, high = float32(math.Inf(-1)), float32(math.Inf(1))
	for input, bound := range map[int]*float32{1: &low, 2: &high} {
		if v, ok := w.Scalar(n.Input(input)); ok {
			*bound = v
		}
	}
	return low, high
}

// hardSigmoid returns the output of min(max(x + 3, 0), 6)/6 if it starts with the node, and ""
// otherwise.
func (w *walk) hardSigmoid(n *Node) string {
	const sixth = float32(1) / 6
	near := func(v, want float32) bool { return math.Abs(float64(v-want)) < 1e-6 }
	if n.Op == "HardSigmoid" {
		if near(n.Float("alpha", 0.2), sixth) && near(n.Float("beta", 0.5), 0.5) {
			return n.Output()
		}
		return ""
	}
	// Older opsets do not have the operator.
	if three, ok := w.Scalar(n.Input(1)); n.Op != "Add" || !ok || three != 3 {
		return ""
	}
	clip := w.onlyUser(n.Output())
	if clip == nil || clip.Op != "Clip" {
		return ""
	}
	if low, high := w.bounds(clip); low != 0 || high != 6 {
		return ""
	}
	last := w.onlyUser(clip.Output())
	if last == nil {
		return ""
	}
	if by, ok := w.Scalar(last.Input(1)); ok && (last.Op == "Div" && by == 6 || last.Op == "Mul" && near(by, sixth)) {
		return last.Output()
	}
	return ""
}
