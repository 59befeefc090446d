package layers

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/trainer/format/onnx/graph"
)

// partKind is what a part of a transformer is, for people.
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

// part is a layer of a transformer. What only reorders values, or computes shapes, is none.
type part struct {
	kind   partKind
	node   *graph.Node    // the last of its operators
	weight *tensor.Tensor // of dense layers [out, in]
	bias   []float32      // nil for none
}

// parts lists the layers of a transformer of so many channels, behind the node that embeds
// its patches, in the order in which they run.
func (w *walk) parts(patches *graph.Node, channels int) (all []part, err error) {
	made := map[*graph.Node]bool{} // part of a layer that stands in the list
	norms := 0                     // behind the last attention: the block has one more, and the tokens another
	add := func(p part) {
		all = append(all, p)
		switch p.kind {
		case isSoftmax:
			norms = 0
		case isNorm:
			norms++
		}
	}
	softmax := func(n *graph.Node) bool { return n.Op == "Softmax" }
	for i := slices.Index(w.Nodes, patches) + 1; i < len(w.Nodes); i++ {
		n := w.Nodes[i]
		if norms == 2 && !slices.ContainsFunc(w.Nodes[i:], softmax) {
			break // what follows is the head
		}
		if made[n] {
			continue
		}
		switch n.Op {
		case "MatMul", "Gemm":
			p, last, err := w.dense(n)
			if err != nil {
				return nil, err
			}
			if p != nil {
				made[last] = true
				add(*p)
			}
		case "LayerNormalization":
			p, err := w.layerNorm(n)
			if err != nil {
				return nil, err
			}
			add(p)
		case "Mul":
			scale := w.constant(n, channels)
			if scale == nil {
				continue
			}
			p := part{kind: isScale, node: n, weight: scale}
			if w.isNormalised(n) {
				if p.kind, p.bias = isNorm, nil; w.only(n.Output(0)) != nil {
					shift := w.only(n.Output(0))
					if t := w.constant(shift, channels); shift.Op == "Add" && t != nil {
						p.bias, made[shift] = t.Data, true
					}
				}
			}
			add(p)
		case "Add":
			if t := w.constant(n, 1, -1, channels); t != nil {
				add(part{kind: isPlaces, node: n, weight: t})
			}
		case "Concat":
			for i := range n.Inputs {
				if t := w.repeated(n.Input(i), channels); t != nil {
					add(part{kind: isTokens, node: n, weight: t})
				}
			}
		case "Softmax":
			add(part{kind: isSoftmax, node: n})
		case "Erf":
			add(part{kind: isGelu, node: n})
		case "Gelu":
			if how := n.Text("approximate"); how != "" && how != "none" {
				return nil, fmt.Errorf("%v is approximated by %.20q: want the exact one", n, how)
			}
			add(part{kind: isGelu, node: n})
		case "Conv", "BatchNormalization", "Relu", "Tanh", "Sigmoid", "InstanceNormalization", "GroupNormalization", "If", "Loop", "Scan":
			add(part{kind: isOther, node: n})
		}
	}
	return all, nil
}

// constant is the weight of a shape that a node takes beside another value, nil where it
// takes none.
func (w *walk) constant(n *graph.Node, shape ...int) *tensor.Tensor {
	for i, name := range n.Inputs {
		if t := w.Tensors[name]; t != nil && len(n.Inputs) == 2 && t.HasShape(shape...) && len(t.Data) > 0 && w.Tensors[n.Input(1-i)] == nil {
			w.taken[name] = true
			return t
		}
	}
	return nil
}

// repeated is the weight [1, n, channels] that a value is, for one picture or for each.
func (w *walk) repeated(name string, channels int) *tensor.Tensor {
	if n := w.Maker(name); n != nil && n.Op == "Expand" {
		name = n.Input(0)
	}
	t := w.Tensors[name]
	if t == nil || !t.HasShape(1, -1, channels) || len(t.Data) == 0 {
		return nil
	}
	w.taken[name] = true
	return t
}

// isNormalised reports whether a node takes what was divided by a standard deviation.
func (w *walk) isNormalised(n *graph.Node) bool {
	return slices.ContainsFunc(n.Inputs, func(name string) bool {
		quotient := w.Maker(name)
		if quotient == nil || quotient.Op != "Div" {
			return false
		}
		root := w.Maker(quotient.Input(1))
		return root != nil && root.Op == "Sqrt"
	})
}

// layerNorm reads a layer normalisation that is an operator.
func (w *walk) layerNorm(n *graph.Node) (p part, err error) {
	p = part{kind: isNorm, node: n}
	if axis := n.Int("axis", -1); axis != -1 && axis != 2 {
		return p, fmt.Errorf("%v normalises from axis %d on, want the last", n, axis)
	}
	if p.weight, err = w.weight(n, 1, -1); err != nil || n.Input(2) == "" {
		return p, err
	}
	shift, err := w.weight(n, 2, p.weight.Shape[0])
	if err == nil {
		p.bias = shift.Data
	}
	return p, err
}

// dense reads a dense layer and its last operator, nil where a product is none of weights.
func (w *walk) dense(n *graph.Node) (p *part, last *graph.Node, err error) {
	name, transposed := n.Input(1), n.Op == "Gemm" && n.Int("transB", 0) == 1
	if turn := w.Maker(name); turn != nil && turn.Op == "Transpose" && slices.Equal(turn.Ints("perm"), []int{1, 0}) {
		name, transposed = turn.Input(0), !transposed
	}
	t := w.Tensors[name]
	if t == nil {
		return nil, nil, nil
	}
	if len(t.Shape) != 2 || len(t.Data) == 0 || n.Int("transA", 0) != 0 || n.Float("alpha", 1) != 1 || n.Float("beta", 1) != 1 {
		return nil, nil, fmt.Errorf("%v is no plain dense layer: its weights have shape %v", n, t.Shape)
	}
	w.taken[name] = true
	if !transposed {
		t = turned(t)
	}
	p = &part{kind: isDense, node: n, weight: t}
	if n.Op == "Gemm" {
		if n.Input(2) == "" {
			return p, n, nil
		}
		bias, err := w.weight(n, 2, t.Shape[0])
		if err == nil {
			p.bias = bias.Data
		}
		return p, n, err
	}
	if sum := w.only(n.Output(0)); sum != nil && sum.Op == "Add" {
		if bias := w.constant(sum, t.Shape[0]); bias != nil {
			p.bias, p.node = bias.Data, sum
		}
	}
	return p, p.node, nil
}

// turned is a matrix with rows and columns exchanged.
func turned(t *tensor.Tensor) *tensor.Tensor {
	rows, columns := t.Shape[0], t.Shape[1]
	out := tensor.New(columns, rows)
	for i := range rows {
		for j := range columns {
			out.Data[j*rows+i] = t.Data[i*columns+j]
		}
	}
	return out
}
