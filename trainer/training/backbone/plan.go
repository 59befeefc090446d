package backbone

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	core "github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/format/artifact"
	"github.com/deepemd/deepemd/trainer/training/internal/residual"
	"github.com/deepemd/deepemd/trainer/training/internal/resnet12"
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
	resnet.Arch:   func(f *weights.File) (Plan, error) { return ResNet12(f.Meta.Widths), nil },
	residual.Arch: func(f *weights.File) (Plan, error) { p, err := residual.Of(f); return residualPlan{p}, err },
	vit.Arch:      func(f *weights.File) (Plan, error) { p, err := vit.Of(f); return vitPlan{p}, err },
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

// resnet12Arch is the name of ResNet-12 in weights files.
const resnet12Arch = resnet.Arch

// ResNet12 is the plan of a ResNet-12: the channels of its four blocks.
type ResNet12 []int

// Arch implements [Plan].
func (ResNet12) Arch() string { return resnet.Arch }

// String implements [Plan].
func (p ResNet12) String() string { return fmt.Sprintf("widths %v", []int(p)) }

// Check implements [Plan].
func (p ResNet12) Check() error {
	if len(p) != resnet.Blocks {
		return fmt.Errorf("%v: want %d, one for each block", p, resnet.Blocks)
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
	if size < resnet.MinSize {
		return fmt.Errorf("pictures of %d pixels, a ResNet-12 needs at least %d", size, resnet.MinSize)
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

// residualPlan builds networks of package residual.
type residualPlan struct{ residual.Plan }

// Check implements [Plan].
func (residualPlan) Check() error { return nil }

// Memory implements [Plan].
func (p residualPlan) Memory(size, pictures int, _ bool) float64 {
	return p.Plan.Memory(size, pictures)
}

// Build implements [Plan].
func (p residualPlan) Build(seed uint64, opt Options) (Network, error) {
	return residual.New(p.Plan, seed, opt.Threads, opt.Kernels), nil
}

// vitPlan builds networks of package vit.
type vitPlan struct{ vit.Plan }

// Memory implements [Plan].
func (p vitPlan) Memory(size, pictures int, _ bool) float64 { return p.Plan.Memory(size, pictures) }

// Build implements [Plan].
func (p vitPlan) Build(seed uint64, opt Options) (Network, error) {
	return vit.New(p.Plan, seed, opt.Threads, opt.Kernels), nil
}
