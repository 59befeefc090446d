package vit

import (
	"fmt"
	"math"
	"strconv"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/weights"
)

// Arch is the architecture's name in the metadata of weights files.
const Arch = backbone.ArchViT

// Antialias is the way of timm to resample positions, which new networks have.
const Antialias = backbone.Antialias

// prefix is before the names of all tensors, which are those of DINOv2 and timm.
const prefix = "encoder."

// Plan is the shape of a network.
type Plan struct {
	Channels, Hidden, Heads, Depth int // Hidden are the channels inside a perceptron
	Patch                          int // side in pixels
	Places                         int // patches across that have embeddings of their positions
	Class                          bool
	Registers                      int
	// LayerScale says that there is one, and Scale what its weights begin with.
	LayerScale bool
	Scale      float64
	// Positions is how their embeddings are resampled to other numbers of patches: see
	// backbone.Offset.
	Positions string

	without map[string]bool // biases that the file has not, by name
}

// Limits of settings, beyond which a number is a slip of the finger.
const (
	maxDepth     = 64
	maxPatch     = 64
	maxPlaces    = 128
	maxRegisters = 64
)

// Check returns an error that names what no network can have.
func (p Plan) Check() error {
	for _, n := range []struct {
		name     string
		value    int
		from, to int
	}{
		{"the width of a vision transformer", p.Channels, 1, weights.MaxWidth}, {"hidden", p.Hidden, 1, 8 * weights.MaxWidth},
		{"depth", p.Depth, 1, maxDepth}, {"patch", p.Patch, 1, maxPatch}, {"places", p.Places, 1, maxPlaces}, {"registers", p.Registers, 0, maxRegisters},
	} {
		if n.value < n.from || n.value > n.to {
			return fmt.Errorf("%s is %d, want it from %d to %d", n.name, n.value, n.from, n.to)
		}
	}
	if p.Heads < 1 || p.Channels%p.Heads != 0 || p.Channels/p.Heads%kernel.Lanes != 0 {
		return fmt.Errorf("heads is %d of %d channels: want heads that have a multiple of %d channels each", p.Heads, p.Channels, kernel.Lanes)
	}
	if p.Hidden%kernel.Lanes != 0 {
		return fmt.Errorf("a perceptron of %d channels, want a multiple of %d", p.Hidden, kernel.Lanes)
	}
	if !(p.Scale >= 0 && p.Scale <= 1) {
		return fmt.Errorf("layer_scale is %g, want it from 0 to 1", p.Scale)
	}
	_, err := backbone.Taps(p.Positions, 1, 1)
	return err
}

// Of returns the plan of the network that a file holds.
//
// # Errors
//
// Tensors that are absent or do not fit together.
func Of(f *weights.File) (Plan, error) {
	p := Plan{Positions: f.Meta.Extra[backbone.KeyPositions], without: map[string]bool{}}
	r := &weights.Reader{File: f, Prefix: prefix}
	shape := func(name string, want ...int) []int {
		t := r.Tensor(name, want...)
		if r.Err != nil {
			return make([]int, len(want))
		}
		return t.Shape
	}
	embedding := shape("patch_embed.proj.weight", -1, 3, -1, -1)
	p.Channels, p.Patch = embedding[0], embedding[2]
	p.Hidden = shape("blocks.0.mlp.fc1.weight", -1, -1)[0]
	places := shape("pos_embed", 1, -1, -1)[1]
	if r.Err != nil {
		return p, r.Err
	}
	if p.Class = r.Has("cls_token"); p.Class {
		places--
	}
	p.Places = int(math.Sqrt(float64(places)))
	if r.Has("register_tokens") {
		p.Registers = shape("register_tokens", 1, -1, p.Channels)[1]
	}
	p.LayerScale = r.Has("blocks.0.ls1.gamma")
	for ; r.Has(at(p.Depth, "norm1.weight")); p.Depth++ {
		for _, dense := range denses {
			if bias := at(p.Depth, dense+".bias"); !r.Has(bias) {
				p.without[prefix+bias] = true
			}
		}
	}
	heads, err := strconv.Atoi(f.Meta.Extra[backbone.KeyHeads])
	if r.Err == nil && (err != nil || p.Places*p.Places != places) {
		return p, fmt.Errorf("%s: heads %q and positions of %d patches, want a number and a square", f.Source, f.Meta.Extra[backbone.KeyHeads], places)
	}
	p.Heads = heads
	if r.Err != nil {
		return p, r.Err
	}
	if err := p.Check(); err != nil {
		return p, fmt.Errorf("%s: %w", f.Source, err)
	}
	return p, nil
}

// denses are the fully connected layers of a block.
var denses = []string{"attn.qkv", "attn.proj", "mlp.fc1", "mlp.fc2"}

// at is the name of a block's tensor.
func at(block int, name string) string { return fmt.Sprintf("blocks.%d.%s", block, name) }

// Arch is the architecture's name.
func (Plan) Arch() string { return Arch }

// String names the network for people.
func (p Plan) String() string {
	return fmt.Sprintf("a vision transformer of width %d, depth %d and patches of %d", p.Channels, p.Depth, p.Patch)
}

// Fits returns an error for pictures that the network cannot take.
func (p Plan) Fits(size int) error {
	if size < p.Patch || size%p.Patch != 0 {
		return fmt.Errorf("pictures of %d pixels: patches have %d, want a multiple of that, such as %d", size, p.Patch, max(1, size/p.Patch)*p.Patch)
	}
	return nil
}

// before is the number of tokens before those of the patches.
func (p Plan) before() int {
	if p.Class {
		return p.Registers + 1
	}
	return p.Registers
}

// Memory is how many bytes a network takes at least to train with so many pictures of
// size×size pixels at once: weights, their gradients and momentum, and what each block
// keeps for its backward pass.
func (p Plan) Memory(size, pictures int) float64 {
	const float = 4
	c, wide, depth := float64(p.Channels), float64(p.Hidden), float64(p.Depth)
	across := float64(size / p.Patch)
	rows := float64(pictures) * (across*across + float64(p.before()))
	learnt := depth*(4*c*c+2*c*wide) + 3*float64(p.Patch*p.Patch)*c
	return float * (3*learnt + rows*(depth*(8*c+wide)+3*wide) + float64(pictures)*3*float64(size)*float64(size))
}
