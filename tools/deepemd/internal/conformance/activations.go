package conformance

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/tensor"
)

// compareActivations compares the network's input and the output of every block
// for one picture, from its file on.
func (r *reference) compareActivations(report func(Check)) error {
	pre := r.preprocess(r.pieces)
	picture, err := r.data.Image(r.list.Act.Image)
	if err != nil {
		return err
	}
	input := tensor.New(1, pre.Size, pre.Size, 3)
	pre.Normalize(input.Data, pre.Pixels(picture))
	want, err := r.array("act_input")
	if err != nil {
		return err
	}
	// One rounding of float32 at the scale of normalised pixels.
	report(compare(r.name+": network input", Absolute, 1e-6, channelsFirst(input), want))

	blocks, err := r.network.BlockOutputs(input)
	if err != nil {
		return err
	}
	for i, block := range blocks {
		want, err := r.array(fmt.Sprintf("act_layer%d", i+1))
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%s: activations of block %d", r.name, i+1)
		report(compare(what, RelativeRMS, 1e-3, channelsFirst(block), want))
	}
	return nil
}

// channelsFirst returns the values of t, [1, H, W, C], in the reference's
// order, [1, C, H, W].
func channelsFirst(t *tensor.Tensor) []float32 {
	t.MustShape("activations", 1, -1, -1, -1)
	positions, c := t.Shape[1]*t.Shape[2], t.Shape[3]
	out := make([]float32, len(t.Data))
	for p := range positions {
		for k := range c {
			out[k*positions+p] = t.Data[p*c+k]
		}
	}
	return out
}
