package onnx

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// transformer reads a vision transformer, starting with the convolution that embeds the patches.
func (w *walk) transformer(patches convolution) error {
	c := patches.filters.Shape[0]
	if patches.norm != nil || patches.group != 1 {
		return fmt.Errorf("%v embeds patches with a normalization or in groups: not a supported vision transformer", patches.node)
	}
	w.tensors["patch_embed.proj.weight"] = patches.filters
	w.tensors["patch_embed.proj.bias"] = biasOf(patches.bias, c)
	parts, err := w.parts(patches.node, c)
	if err != nil {
		return err
	}
	p := &layerReader{walk: w, parts: parts, channels: c}
	if !p.attends() {
		return fmt.Errorf("%v is not followed by attention", patches.node)
	}
	if err := p.tokens(); err != nil {
		return err
	}
	number := 0
	for ; p.attends(); number++ {
		if err := p.block(fmt.Sprintf("blocks.%d.", number)); err != nil {
			return fmt.Errorf("block %d: %w", number+1, err)
		}
	}
	if err := p.norm("norm"); err != nil {
		return fmt.Errorf("after block %d: %w", number, err)
	}
	if p.heads > 0 {
		w.extra[backbone.KeyHeads] = strconv.Itoa(p.heads)
	}
	return nil
}

func biasOf(values []float32, channels int) *tensor.Tensor {
	if values == nil {
		values = make([]float32, channels)
	}
	return tensor.Of(values, channels)
}

// layerReader iterates over the layers of a transformer.
type layerReader struct {
	*walk
	parts    []part
	at       int
	channels int
	heads    int // 0 if unknown
}

// next returns the next layer, or an error if it has another kind.
func (p *layerReader) next(kind partKind) (part, error) {
	if p.at >= len(p.parts) {
		return part{}, fmt.Errorf("the graph ends before %s", kind)
	}
	got := p.parts[p.at]
	if got.kind != kind {
		return part{}, fmt.Errorf("%v is %s, want %s", got.node, got.kind, kind)
	}
	p.at++
	return got, nil
}

// attends reports whether there is another attention.
func (p *layerReader) attends() bool {
	return slices.ContainsFunc(p.parts[p.at:], func(x part) bool { return x.kind == isSoftmax })
}

// tokens reads the position embeddings and the tokens before the patches.
func (p *layerReader) tokens() error {
	var first []float32
	var places *tensor.Tensor
	for ; p.at < len(p.parts) && (p.parts[p.at].kind == isTokens || p.parts[p.at].kind == isPlaces); p.at++ {
		t := p.parts[p.at].weight
		switch {
		case p.parts[p.at].kind == isTokens:
			if err := p.spend(p.parts[p.at].node, len(t.Data)); err != nil {
				return err
			}
			first = append(first, t.Data...)
		case places != nil:
			return fmt.Errorf("%v adds a second position embedding", p.parts[p.at].node)
		case len(first) > p.channels:
			return fmt.Errorf("%v adds positions to %d tokens other than patches, want only the class token", p.parts[p.at].node, len(first)/p.channels)
		default:
			places = t
		}
	}
	if places == nil {
		return errors.New("no position embeddings: if the graph resamples them, export the network for its training image size")
	}
	p.tensors["pos_embed"] = places
	if len(first) > 0 {
		p.tensors["cls_token"] = tensor.Of(first[:p.channels], 1, 1, p.channels)
	}
	if registers := len(first)/p.channels - 1; registers > 0 {
		p.tensors["register_tokens"] = tensor.Of(first[p.channels:], 1, registers, p.channels)
	}
	return nil
}

