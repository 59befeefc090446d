package onnx

import (
	"fmt"
	"slices"
)

// matching finds which of the dense layers before a softmax make queries, keys and values,
// puts them into this order, and counts the heads. One layer makes all three in it.
func (p *parade) matching(softmax *Node, made []part) (order []part, heads int, err error) {
	scores := p.back(softmax.Input(0), func(n *Node) bool { return n.Op == "MatMul" })
	mixed := p.only(softmax.Output(0))
	if scores == nil || mixed == nil || mixed.Op != "MatMul" {
		return nil, 0, fmt.Errorf("%v stands between %v and %v, want two products of matrices", softmax, scores, mixed)
	}
	from := []string{scores.Input(0), scores.Input(1), mixed.Input(1)}
	is := func(n *Node) bool {
		return slices.ContainsFunc(made, func(d part) bool { return d.node == n })
	}
	for _, value := range from {
		n := p.back(value, is)
		at := slices.IndexFunc(made, func(d part) bool { return d.node == n })
		if at < 0 {
			return nil, 0, fmt.Errorf("%.80q comes from no dense layer before %v: no attention that can be read", value, softmax)
		}
		if len(made) == 3 || len(order) == 0 {
			order = append(order, made[at])
		}
	}
	if len(made) != 1 && len(made) != 3 {
		return nil, 0, fmt.Errorf("%d dense layers before %v, want one for queries, keys and values, or three", len(made), softmax)
	}
	if len(made) == 1 {
		if err := p.inOrder(from); err != nil {
			return nil, 0, err
		}
	}
	// How many heads there are stands in the shape that queries get.
	reshape := p.back(from[0], func(n *Node) bool { return n.Op == "Reshape" || is(n) })
	if reshape != nil && reshape.Op == "Reshape" {
		heads = p.headsOf(reshape.Input(1))
	}
	if heads < 1 || p.channels%heads != 0 {
		return nil, 0, fmt.Errorf("the shape [… heads, channels of a head] before %v is not known: export the network for pictures of one size, without dynamic axes", softmax)
	}
	return order, heads, nil
}

// maxBack bounds the operators between a layer and the next.
const maxBack = 64

// back follows a value to the node that made it, from there the first of its inputs that is
// no weight, and so on, up to a node that is looked for; nil where there is none.
func (w *walk) back(value string, is func(*Node) bool) *Node {
	n, _ := w.backTo(value, is)
	return n
}

// backTo is back, with the node's value.
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

// inOrder reports an error where three values are other parts of what one dense layer made
// than the first, the second and the third. Parts that the graph computes are taken to be.
func (p *parade) inOrder(values []string) error {
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

// headsOf is how many heads a shape has that ends in heads and channels of a head, of which
// one may be left to be computed; 0 where neither is told.
func (p *parade) headsOf(shape string) int {
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
		return p.channels / width // before it may stand heads times pictures
	}
	return max(ends[0], unknown)
}

// number is a number that stands in a shape, 0 where the graph computes it.
func (w *walk) number(name string) int {
	if n := w.Maker(name); n != nil && n.Op == "Unsqueeze" {
		name = n.Input(0)
	}
	if values := w.Integers[name]; len(values) == 1 {
		return values[0]
	}
	return 0
}
