package backbone

import (
	"fmt"
	"math"

	core "github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/format/artifact"
	"github.com/deepemd/deepemd/trainer/training/internal/resnet12"
)

// resnet12Arch is the name of ResNet-12 in weights files.
const resnet12Arch = core.ArchResNet12

// ResNet12 is the plan of a ResNet-12: the channels of its four blocks.
type ResNet12 []int

// Arch implements [Plan].
func (ResNet12) Arch() string { return core.ArchResNet12 }

// String implements [Plan].
func (p ResNet12) String() string { return fmt.Sprintf("widths %v", []int(p)) }

// Check implements [Plan].
func (p ResNet12) Check() error {
	if len(p) != core.Blocks {
		return fmt.Errorf("%v: want %d, one for each block", p, core.Blocks)
	}
	for _, w := range p {
		if w <= 0 {
			return fmt.Errorf("%v: want positive ones", p)
		}
		if w > weights.MaxWidth {
			memory := math.Min(p.Memory(0, 0, false), 1<<60)
			return fmt.Errorf("%v: want %d channels at most; the weights alone would take %s of memory", p, weights.MaxWidth, artifact.Bytes(int64(memory)))
		}
	}
	return nil
}

// Fits implements [Plan].
func (ResNet12) Fits(size int) error {
	if size < core.MinSize {
		return fmt.Errorf("pictures of %d pixels, a ResNet-12 needs at least %d", size, core.MinSize)
	}
	return nil
}

// Memory implements [Plan].
func (p ResNet12) Memory(size, pictures int, mixed bool) float64 {
	return resnet12.Memory(p, size, pictures, mixed)
}

// Build implements [Plan].
func (p ResNet12) Build(seed uint64, opt Options) (Network, error) {
	n, err := resnet12.New(p, seed, resnet12.Options(opt))
	if err != nil {
		return nil, err
	}
	return n, nil
}

// settledResNet12 is the plan of settings.
func settledResNet12(a *Architecture) (Plan, error) { return ResNet12(a.Widths), nil }
