package conformance

import (
	"fmt"

	"deepemd/core/imaging"
	"deepemd/core/tensor"
)

// activations compares the network's input and the output of every block for
// one picture, from its file on.
func (r *reference) activations(pre imaging.Preprocess) ([]Check, error) {
	picture, err := r.data.Image(r.list.Act.Image)
	if err != nil {
		return nil, err
	}
	input := tensor.New(1, pre.Size, pre.Size, 3)
	pre.Normalize(input.Data, pre.Pixels(picture))
	want, err := r.array("act_input")
	if err != nil {
		return nil, err
	}
	// One rounding of float32 at the scale of normalised pixels.
	checks := []Check{compare(r.name+": network input", Absolute, 1e-6, channelsFirst(input), want)}

	blocks, err := r.net.BlockOutputs(input)
	if err != nil {
		return nil, err
	}
	for i, block := range blocks {
		want, err := r.array(fmt.Sprintf("act_layer%d", i+1))
		if err != nil {
			return nil, err
		}
		what := fmt.Sprintf("%s: activations of block %d", r.name, i+1)
		checks = append(checks, compare(what, RelativeRMS, 1e-3, channelsFirst(block), want))
	}
	return checks, nil
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
