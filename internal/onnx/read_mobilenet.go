package onnx

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/nn"
)

// inverted is a block of a MobileNet with up to four convolutions.
type inverted struct {
	expand        *convolution // may be nil
	deep, project convolution
	squeeze       *squeeze // may be nil
	inside        []string
	past          bool // the input is added
	out           string
}

// squeeze is the two dense layers that scale channels, as convolutions of one position.
type squeeze struct {
	first, second convolution
	out           string
}

// activationNames maps activations to the results of [walk.activation].
var activationNames = map[nn.Activation]string{nn.ReLU: relu, nn.ReLU6: relu6, nn.HardSwish: hardSwish}

// mobilenet reads a torchvision MobileNet, starting with its first convolution.
func (w *walk) mobilenet(first convolution) error {
	if err := first.check(3, 2, false); err != nil {
		return err
	}
	begins, x := w.activation(first.out)
	var blocks []inverted
	for {
		c, kind, out, err := w.activated(x)
		if err != nil {
			return err
		}
		if next := w.onlyUser(out); next == nil || next.Op != "Conv" {
			if c.filters.Shape[2] == 1 {
				return w.putMobilenet(first, blocks, c, []string{begins, kind})
			}
		}
		b, err := w.inverted(x)
		if err != nil {
			return fmt.Errorf("block %d: %w", len(blocks)+1, err)
		}
		blocks = append(blocks, b)
		x = b.out
	}
}

// activated reads the only convolution that takes a value, and its activation.
func (w *walk) activated(x string) (c convolution, kind, out string, err error) {
	for _, n := range w.Users(x) {
		switch n.Op {
		case "Conv":
			if c.node != nil {
				return c, "", "", fmt.Errorf("%v and %v take the same value: not a MobileNet", c.node, n)
			}
			if c, err = w.conv(n); err != nil {
				return c, "", "", err
			}
		case "Add": // of a block, which checks it
		default:
			return c, "", "", fmt.Errorf("%.80q is followed by %s, want a convolution as in a MobileNet", x, w.after(x))
		}
	}
	if c.node == nil {
		return c, "", "", fmt.Errorf("no convolution takes %.80q: not a MobileNet, or an incomplete one", x)
	}
	kind, out = w.activation(c.out)
	return c, kind, out, nil
}

// inverted reads the block with input x.
func (w *walk) inverted(x string) (b inverted, err error) {
	c, kind, at, err := w.activated(x)
	if err != nil {
		return b, err
	}
	if c.filters.Shape[2] == 1 {
		if err := c.check(1, 1, false); err != nil {
			return b, err
		}
		expand := c
		b.expand, b.inside = &expand, []string{kind}
		if c, kind, at, err = w.activated(at); err != nil {
			return b, err
		}
	}
	if err := c.check(c.filters.Shape[2], c.stride, true); err != nil {
		return b, err
	}
	b.deep, b.inside = c, append(b.inside, kind)
	if b.squeeze, err = w.squeeze(at); err != nil {
		return b, err
	} else if b.squeeze != nil {
		at = b.squeeze.out
	}
	if b.project, kind, b.out, err = w.activated(at); err != nil {
		return b, err
	}
	if err := b.project.check(1, 1, false); err != nil {
		return b, err
	}
	if kind != linear {
		return b, fmt.Errorf("%v is followed by the activation %s, want none", b.project.node, kind)
	}
	if sum := w.onlyUser(b.out); sum != nil && sum.Op == "Add" {
		if !slices.Contains(sum.Inputs, x) {
			return b, fmt.Errorf("%v does not add the block's input", sum)
		}
		b.past, b.out = true, sum.Output()
	}
	for _, n := range w.Users(x) {
		if n.Op == "Add" && (!b.past || n.Output() != b.out) {
			return b, fmt.Errorf("%v takes the block's input, want only its first convolution and its sum", n)
		}
	}
	return b, nil
}