// block reads a block. at is the prefix of its tensor names.
func (p *layerReader) block(at string) error {
	if err := p.norm(at + "norm1"); err != nil {
		return err
	}
	if err := p.attention(at + "attn.qkv"); err != nil {
		return err
	}
	if err := p.dense(at+"attn.proj", p.channels); err != nil {
		return err
	}
	p.scale(at + "ls1.gamma")
	if err := p.norm(at + "norm2"); err != nil {
		return err
	}
	if err := p.dense(at+"mlp.fc1", -1); err != nil {
		return err
	}
	if _, err := p.next(isGelu); err != nil {
		return err
	}
	if err := p.dense(at+"mlp.fc2", p.channels); err != nil {
		return err
	}
	p.scale(at + "ls2.gamma")
	return nil
}

func (p *layerReader) norm(name string) error {
	n, err := p.next(isNorm)
	if err != nil {
		return err
	}
	p.tensors[name+".weight"], p.tensors[name+".bias"] = n.weight, biasOf(n.bias, p.channels)
	return nil
}

// dense reads a dense layer with out outputs; -1 accepts any number.
func (p *layerReader) dense(name string, out int) error {
	d, err := p.next(isDense)
	if err != nil {
		return err
	}
	if out >= 0 && d.weight.Shape[0] != out {
		return fmt.Errorf("%v has %d outputs, want %d", d.node, d.weight.Shape[0], out)
	}
	p.tensors[name+".weight"], p.tensors[name+".bias"] = d.weight, biasOf(d.bias, d.weight.Shape[0])
	return nil
}

// scale reads LayerScale, if present.
func (p *layerReader) scale(name string) {
	if p.at < len(p.parts) && p.parts[p.at].kind == isScale {
		p.tensors[name] = p.parts[p.at].weight
		p.at++
	}
}

// attention reads queries, keys and values from one or three dense layers, up to the softmax.
func (p *layerReader) attention(name string) error {
	var made []part
	for p.at < len(p.parts) && p.parts[p.at].kind == isDense {
		made = append(made, p.parts[p.at])
		p.at++
	}
	softmax, err := p.next(isSoftmax)
	if err != nil {
		return err
	}
	order, heads, err := p.matching(softmax.node, made)
	if err != nil {
		return err
	}
	if p.heads != 0 && p.heads != heads {
		return fmt.Errorf("%d heads, but %d in earlier blocks: want the same number in each", heads, p.heads)
	}
	p.heads = heads
	rows := 0
	for _, d := range order {
		if rows += d.weight.Shape[0]; d.weight.Shape[1] != p.channels {
			return fmt.Errorf("%v has weights of shape %v for %d channels", d.node, d.weight.Shape, p.channels)
		}
	}
	if rows != 3*p.channels {
		return fmt.Errorf("queries, keys and values have %d channels together, want %d", rows, 3*p.channels)
	}
	if err := p.spend(softmax.node, rows*p.channels); err != nil {
		return err
	}
	weight, bias := tensor.New(rows, p.channels), make([]float32, rows)
	at := 0
	for _, d := range order {
		copy(weight.Data[at*p.channels:], d.weight.Data)
		copy(bias[at:], d.bias)
		at += d.weight.Shape[0]
	}
	p.tensors[name+".weight"], p.tensors[name+".bias"] = weight, tensor.Of(bias, rows)
	return nil
}

