package backbone

import (
	"fmt"
	"math"
	"strconv"

	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/plural"
)

// Plan specifies a ResNet-12 before memory is allocated. It is part of a run's settings.
type Plan struct {
	Widths []int `toml:"widths"` // channels of the four blocks
	// Grid is the side to which a larger last map is averaged; 0 keeps all positions.
	Grid int `toml:"grid"`
}

// Of returns the plan of the network in a file. It returns an error for other architectures and for
// invalid metadata.
func Of(f *weights.File) (Plan, error) {
	if f.Meta.Arch != core.ArchResNet12 {
		return Plan{}, fmt.Errorf("%s has the architecture %s, only a %s can be trained: use it as a teacher (pretrain --teacher)",
			f.Source, f.Meta.Arch, core.ArchResNet12)
	}
	p := Plan{Widths: f.Meta.Widths}
	if text := f.Meta.Extra[core.KeyGrid]; text != "" {
		grid, err := strconv.Atoi(text)
		if err != nil {
			return Plan{}, fmt.Errorf("metadata %s %.20q: want a number of nodes across", core.KeyGrid, text)
		}
		p.Grid = grid
	}
	return p, nil
}

// String describes the network: "widths [64 160 320 640]".
func (p Plan) String() string { return fmt.Sprintf("widths %v", p.Widths) }

// Check returns an error that names an invalid width or grid.
func (p Plan) Check() error {
	if len(p.Widths) != core.Blocks {
		return fmt.Errorf("%v: want %d, one for each block", p, core.Blocks)
	}
	for _, w := range p.Widths {
		if w <= 0 {
			return fmt.Errorf("%v: want positive ones", p)
		}
		if w > weights.MaxWidth {
			return fmt.Errorf("%v: want %d channels at most; the weights alone would take %s of memory", p, weights.MaxWidth, plural.Bytes(p.Memory(0, 0, false)))
		}
	}
	if p.Grid < 0 || p.Grid > core.MaxGrid {
		return fmt.Errorf("grid is %d, want nodes from 1 to %d across, or 0 for all positions", p.Grid, core.MaxGrid)
	}
	return nil
}

// Memory returns a lower bound of the bytes that a training step takes with the given number of images
// of size×size pixels, in bfloat16 if mixed is set: weights with gradients and momentum, the maps
// for the backward pass, and the images. It is +Inf if it overflows.
func (p Plan) Memory(size, pictures int, mixed bool) float64 {
	const float = 4
	maps := 9. * float // bytes for each value that a block computes: see block and package device
	if mixed {
		maps = 11 * 2
	}
	side, n := float64(size), float64(pictures)
	in, values, weights := 3., 0., 0.
	for _, w := range p.Widths {
		out := float64(w)
		weights += (9+1)*in*out + 2*9*out*out
		values += n * out * side * side
		in, side = out, math.Floor(side/2)
	}
	return 3*float*weights + maps*values + n*3*float*float64(size)*float64(size)
}