// squeeze reads the scale of the channels of a value, or returns nil.
func (w *walk) squeeze(x string) (*squeeze, error) {
	users := w.Users(x)
	at := slices.IndexFunc(users, w.averages)
	if at < 0 || len(users) != 2 {
		return nil, nil
	}
	first, kind, out, err := w.activated(users[at].Output())
	if err == nil && kind != relu {
		err = fmt.Errorf("%v is followed by the activation %s, want %s", first.node, kind, relu)
	}
	if err != nil {
		return nil, err
	}
	second, _, _, err := w.activated(out)
	if err != nil {
		return nil, err
	}
	for _, c := range []convolution{first, second} {
		if err := c.check(1, 1, false); err != nil {
			return nil, err
		}
		if c.norm != nil {
			return nil, fmt.Errorf("%v is followed by a normalization, want none", c.node)
		}
	}
	gate := w.onlyUser(second.out)
	product := users[1-at]
	if gate == nil || product.Op != "Mul" || !slices.Contains(product.Inputs, w.hardSigmoid(gate)) {
		return nil, fmt.Errorf("%v is followed by %v, want a hard sigmoid that scales the channels", second.node, gate)
	}
	return &squeeze{first, second, product.Output()}, nil
}

// averages reports whether a node computes the mean of each channel.
func (w *walk) averages(n *Node) bool {
	axes := w.axes(n)
	return n.Op == "GlobalAveragePool" || n.Op == "ReduceMean" && n.Int("keepdims", 1) == 1 &&
		(slices.Equal(axes, []int{2, 3}) || slices.Equal(axes, []int{-2, -1}) || slices.Equal(axes, []int{-1, -2}))
}

func (w *walk) putMobilenet(first convolution, blocks []inverted, last convolution, ends []string) error {
	plan, ok := backbone.MobileNetPlanOf(len(blocks))
	if !ok {
		return fmt.Errorf("a MobileNet with %d blocks: V2 has 17, V3 has 15 (large) or 11 (small)", len(blocks))
	}
	if err := last.check(1, 1, false); err != nil {
		return err
	}
	for _, kind := range ends {
		if want := activationNames[plan.Ends]; kind != want {
			return fmt.Errorf("the first or the last convolution has the activation %s, want %s", kind, want)
		}
	}
	w.addConvolution("features.0.0", "features.0.1", first, plan.Epsilon)
	in := first.filters.Shape[0]
	for i, b := range blocks {
		number := i + 1
		for _, kind := range b.inside {
			if want := activationNames[plan.After[i]]; kind != want {
				return fmt.Errorf("block %d has the activation %s, want %s", number, kind, want)
			}
		}
		out := b.project.filters.Shape[0]
		if past := b.deep.stride == 1 && in == out; b.deep.stride != plan.Strides[i] || b.past != past {
			return fmt.Errorf("block %d has stride %d, want %d, and adds its input: %v, want %v", number, b.deep.stride, plan.Strides[i], b.past, past)
		}
		w.putInverted(number, b, plan)
		in = out
	}
	at := fmt.Sprintf("features.%d.", len(blocks)+1)
	w.addConvolution(at+"0", at+"1", last, plan.Epsilon)
	return nil
}

func (w *walk) putInverted(number int, b inverted, plan backbone.MobileNetPlan) {
	at, next := fmt.Sprintf("features.%d.block.", number), 0
	if plan.Second {
		at = fmt.Sprintf("features.%d.conv.", number)
	}
	layer := func(c convolution) {
		w.addConvolution(fmt.Sprintf("%s%d.0", at, next), fmt.Sprintf("%s%d.1", at, next), c, plan.Epsilon)
		next++
	}
	if b.expand != nil {
		layer(*b.expand)
	}
	layer(b.deep)
	if b.squeeze != nil {
		for i, c := range []convolution{b.squeeze.first, b.squeeze.second} {
			name, channels := fmt.Sprintf("%s%d.fc%d", at, next, i+1), c.filters.Shape[0]
			w.tensors[name+".weight"], w.tensors[name+".bias"] = c.filters, biasOf(c.bias, channels)
		}
		next++
	}
	if plan.Second { // its last two layers are not nested
		w.addConvolution(fmt.Sprintf("%s%d", at, next), fmt.Sprintf("%s%d", at, next+1), b.project, plan.Epsilon)
	} else {
		layer(b.project)
	}
}