// matching finds the dense layers of queries, keys and values, returns them in this order, and
// determines the number of heads. A single layer must compute all three in this order.
func (p *layerReader) matching(softmax *Node, made []part) (order []part, heads int, err error) {
	scores := p.back(softmax.Input(0), func(n *Node) bool { return n.Op == "MatMul" })
	mixed := p.onlyUser(softmax.Output(0))
	if scores == nil || mixed == nil || mixed.Op != "MatMul" {
		return nil, 0, fmt.Errorf("%v is between %v and %v, want two matrix products", softmax, scores, mixed)
	}
	from := []string{scores.Input(0), scores.Input(1), mixed.Input(1)}
	is := func(n *Node) bool {
		return slices.ContainsFunc(made, func(d part) bool { return d.node == n })
	}
	for _, value := range from {
		n := p.back(value, is)
		at := slices.IndexFunc(made, func(d part) bool { return d.node == n })
		if at < 0 {
			return nil, 0, fmt.Errorf("%.80q does not come from a dense layer before %v: not a supported attention", value, softmax)
		}
		if len(made) == 3 || len(order) == 0 {
			order = append(order, made[at])
		}
	}
	if len(made) != 1 && len(made) != 3 {
		return nil, 0, fmt.Errorf("%d dense layers before %v, want one for queries, keys and values, or three", len(made), softmax)
	}
	if len(made) == 1 {
		if err := p.checkOrder(from); err != nil {
			return nil, 0, err
		}
	}
	// The shape of the queries contains the number of heads.
	reshape := p.back(from[0], func(n *Node) bool { return n.Op == "Reshape" || is(n) })
	if reshape != nil && reshape.Op == "Reshape" {
		heads = p.headsOf(reshape.Input(1))
	}
	if heads < 1 || p.channels%heads != 0 {
		return nil, 0, fmt.Errorf("the shape [… heads, channels of a head] before %v is unknown: export the network for a fixed image size, without dynamic axes", softmax)
	}
	return order, heads, nil
}

// maxBack limits the operators between two layers.
const maxBack = 64

// back follows a value to its node, then that node's first computed input, and so on, until is
// accepts a node. It returns nil if there is none.
func (w *walk) back(value string, is func(*Node) bool) *Node {
	n, _ := w.backTo(value, is)
	return n
}

// backTo is back; it also returns the node's value.
func (w *walk) backTo(value string, is func(*Node) bool) (*Node, string) {
	for range maxBack {
		n := w.Maker(value)
		if n == nil || is(n) {
			return n, value
		}
		made := slices.IndexFunc(n.Inputs, func(name string) bool { return w.Maker(name) != nil })
		if made < 0 {
			break
		}
		value = n.Inputs[made]
	}
	return nil, ""
}

// checkOrder returns an error unless the three values are consecutive parts of one dense layer's
// output. It accepts parts that the graph computes.
func (p *layerReader) checkOrder(values []string) error {
	latest := -1
	for _, value := range values {
		n, value := p.backTo(value, func(n *Node) bool {
			return n.Op == "Split" || n.Op == "Gather" || n.Op == "Slice" || n.Op == "MatMul" || n.Op == "Gemm"
		})
		var at []int
		switch {
		case n == nil:
		case n.Op == "Split":
			at = []int{slices.Index(n.Outputs, value)}
		case n.Op == "Gather" || n.Op == "Slice":
			at = p.Integers[n.Input(1)]
		}
		if len(at) != 1 {
			return nil
		}
		if at[0] <= latest {
			return fmt.Errorf("%v does not take queries, keys and values in this order", n)
		}
		latest = at[0]
	}
	return nil
}

// headsOf returns the number of heads from a shape that ends in heads and channels per head, one of
// which may be computed; 0 if unknown.
func (p *layerReader) headsOf(shape string) int {
	const unknown = 0
	ends := []int{unknown, unknown}
	if values := p.Integers[shape]; len(values) >= 2 {
		ends = values[len(values)-2:]
	} else if n := p.Maker(shape); n != nil && n.Op == "Concat" && len(n.Inputs) >= 2 {
		for i, name := range n.Inputs[len(n.Inputs)-2:] {
			ends[i] = p.number(name)
		}
	}
	if width := ends[1]; width > 0 {
		return p.channels / width // the other may include the number of images
	}
	return max(ends[0], unknown)
}

// number returns a constant of a shape, or 0 if the graph computes it.
func (w *walk) number(name string) int {
	if n := w.Maker(name); n != nil && n.Op == "Unsqueeze" {
		name = n.Input(0)
	}
	if values := w.Integers[name]; len(values) == 1 {
		return values[0]
	}
	return 0
}
