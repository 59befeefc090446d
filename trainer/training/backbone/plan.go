package backbone

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	core "github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/internal/residual"
	"github.com/deepemd/deepemd/trainer/training/internal/vit"
)

// Plan says which network to build, before it takes any memory.
type Plan interface {
	// Arch is the architecture, by its name in weights files.
	Arch() string
	// String names the network for people: "widths [64 160 320 640]".
	String() string
	// Check returns an error that names what no network can have.
	Check() error
	// Fits returns an error for pictures of size×size pixels that the network cannot take.
	Fits(size int) error
	// Memory is how many bytes it takes at least to train with so many pictures of
	// size×size pixels at once, in bfloat16 where mixed is set. It is +Inf rather than
	// wrong for numbers that no machine has room for.
	Memory(size, pictures int, mixed bool) float64
	// Build returns the network with random weights.
	Build(seed uint64, opt Options) (Network, error)
}

// plans read what a weights file holds, by the names of the architectures that learn.
var plans = map[string]func(*weights.File) (Plan, error){
	resnet12Arch:  func(f *weights.File) (Plan, error) { return ResNet12(f.Meta.Widths), nil },
	residual.Arch: residualOf,
	vit.Arch:      vitOf,
}

// Of returns the plan of the network that a file holds.
//
// # Errors
//
// An architecture that does not learn here, naming those that do; tensors that do not
// make one.
func Of(f *weights.File) (Plan, error) {
	of, ok := plans[f.Meta.Arch]
	if !ok {
		return nil, fmt.Errorf("%s holds a network of the architecture %s, which cannot be trained here, %s can: as the teacher of one of them (pretrain --teacher) any network will do",
			f.Source, f.Meta.Arch, strings.Join(slices.Sorted(maps.Keys(plans)), ", "))
	}
	p, err := of(f)
	if err != nil {
		return nil, err
	}
	return gridOf(p, f.Meta)
}

// gridOf pools the maps of a plan's networks to the grid that metadata say, if any.
func gridOf(p Plan, m weights.Meta) (Plan, error) {
	text := m.Extra[core.KeyGrid]
	if text == "" || text == "0" {
		return p, nil
	}
	grid, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("metadata %s %.20q: want a number of nodes across", core.KeyGrid, text)
	}
	return Pooled(p, grid), nil
}
