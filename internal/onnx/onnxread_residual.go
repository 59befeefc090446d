package onnx

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/internal/nn"
)

// residualBlock is convolutions, what goes past them, and what their sum becomes.
type residualBlock struct {
	layers []convolution
	past   *convolution // nil for the input itself
	inside []string     // activations between the layers
	after  string       // activation of the sum
	out    string
}

// residual reads a ResNet of torchvision, from its first convolution on.
func (w *walk) residual(first convolution) error {
	if err := first.keeps(7, 2, false); err != nil {
		return err
	}
	w.put("conv1", "bn1", first, nn.BatchNormEpsilon)
	kind, x := w.activation(first.out)
	pool := w.only(x)
	if kind != relu || pool == nil || !isPool(pool, 3, 2, 1) {
		return fmt.Errorf("behind %v there are %s and %v, want a ReLU and the largest of 3×3 pixels, stride 2, padding 1", first.node, kind, pool)
	}
	x = pool.Output(0)
	stage, number := 1, 0
	for ; w.goesOn(x); number++ {
		b, err := w.residualBlock(x)
		if err != nil {
			return err
		}
		// The stride is that of the 3×3 convolution, of two the first.
		strided, sides := 0, []int{3, 3}
		if len(b.layers) == 3 {
			strided, sides = 1, []int{1, 3, 1}
		}
		if len(b.layers) != len(sides) {
			return fmt.Errorf("the block that begins with %v has %d convolutions, want 2 or 3", b.layers[0].node, len(b.layers))
		}
		if stride := b.layers[strided].stride; stride == 2 {
			stage, number = stage+1, 0
		}
		at := fmt.Sprintf("layer%d.%d.", stage, number)
		for i, c := range b.layers {
			stride := 1
			if i == strided && number == 0 && stage > 1 {
				stride = 2
			}
			if err := c.keeps(sides[i], stride, false); err != nil {
				return fmt.Errorf("%s: %w", at[:len(at)-1], err)
			}
			w.put(fmt.Sprintf("%sconv%d", at, i+1), fmt.Sprintf("%sbn%d", at, i+1), c, nn.BatchNormEpsilon)
		}
		if b.past != nil {
			if err := b.past.keeps(1, b.layers[strided].stride, false); err != nil {
				return fmt.Errorf("%s: %w", at[:len(at)-1], err)
			}
			w.put(at+"downsample.0", at+"downsample.1", *b.past, nn.BatchNormEpsilon)
		}
		if err := b.activations(relu); err != nil {
			return err
		}
		x = b.out
	}
	if stage != 4 {
		return fmt.Errorf("a ResNet of %d stages, want 4", stage)
	}
	return nil
}

// resnet12 reads a ResNet-12, from the pictures on.
func (w *walk) resnet12(x string) error {
	for number := 1; number <= 4; number++ {
		at := fmt.Sprintf("encoder.layer%d.0.", number)
		if !w.goesOn(x) {
			return fmt.Errorf("%d blocks with pooling behind them, want the 4 of a ResNet-12", number-1)
		}
		b, err := w.residualBlock(x)
		if err != nil {
			return err
		}
		if len(b.layers) != 3 || b.past == nil {
			return fmt.Errorf("block %d has %d convolutions, want the 3 of a ResNet-12 and one past them", number, len(b.layers))
		}
		for i, c := range b.layers {
			if err := c.keeps(3, 1, false); err != nil {
				return err
			}
			w.put(fmt.Sprintf("%sconv%d", at, i+1), fmt.Sprintf("%sbn%d", at, i+1), c, nn.BatchNormEpsilon)
		}
		if err := b.past.keeps(1, 1, false); err != nil {
			return err
		}
		w.put(at+"downsample.0", at+"downsample.1", *b.past, nn.BatchNormEpsilon)
		if err := b.activations(leaky); err != nil {
			return err
		}
		pool := w.only(b.out)
		if pool == nil || !isPool(pool, 2, 2, 0) {
			return fmt.Errorf("behind block %d there is %v, want the largest of 2×2 pixels, stride 2", number, pool)
		}
		x = pool.Output(0)
	}
	return nil
}

// goesOn reports whether a convolution takes the value.
func (w *walk) goesOn(value string) bool {
	return slices.ContainsFunc(w.Users(value), func(n *Node) bool { return n.Op == "Conv" })
}

// residualBlock reads the block whose input is x.
func (w *walk) residualBlock(x string) (b residualBlock, err error) {
	var sum *Node
	past := x // or what the convolution past the others makes of it
	for _, n := range w.Users(x) {
		if n.Op != "Conv" {
			continue
		}
		layers, inside, end, err := w.branch(n)
		switch {
		case err != nil:
			return b, err
		case len(layers) == 1 && b.past == nil:
			b.past, past = &layers[0], layers[0].out
		case len(layers) > 1 && b.layers == nil:
			b.layers, b.inside, sum = layers, inside, end
		default:
			return b, fmt.Errorf("more than two ways begin at %v: no residual block", n)
		}
	}
	if b.layers == nil {
		return b, fmt.Errorf("%v has one convolution behind it: no residual block", b.past.node)
	}
	last := b.layers[len(b.layers)-1]
	if sum == nil || sum.Op != "Add" || !slices.Contains(sum.Inputs, last.out) || !slices.Contains(sum.Inputs, past) {
		return b, fmt.Errorf("behind %v there is %v, want the sum with what goes past it", last.node, sum)
	}
	b.after, b.out = w.activation(sum.Output(0))
	return b, nil
}

// maxLayers bounds the convolutions between the beginning of a block and its sum.
const maxLayers = 3

// branch follows convolutions with activations between them, up to what takes the last.
func (w *walk) branch(n *Node) (layers []convolution, inside []string, end *Node, err error) {
	for {
		c, err := w.conv(n)
		if err != nil {
			return nil, nil, nil, err
		}
		if layers = append(layers, c); len(layers) > maxLayers {
			return nil, nil, nil, fmt.Errorf("%v is the fourth convolution in a row: no residual block", n)
		}
		kind, out := w.activation(c.out)
		next := w.only(out)
		if kind == linear || next == nil || next.Op != "Conv" {
			return layers, inside, next, nil
		}
		inside, n = append(inside, kind), next
	}
}

// activations reports an error unless all are the same.
func (b *residualBlock) activations(want string) error {
	for _, kind := range append(slices.Clone(b.inside), b.after) {
		if kind != want {
			return fmt.Errorf("the block that begins with %v has the activation %s, want %s", b.layers[0].node, kind, want)
		}
	}
	return nil
}

// isPool reports whether a node takes the largest of k×k pixels.
func isPool(n *Node, k, stride, pad int) bool {
	pads := n.Ints("pads")
	return n.Op == "MaxPool" && slices.Equal(n.Ints("kernel_shape"), []int{k, k}) && slices.Equal(n.Ints("strides"), []int{stride, stride}) &&
		(slices.Equal(pads, []int{pad, pad, pad, pad}) || pads == nil && pad == 0) && n.Int("ceil_mode", 0) == 0
}
