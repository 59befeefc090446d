package onnx

import (
	"fmt"
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// known lists the supported networks in error messages.
const known = "a ResNet-12, torchvision's ResNets and MobileNets, and vision transformers"

// Decode reads the network of an ONNX model, if it is one of internal/backbone. It identifies
// layers by the graph alone, since exporters merge and rename weights. Tensors get the names that
// package netfile recognizes. Batch normalization that was folded into a convolution becomes one
// that only adds the bias. Other float weights, such as a head, keep their names. Metadata are read
// from metadata_props if this package wrote the model, and may be absent. Every error starts with
// name.
//
// # Errors
//
// Invalid models; graphs of other networks, with a description of the graph; NaN or infinite
// weights.
func Decode(name string, data []byte) (*weights.File, error) {
	g, err := decodeGraph(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &weights.File{Source: name}
	if g.Facts["arch"] != "" { // written by this package
		if f.Meta, err = weights.ParseMeta(g.Facts); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	w := &walk{Graph: g, tensors: map[string]*tensor.Tensor{}, extra: map[string]string{}, taken: map[string]bool{}, left: leastValues}
	for _, t := range g.Tensors {
		w.left += timesValues * len(t.Data)
	}
	if err := w.network(); err != nil {
		return nil, fmt.Errorf("%s: not a supported network (%s): %w; the graph has %s", name, known, err, g.Describe())
	}
	if err := w.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w.addUnused()
	f.Tensors = w.tensors
	if len(w.extra) > 0 {
		extra := w.extra
		maps.Copy(extra, f.Meta.Extra)
		f.Meta.Extra = extra
	}
	return f, nil
}

// walk is the state of matching a graph, layer by layer.
type walk struct {
	*Graph
	tensors map[string]*tensor.Tensor
	extra   map[string]string // metadata from the graph
	taken   map[string]bool   // names of used weights in the graph
	left    int               // limit for further derived values
}

// A graph can use the same weights in thousands of layers. These constants limit the values that
// are derived from the weights: a multiple of their number, and an extra amount.
const timesValues, leastValues = 16, 1 << 20

func (w *walk) spend(n *Node, values int) error {
	if w.left -= values; w.left < 0 {
		return fmt.Errorf("%v shares its weights with many layers: not a supported network", n)
	}
	return nil
}

// check returns an error for NaN and infinite values, and copies tensors that share memory:
// exporters store equal weights once.
func (w *walk) check() error {
	owners := map[*float32]bool{}
	for _, name := range slices.Sorted(maps.Keys(w.tensors)) {
		t := w.tensors[name]
		if err := weights.CheckFinite(t); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if len(t.Data) == 0 {
			continue
		}
		if owners[&t.Data[0]] {
			if w.left -= len(t.Data); w.left < 0 {
				return fmt.Errorf("%s: many layers share these weights: not a supported network", name)
			}
			t = tensor.Of(slices.Clone(t.Data), t.Shape...)
			w.tensors[name] = t
		}
		owners[&t.Data[0]] = true
	}
	return nil
}

// network identifies the network by its first layer.
func (w *walk) network() error {
	var used []string
	for _, input := range w.Inputs {
		if len(w.Users(input)) > 0 {
			used = append(used, input)
		}
	}
	if len(used) != 1 {
		return fmt.Errorf("it has the inputs %.200q, want one, for images", used)
	}
	input := used[0]
	users := w.Users(input)
	first := users[0]
	if first.Op != "Conv" {
		return fmt.Errorf("the first operator is %v, want a convolution of normalized images [N, 3, H, W]", first)
	}
	c, err := w.conv(first)
	if err != nil {
		return err
	}
	switch k := c.filters.Shape[2]; {
	case k == 3 && c.stride == 1:
		return w.resnet12(input)
	case len(users) > 1:
		return fmt.Errorf("%v and %v both take the images, want one first layer", first, users[1])
	case c.pad == 0 && c.stride == k:
		return w.transformer(c)
	case k == 7 && c.stride == 2:
		return w.residual(c)
	case k == 3 && c.stride == 2:
		return w.mobilenet(c)
	default:
		return fmt.Errorf("its first layer %v has filters of %d×%d and stride %d", first, k, k, c.stride)
	}
}

// addUnused adds float weights that no layer uses, under their names, so that callers can report them.
func (w *walk) addUnused() {
	for name, t := range w.Tensors {
		if !w.taken[name] && len(t.Shape) > 0 && w.tensors[name] == nil && weights.CheckFinite(t) == nil {
			w.tensors[name] = t
		}
	}
}

// residualBlock is the convolutions of a block, its shortcut and the activation of their sum.
type residualBlock struct {
	layers []convolution
	past   *convolution // nil for the identity
	inside []string
	after  string // of the sum
	out    string
}

// residual reads a torchvision ResNet, starting with its first convolution.
func (w *walk) residual(first convolution) error {
	if err := first.check(7, 2, false); err != nil {
		return err
	}
	w.addConvolution("conv1", "bn1", first, nn.BatchNormEpsilon)
	kind, x := w.activation(first.out)
	pool := w.onlyUser(x)
	if kind != relu || pool == nil || !isPool(pool, 3, 1) {
		return fmt.Errorf("%v is followed by %s and %s, want a ReLU and a 3×3 max-pool with stride 2, padding 1 and no dilation", first.node, kind, w.after(x))
	}
	x = pool.Output()
	stage, number := 1, 0
	for ; w.feedsConvolution(x); number++ {
		b, err := w.residualBlock(x)
		if err != nil {
			return err
		}
		// The first 3×3 convolution has the stride.
		strided, sides := 0, []int{3, 3}
		if len(b.layers) == 3 {
			strided, sides = 1, []int{1, 3, 1}
		}
		if len(b.layers) != len(sides) {
			return fmt.Errorf("the block that starts with %v has %d convolutions, want 2 or 3", b.layers[0].node, len(b.layers))
		}
		if stride := b.layers[strided].stride; stride == 2 {
			stage, number = stage+1, 0
		}
		at := fmt.Sprintf("layer%d.%d.", stage, number)
		strides := []int{1, 1, 1}
		if number == 0 && stage > 1 {
			strides[strided] = 2
		}
		if err := w.addBlock(at, b, sides, strides, relu); err != nil {
			return fmt.Errorf("%s: %w", at[:len(at)-1], err)
		}
		x = b.out
	}
	if stage != 4 {
		return fmt.Errorf("a ResNet with %d stages, want 4", stage)
	}
	for _, n := range w.Users(x) {
		if n.Op == "Add" {
			return fmt.Errorf("%v adds the output of the last block: not the head of a ResNet, but a block that does not start with a convolution", n)
		}
	}
	return nil
}

// resnet12 reads a ResNet-12, starting with the images.
func (w *walk) resnet12(x string) error {
	for number := 1; number <= 4; number++ {
		at := fmt.Sprintf("encoder.layer%d.0.", number)
		if !w.feedsConvolution(x) {
			return fmt.Errorf("%d blocks followed by pooling, want 4 as in a ResNet-12", number-1)
		}
		b, err := w.residualBlock(x)
		if err != nil {
			return err
		}
		if len(b.layers) != 3 || b.past == nil {
			return fmt.Errorf("block %d has %d convolutions, want 3 and a shortcut as in a ResNet-12", number, len(b.layers))
		}
		if err := w.addBlock(at, b, []int{3, 3, 3}, []int{1, 1, 1}, leaky); err != nil {
			return err
		}
		pool := w.onlyUser(b.out)
		if pool == nil || !isPool(pool, 2, 0) {
			return fmt.Errorf("block %d is followed by %s, want a 2×2 max-pool with stride 2", number, w.after(b.out))
		}
		x = pool.Output()
	}
	return nil
}

// feedsConvolution reports whether a convolution takes the value.
func (w *walk) feedsConvolution(value string) bool {
	return slices.ContainsFunc(w.Users(value), func(n *Node) bool { return n.Op == "Conv" })
}

// residualBlock reads the block with input x.
func (w *walk) residualBlock(x string) (b residualBlock, err error) {
	var sum, other *Node
	past := x // or its value after the shortcut's convolution
	for _, n := range w.Users(x) {
		if n.Op != "Conv" {
			other = n
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
			return b, fmt.Errorf("more than two branches start at %v: not a residual block", n)
		}
	}
	if b.layers == nil {
		return b, fmt.Errorf("%v is followed by a single convolution: not a residual block", b.past.node)
	}
	last := b.layers[len(b.layers)-1]
	if sum == nil || sum.Op != "Add" || !slices.Contains(sum.Inputs, last.out) || !slices.Contains(sum.Inputs, past) {
		return b, fmt.Errorf("%v is followed by %s, want the sum with the shortcut", last.node, w.after(last.out))
	}
	if other != nil && other != sum {
		return b, fmt.Errorf("%v takes the input of the block that starts with %v, want only its convolutions and their sum", other, b.layers[0].node)
	}
	b.after, b.out = w.activation(sum.Output())
	return b, nil
}

// maxLayers limits the convolutions of a block.
const maxLayers = 3

// branch follows convolutions with activations in between, and returns the user of the last one as
// end.
func (w *walk) branch(n *Node) (layers []convolution, inside []string, end *Node, err error) {
	for {
		c, err := w.conv(n)
		if err != nil {
			return nil, nil, nil, err
		}
		if layers = append(layers, c); len(layers) > maxLayers {
			return nil, nil, nil, fmt.Errorf("%v is the fourth convolution in a row: not a residual block", n)
		}
		kind, out := w.activation(c.out)
		next := w.onlyUser(out)
		if kind == linear || next == nil || next.Op != "Conv" {
			return layers, inside, next, nil
		}
		inside, n = append(inside, kind), next
	}
}

// addBlock adds the tensors of a block whose convolutions have the given sides and strides.
func (w *walk) addBlock(at string, b residualBlock, sides, strides []int, activation string) error {
	for i, c := range b.layers {
		if err := c.check(sides[i], strides[i], false); err != nil {
			return err
		}
		w.addConvolution(fmt.Sprintf("%sconv%d", at, i+1), fmt.Sprintf("%sbn%d", at, i+1), c, nn.BatchNormEpsilon)
	}
	if b.past != nil {
		if err := b.past.check(1, slices.Max(strides), false); err != nil {
			return err
		}
		w.addConvolution(at+"downsample.0", at+"downsample.1", *b.past, nn.BatchNormEpsilon)
	}
	for _, kind := range append(slices.Clone(b.inside), b.after) {
		if kind != activation {
			return fmt.Errorf("the block that starts with %v has the activation %s, want %s", b.layers[0].node, kind, activation)
		}
	}
	return nil
}

// isPool reports whether a node is a max-pool of k×k pixels with stride 2.
func isPool(n *Node, k, pad int) bool {
	pads, dilations, auto := n.Ints("pads"), n.Ints("dilations"), n.Text("auto_pad")
	return n.Op == "MaxPool" && slices.Equal(n.Ints("kernel_shape"), []int{k, k}) && slices.Equal(n.Ints("strides"), []int{2, 2}) &&
		(slices.Equal(pads, []int{pad, pad, pad, pad}) || pads == nil && pad == 0) && n.Int("ceil_mode", 0) == 0 &&
		(auto == "" || auto == "NOTSET" || auto == "VALID" && pad == 0) && // others add pixels to odd sides
		(len(dilations) == 0 || slices.Max(dilations) == 1)
}
