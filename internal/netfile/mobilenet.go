package netfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// mobilenets takes the names of torchvision's MobileNets, which are those of
// internal/backbone.
func mobilenets(p part) (*namedNetwork, error) {
	f := &namedNetwork{Arch: backbone.ArchMobileNet, InputSize: 5 * backbone.Stride, Tensors: map[string]*tensor.Tensor{}}
	last := 0
	for name := range p {
		if !strings.HasPrefix(name, "features.") || strings.HasSuffix(name, "num_batches_tracked") {
			continue
		}
		f.Tensors[name] = p[name]
		var number int
		if _, err := fmt.Sscanf(name, "features.%d.", &number); err == nil {
			last = max(last, number)
		}
	}
	if err := f.leave(last); err != nil {
		return nil, err
	}
	for name := range f.Tensors {
		delete(p, name)
	}
	return f, nil
}

// leave makes the channels that a part of a MobileNet leaves those of the network: of the
// last convolution, or of a block's last layer, which is one of single pixels too.
func (f *namedNetwork) leave(number int) error {
	first := fmt.Sprintf("features.%d.", number)
	last := ""
	for name, t := range f.Tensors {
		layer, ok := strings.CutPrefix(strings.TrimPrefix(name, prefix), first)
		if ok && t.HasShape(-1, -1, 1, 1) && !strings.Contains(layer, ".fc") {
			last = max(last, name) // no block has ten layers
		}
	}
	if last == "" {
		return fmt.Errorf("no tensor %s0.weight [channels channels 1 1] behind the last block: it has %s", first, some(part(f.Tensors)))
	}
	f.Widths = []int{f.Tensors[last].Shape[0]}
	return nil
}

// firstNorm are the names of a normalisation's tensors in a MobileNet v1, and those that
// internal/backbone reads.
var firstNorm = map[string]string{"gamma": "weight", "beta": "bias", "mean": "running_mean", "var": "running_var"}

// mobilenetFirst takes the layers of a MobileNet v1: conv1, and dw1, pw1, dw2 and so on as
// far as they go. Pictures are scaled to −1…1.
func mobilenetFirst(p part) (*namedNetwork, error) {
	half := [3]float32{0.5, 0.5, 0.5}
	f := &namedNetwork{Arch: backbone.ArchMobileNet, InputSize: 5 * backbone.Stride, Mean: half, Std: half, Tensors: map[string]*tensor.Tensor{}}
	take := func(layer string) (err error) {
		names := map[string]string{layer + ".weight": layer + ".weight"}
		for from, to := range firstNorm {
			norm := layer + ".bn."
			if p[norm+to] != nil { // found again
				from = to
			}
			names[norm+from] = norm + to
		}
		for from, to := range names {
			if f.Tensors["features."+to], err = p.need(from); err != nil {
				return err
			}
		}
		return nil
	}
	if err := take("conv1"); err != nil {
		return nil, err
	}
	for i := 1; p[fmt.Sprintf("dw%d.weight", i)] != nil; i++ {
		depthwise, pointwise := fmt.Sprintf("dw%d", i), fmt.Sprintf("pw%d", i)
		if err := errors.Join(take(depthwise), take(pointwise)); err != nil {
			return nil, err
		}
		f.Widths = []int{f.Tensors["features."+pointwise+".weight"].Shape[0]}
	}
	return f, nil
}
