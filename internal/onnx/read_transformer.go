package onnx

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// transformer reads a vision transformer whose patches the convolution embeds, from its last
// normalization back to the patches.
func (w *walk) transformer(patches convolution) error {
	c := patches.filters.Shape[0]
	if patches.norm != nil || patches.group != 1 {
		return fmt.Errorf("%v embeds patches with a normalization or in groups: not a supported vision transformer", patches.node)
	}
	w.tensors["patch_embed.proj.weight"] = patches.filters
	w.tensors["patch_embed.proj.bias"] = biasOf(patches.bias, c)
	last, blocks := w.lastNorm()
	if blocks == 0 {
		return fmt.Errorf("%v is not followed by attention", patches.node)
	}
	if last == "" {
		return fmt.Errorf("after block %d: no second layer normalization, want one in the block and one after it", blocks)
	}
	p := &layerReader{walk: w, channels: c}
	x := p.norm(last, "norm")
	if first := w.plain(x, "Slice", "Gather"); p.err == nil { // only some tokens may be normalized
		x = first
	}
	for number := blocks - 1; number >= 0 && p.err == nil; number-- {
		if x = p.block(fmt.Sprintf("blocks.%d.", number), x); p.err != nil {
			return fmt.Errorf("block %d: %w", number+1, p.err)
		}
	}
	if p.err != nil {
		return fmt.Errorf("after block %d: %w", blocks, p.err)
	}
	if err := p.tokens(x, patches.out); err != nil {
		return err
	}
	w.extra[backbone.KeyHeads] = strconv.Itoa(p.heads)
	return nil
}

func biasOf(values []float32, channels int) *tensor.Tensor {
	if values == nil {
		values = make([]float32, channels)
	}
	return tensor.Of(values, channels)
}

// lastNorm returns the output of the network's last normalization, or "", and the number of blocks.
// After the last attention, the first normalization is of the block's perceptron, the second of
// the network, and the rest is the head.
func (w *walk) lastNorm() (output string, blocks int) {
	norms := 0
	for _, n := range w.Nodes {
		mixed := w.onlyUser(n.Output())
		x, _ := w.standardized(n)
		switch {
		case n.Op == "Softmax" && mixed != nil && mixed.Op == "MatMul":
			blocks, norms, output = blocks+1, 0, ""
		case n.Op == "LayerNormalization" || x != "":
			if norms++; norms == 2 {
				output = n.Output()
			}
		}
	}
	// The scale and the shift follow, if they are separate operators.
	for _, op := range []string{"Mul", "Add"} {
		if n := w.onlyUser(output); output != "" && n != nil && n.Op == op && w.Maker(output).Op != "LayerNormalization" {
			output = n.Output()
		}
	}
	return output, blocks
}

// block reads the block that computes a value, and returns its input. at is the prefix of its
// tensor names.
func (p *layerReader) block(at, value string) (input string) {
	half, hidden := p.sum(value, at+"mlp.fc2", at+"ls2.gamma")
	expanded := p.dense(p.gelu(hidden))
	p.put(at+"mlp.fc1", expanded, -1)
	p.same(p.norm(expanded.input, at+"norm2"), half)
	input, mixed := p.sum(half, at+"attn.proj", at+"ls1.gamma")
	p.same(p.norm(p.attention(mixed, at+"attn.qkv"), at+"norm1"), input)
	return input
}

// sum reads a residual sum: of the block's value and of a dense layer with that name, optionally
// with LayerScale. It returns the block's value and the layer's input.
func (p *layerReader) sum(value, name, scale string) (past, input string) {
	if p.err != nil {
		return "", ""
	}
	n := p.computed(value, "Add")
	if n == nil || len(n.Inputs) != 2 || p.Tensors[n.Input(0)] != nil || p.Tensors[n.Input(1)] != nil {
		p.fail(value, "a sum with the block's input")
		return "", ""
	}
	past, branch := n.Input(0), n.Input(1)
	gamma, inner := p.constant(branch, "Mul", p.channels)
	d := p.dense(inner)
	if p.err != nil { // they may be the other way around
		first := p.err
		p.err, past, branch = nil, branch, past
		gamma, inner = p.constant(branch, "Mul", p.channels)
		if d = p.dense(inner); p.err != nil {
			p.err = first
			return "", ""
		}
	}
	if gamma != nil {
		p.tensors[scale] = gamma
	}
	p.put(name, d, p.channels)
	return p.plain(past), d.input
}

// put adds the tensors of a dense layer with out outputs; -1 accepts any number.
func (p *layerReader) put(name string, d fullyConnected, out int) {
	if p.err == nil && out >= 0 && d.weight.Shape[0] != out {
		p.err = fmt.Errorf("%v has %d outputs, want %d", d.node, d.weight.Shape[0], out)
	}
	if p.err == nil {
		p.tensors[name+".weight"], p.tensors[name+".bias"] = d.weight, tensor.Of(d.bias, d.weight.Shape[0])
	}
}

// same checks that a layer normalization takes the block's value.
func (p *layerReader) same(normalized, past string) {
	if p.err == nil && p.plain(normalized) != past {
		p.err = fmt.Errorf("the normalization takes the output of %s, the sum after it that of %s: want the same", p.describe(p.plain(normalized)), p.describe(past))
	}
}

// tokens reads the position embeddings and the tokens before the patches, between the patches and
// the first block.
func (p *layerReader) tokens(value, patches string) error {
	type step struct {
		node   *Node
		weight *tensor.Tensor
		places bool
	}
	var steps []step
	for value = p.plain(value); value != patches; value = p.plain(value) {
		n := p.Maker(value)
		if places, other := p.constant(value, "Add", 1, -1, p.channels); places != nil {
			steps, value = append(steps, step{n, places, true}), other
			continue
		}
		var rest string
		if n != nil && n.Op == "Concat" {
			for _, name := range slices.Backward(n.Inputs) {
				if t := p.repeated(name); t != nil && rest != "" {
					steps = append(steps, step{n, t, false})
				} else if from := p.plain(name, "Slice"); t == nil && (rest == "" || rest == from) {
					rest = from
				} else {
					return fmt.Errorf("%v puts %s among the patches, want tokens before them", n, p.describe(name))
				}
			}
		}
		if rest == "" || len(steps) > maxBack {
			return fmt.Errorf("%s is between the patches and the first block, want only class token, registers and position embeddings: if the graph resamples these, export the network for its training image size", p.describe(value))
		}
		value = rest
	}
	var first []float32
	var places *tensor.Tensor
	for _, s := range slices.Backward(steps) {
		switch {
		case !s.places:
			if err := p.spend(s.node, len(s.weight.Data)); err != nil {
				return err
			}
			first = append(first, s.weight.Data...)
		case places != nil:
			return fmt.Errorf("%v adds a second position embedding", s.node)
		case len(first) > p.channels:
			return fmt.Errorf("%v adds positions to %d tokens other than patches, want only the class token", s.node, len(first)/p.channels)
		default:
			places = s.weight
		}
	}
	if places == nil {
		return fmt.Errorf("no position embeddings: if the graph resamples them, export the network for its training image size")
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

// repeated returns the weight [1, n, channels] that a value holds, possibly expanded for each
// image, or nil.
func (p *layerReader) repeated(name string) *tensor.Tensor {
	if n := p.Maker(name); n != nil && n.Op == "Expand" {
		name = n.Input(0)
	}
	t := p.Tensors[name]
	if t == nil || !t.HasShape(1, -1, p.channels) || len(t.Data) == 0 {
		return nil
	}
	p.taken[name] = true
	return t
}
