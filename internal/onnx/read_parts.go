package onnx

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/internal/tensor"
)

// partKind is the kind of a transformer's layer, as named in error messages.
type partKind string

const (
	isTokens  partKind = "tokens before those of the patches"
	isPlaces  partKind = "an embedding of positions"
	isNorm    partKind = "a layer normalisation"
	isDense   partKind = "a dense layer"
	isScale   partKind = "a scale of the channels"
	isSoftmax partKind = "a softmax"
	isGelu    partKind = "a GELU"
	isOther   partKind = "another layer"
)

// part is a layer of a transformer. Operators that only reorder values or compute shapes are not
// layers.
type part struct {
	kind   partKind
	node   *Node          // its last operator
	weight *tensor.Tensor // [out, in] for dense layers
	bias   []float32      // may be nil
}

// list collects the layers of a transformer.
type list struct {
	*walk
	channels int
	parts    []part
	seen     map[*Node]bool // operators that belong to a listed layer
	norms    int            // normalizations since the last attention
}

// parts lists the layers after the node that embeds the patches, in execution order, up to the last
// normalization. The rest is the head.
func (w *walk) parts(patches *Node, channels int) ([]part, error) {
	l := &list{walk: w, channels: channels, seen: map[*Node]bool{}}
	last := 0
	for i, n := range w.Nodes {
		if n.Op == "Softmax" {
			last = i
		}
	}
	for i := slices.Index(w.Nodes, patches) + 1; i < len(w.Nodes); i++ {
		if l.norms == 2 && i > last { // of the last block's perceptron, and of the network
			break
		}
		if n := w.Nodes[i]; !l.seen[n] {
			if err := l.node(n); err != nil {
				return nil, err
			}
		}
	}
	return l.parts, nil
}

func (l *list) add(p part) {
	l.parts = append(l.parts, p)
	switch p.kind {
	case isSoftmax:
		l.norms = 0
	case isNorm:
		l.norms++
	}
}

// node adds the layer that starts with an operator, if any.
func (l *list) node(n *Node) error {
	switch n.Op {
	case "MatMul", "Gemm":
		return l.dense(n)
	case "LayerNormalization":
		return l.layerNorm(n)
	case "Mul":
		l.scaled(n)
	case "Add":
		if t := l.constant(n, 1, -1, l.channels); t != nil {
			l.add(part{kind: isPlaces, node: n, weight: t})
		}
	case "Concat":
		for _, name := range n.Inputs {
			if t := l.repeated(name); t != nil {
				l.add(part{kind: isTokens, node: n, weight: t})
			}
		}
	case "Softmax":
		l.add(part{kind: isSoftmax, node: n})
	case "Erf", "Gelu":
		if how := n.Text("approximate"); how != "" && how != "none" {
			return fmt.Errorf("%v uses the approximation %.20q, want the exact function", n, how)
		}
		l.add(part{kind: isGelu, node: n})
	case "Conv", "BatchNormalization", "Relu", "Tanh", "Sigmoid", "InstanceNormalization", "GroupNormalization", "If", "Loop", "Scan":
		l.add(part{kind: isOther, node: n})
	}
	return nil
}

// scaled adds a scale of the channels. After a division by a standard deviation it is a
// normalization, optionally with a shift.
func (l *list) scaled(n *Node) {
	scale := l.constant(n, l.channels)
	if scale == nil {
		return
	}
	p := part{kind: isScale, node: n, weight: scale}
	if l.isNormalized(n) {
		p.kind = isNorm
		if shift := l.onlyUser(n.Output(0)); shift != nil && shift.Op == "Add" {
			if t := l.constant(shift, l.channels); t != nil {
				p.bias, l.seen[shift] = t.Data, true
			}
		}
	}
	l.add(p)
}

// constant returns the weight of the given shape that a node combines with another value, or nil.
func (w *walk) constant(n *Node, shape ...int) *tensor.Tensor {
	for i, name := range n.Inputs {
		if t := w.Tensors[name]; t != nil && len(n.Inputs) == 2 && t.HasShape(shape...) && len(t.Data) > 0 && w.Tensors[n.Input(1-i)] == nil {
			w.taken[name] = true
			return t
		}
	}
	return nil
}

// repeated returns the weight [1, n, channels] that a value holds, possibly expanded for each
// image, or nil.
func (l *list) repeated(name string) *tensor.Tensor {
	if n := l.Maker(name); n != nil && n.Op == "Expand" {
		name = n.Input(0)
	}
	t := l.Tensors[name]
	if t == nil || !t.HasShape(1, -1, l.channels) || len(t.Data) == 0 {
		return nil
	}
	l.taken[name] = true
	return t
}

// isNormalized reports whether an input of a node was divided by a standard deviation.
func (w *walk) isNormalized(n *Node) bool {
	return slices.ContainsFunc(n.Inputs, func(name string) bool {
		quotient := w.Maker(name)
		if quotient == nil || quotient.Op != "Div" {
			return false
		}
		root := w.Maker(quotient.Input(1))
		return root != nil && root.Op == "Sqrt"
	})
}

func (l *list) layerNorm(n *Node) error {
	if axis := n.Int("axis", -1); axis != -1 && axis != 2 {
		return fmt.Errorf("%v normalizes axis %d and later, want only the last", n, axis)
	}
	scale, err := l.weight(n, 1, l.channels)
	if err != nil {
		return err
	}
	p := part{kind: isNorm, node: n, weight: scale}
	if n.Input(2) != "" {
		shift, err := l.weight(n, 2, l.channels)
		if err != nil {
			return err
		}
		p.bias = shift.Data
	}
	l.add(p)
	return nil
}

// dense adds a dense layer, if the product is with weights.
func (l *list) dense(n *Node) error {
	name, transposed := n.Input(1), n.Op == "Gemm" && n.Int("transB", 0) == 1
	if turn := l.Maker(name); turn != nil && turn.Op == "Transpose" && slices.Equal(turn.Ints("perm"), []int{1, 0}) {
		name, transposed = turn.Input(0), !transposed
	}
	t := l.Tensors[name]
	if t == nil {
		return nil
	}
	if len(t.Shape) != 2 || len(t.Data) == 0 || n.Int("transA", 0) != 0 || n.Float("alpha", 1) != 1 || n.Float("beta", 1) != 1 {
		return fmt.Errorf("%v is not a plain dense layer: its weights have shape %v", n, t.Shape)
	}
	l.taken[name] = true
	if !transposed {
		if err := l.spend(n, len(t.Data)); err != nil {
			return err
		}
		t = transpose(t)
	}
	p := part{kind: isDense, node: n, weight: t}
	if n.Op == "Gemm" && n.Input(2) != "" {
		bias, err := l.weight(n, 2, t.Shape[0])
		if err != nil {
			return err
		}
		p.bias = bias.Data
	}
	if sum := l.onlyUser(n.Output(0)); n.Op == "MatMul" && sum != nil && sum.Op == "Add" {
		if bias := l.constant(sum, t.Shape[0]); bias != nil {
			p.bias, p.node, l.seen[sum] = bias.Data, sum, true
		}
	}
	l.add(p)
	return nil
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
