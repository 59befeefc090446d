package names

import (
	"fmt"
	"strings"

	"github.com/deepemd/deepemd/core/mobilenet"
	"github.com/deepemd/deepemd/core/tensor"
)

// mobilenets takes the names of torchvision's MobileNets, which are those of
// core/mobilenet.
func mobilenets(p part) (*Found, error) {
	f := &Found{Arch: mobilenet.Arch, InputSize: 5 * mobilenet.Stride, Tensors: map[string]*tensor.Tensor{}}
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
	head := p[fmt.Sprintf("features.%d.0.weight", last)]
	if head == nil || !head.HasShape(-1, -1, 1, 1) {
		return nil, fmt.Errorf("no tensor features.%d.0.weight [channels channels 1 1] behind the last block: it has %s", last, some(p))
	}
	f.Widths = []int{head.Shape[0]}
	for name := range f.Tensors {
		delete(p, name)
	}
	return f, nil
}
