// Package onnxread reads ONNX models and finds the network that one computes, layer by layer:
// a ResNet-12, torchvision's ResNets and MobileNets, and vision transformers. [Graph] holds
// a model's operators in the order in which they run, and the weights that they take.
package onnx

import (
	"fmt"
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// known says for people what can be read.
const known = "a ResNet-12, torchvision's ResNets and MobileNets, and vision transformers"

// Decode reads the network that an ONNX model computes, if it is one of those that core
// has. Which layer is which is told by the graph alone, since exporters fold weights into
// others and rename them; tensors get the names that package names finds networks by.
// Batch normalisation that was folded into a convolution becomes one that only adds the
// bias. Other weights of floats, such as a head's, keep their names. Facts are those of
// the model's metadata_props where this package wrote it, and may be absent. The name
// opens every error.
//
// # Errors
//
// Those of decodeGraph; a graph that is no network of core, which is refused with what
// was found; NaN or infinite weights.
func Decode(name string, data []byte) (*weights.File, error) {
	g, err := decodeGraph(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &weights.File{Source: name}
	if g.Facts["arch"] != "" { // ours
		if f.Meta, err = weights.ParseMeta(g.Facts); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	w := &walk{Graph: g, tensors: map[string]*tensor.Tensor{}, extra: map[string]string{}, taken: map[string]bool{}, left: leastValues}
	for _, t := range g.Tensors {
		w.left += timesValues * len(t.Data)
	}
	if err := w.network(); err != nil {
		return nil, fmt.Errorf("%s: no network that is known (%s): %w; the graph has %s", name, known, err, g.Describe())
	}
	if err := w.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w.rest()
	f.Tensors = w.tensors
	if len(w.extra) > 0 {
		extra := w.extra
		maps.Copy(extra, f.Meta.Extra)
		f.Meta.Extra = extra
	}
	return f, nil
}

// walk follows a graph from layer to layer.
type walk struct {
	*Graph
	tensors map[string]*tensor.Tensor // found so far
	extra   map[string]string         // facts that the graph tells
	taken   map[string]bool           // weights that were used, by the graph's names
	left    int                       // values that may still be made of the weights
}

// Of a graph's weights others are made, and a graph may give the same weights to thousands
// of layers: so many times as many values as it has may be made, and these besides.
const timesValues, leastValues = 16, 1 << 20

// spend counts values that are made.
func (w *walk) spend(n *Node, values int) error {
	if w.left -= values; w.left < 0 {
		return fmt.Errorf("%v has weights that many other layers have: no network of this kind", n)
	}
	return nil
}

// check reports values that are no numbers, and gives each tensor memory of its own:
// exporters keep weights that are equal once, whichever layers have them.
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
				return fmt.Errorf("%s are weights that many other layers have: no network of this kind", name)
			}
			t = tensor.Of(slices.Clone(t.Data), t.Shape...)
			w.tensors[name] = t
		}
		owners[&t.Data[0]] = true
	}
	return nil
}

// network finds the network by what takes the pictures.
func (w *walk) network() error {
	var used []string
	for _, input := range w.Inputs {
		if len(w.Users(input)) > 0 {
			used = append(used, input)
		}
	}
	if len(used) != 1 {
		return fmt.Errorf("it has the inputs %.200q: want one, of pictures", used)
	}
	input := used[0]
	first := w.Users(input)[0]
	if first.Op != "Conv" {
		return fmt.Errorf("the first operator is %v, want a convolution of pictures [N, 3, H, W], which are normalised before", first)
	}
	c, err := w.conv(first)
	if err != nil {
		return err
	}
	switch k := c.filters.Shape[2]; {
	case c.pad == 0 && c.stride == k:
		return w.transformer(c)
	case k == 7 && c.stride == 2:
		return w.residual(c)
	case k == 3 && c.stride == 2:
		return w.mobilenet(c)
	case k == 3 && c.stride == 1:
		return w.resnet12(input)
	default:
		return fmt.Errorf("%v begins it with filters of %d×%d and stride %d", first, k, k, c.stride)
	}
}

// rest adds the weights of floats that no layer took under the names that they have, so
// that who imports the network can say what was left out.
func (w *walk) rest() {
	for name, t := range w.Tensors {
		if !w.taken[name] && len(t.Shape) > 0 && w.tensors[name] == nil && weights.CheckFinite(t) == nil {
			w.tensors[name] = t
		}
	}
}
