package netfile

import (
	"fmt"
	"strings"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// residualSide is an input whose last map has five positions across, in pixels.
const residualSide = 5 * backbone.Stride

// resnet takes the names of torchvision's ResNets, which are those of internal/backbone.
func resnet(p part) (*namedNetwork, error) {
	first := p["conv1.weight"]
	if !first.HasShape(-1, 3, 7, 7) {
		return nil, fmt.Errorf("the first convolution has shape %v, want [channels 3 7 7]", first.Shape)
	}
	f := &namedNetwork{Arch: backbone.ArchResNet, InputSize: residualSide, Tensors: map[string]*tensor.Tensor{}}
	for stage := 1; stage == 1 || p[fmt.Sprintf("layer%d.0.conv1.weight", stage)] != nil; stage++ {
		last := p[fmt.Sprintf("layer%d.0.conv3.weight", stage)]
		if last == nil {
			last = p[fmt.Sprintf("layer%d.0.conv2.weight", stage)]
		}
		if last == nil || len(last.Shape) != 4 {
			return nil, fmt.Errorf("no tensor layer%d.0.conv2.weight [channels channels 3 3]", stage)
		}
		f.Widths = append(f.Widths, last.Shape[0])
	}
	for name := range p {
		group, layer, _ := strings.Cut(name, ".")
		switch {
		case strings.HasSuffix(layer, "num_batches_tracked"):
		case group == "conv1", group == "bn1":
			f.Tensors[name] = p[name]
		case len(group) == len("layer0") && strings.HasPrefix(group, "layer"):
			if held := fmt.Sprintf("layer%d", len(f.Widths)); group > held {
				return nil, fmt.Errorf("no tensor layer%d.0.conv1.weight, though there is %s", len(f.Widths)+1, name)
			}
			f.Tensors[name] = p[name]
		}
	}
	for name := range f.Tensors {
		delete(p, name)
	}
	return f, nil
}
