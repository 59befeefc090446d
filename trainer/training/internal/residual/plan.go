package residual

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/weights"
)

// Arch is the architecture's name in the metadata of weights files.
const Arch = backbone.ArchResNet

// stages follow each other, each with half the positions of the one before it.
const stages = 4

// MaxBlocks bounds the blocks of a stage.
const MaxBlocks = 64

// prefix is before the names of all tensors, which are torchvision's.
const prefix = "encoder."

// Plan is the shape of a network.
type Plan struct {
	Stem   int // channels of the first convolution
	Stages [stages][]Block
}

// Block is the shape of a block: the channels behind each of its convolutions, two of 3×3
// or, in a bottleneck, 1×1, 3×3 and 1×1; and whether a convolution goes past them.
type Block struct {
	Widths []int
	Past   bool
}

// Basic is the plan of a network of basic blocks, so many in each stage, as ResNet-18 and
// ResNet-34 have them.
//
// # Errors
//
// Numbers of stages or blocks that make no network.
func Basic(widths, blocks []int) (Plan, error) {
	var p Plan
	if len(widths) != stages || len(blocks) != stages {
		return p, fmt.Errorf("widths %v and blocks %v: want %d of both, one for each stage", widths, blocks, stages)
	}
	in := widths[0]
	p.Stem = in
	for stage, out := range widths {
		if out < 1 || out > weights.MaxWidth {
			return p, fmt.Errorf("widths %v: want channels from 1 to %d", widths, weights.MaxWidth)
		}
		if blocks[stage] < 1 || blocks[stage] > MaxBlocks {
			return p, fmt.Errorf("blocks %v: want from 1 to %d in each stage", blocks, MaxBlocks)
		}
		for i := range blocks[stage] {
			p.Stages[stage] = append(p.Stages[stage], Block{Widths: []int{out, out}, Past: i == 0 && (stage > 0 || out != in)})
		}
		in = out
	}
	return p, nil
}

// Of returns the plan of the network that a file holds.
//
// # Errors
//
// Tensors that are absent.
func Of(f *weights.File) (Plan, error) {
	var p Plan
	r := &weights.Reader{File: f, Prefix: prefix}
	width := func(name string) int {
		t := r.Tensor(name, -1, -1, -1, -1)
		if r.Err != nil {
			return 0
		}
		return t.Shape[0]
	}
	p.Stem = width("conv1.weight")
	for stage := range p.Stages {
		for i := 0; i == 0 || r.Has(name(stage, i, "conv1.weight")); i++ {
			b := Block{Widths: []int{width(name(stage, i, "conv1.weight")), width(name(stage, i, "conv2.weight"))}}
			if r.Has(name(stage, i, "conv3.weight")) {
				b.Widths = append(b.Widths, width(name(stage, i, "conv3.weight")))
			}
			b.Past = r.Has(name(stage, i, "downsample.0.weight"))
			if r.Err != nil {
				return p, r.Err
			}
			p.Stages[stage] = append(p.Stages[stage], b)
		}
	}
	return p, nil
}

func name(stage, block int, tensor string) string {
	return fmt.Sprintf("layer%d.%d.%s", stage+1, block, tensor)
}

// Arch is the architecture's name.
func (Plan) Arch() string { return Arch }

// Widths are the channels behind each stage.
func (p Plan) Widths() []int {
	var widths []int
	for _, blocks := range p.Stages {
		last := blocks[len(blocks)-1].Widths
		widths = append(widths, last[len(last)-1])
	}
	return widths
}

// String names the network for people.
func (p Plan) String() string { return fmt.Sprintf("a ResNet of widths %v", p.Widths()) }

// Fits returns an error for pictures that the network cannot take.
func (p Plan) Fits(size int) error {
	if size < backbone.Stride {
		return fmt.Errorf("pictures of %d pixels, a ResNet of ImageNet needs at least %d", size, backbone.Stride)
	}
	return nil
}

// each calls do for every convolution: channels of its input and output, side of its
// filters, and how many pixels of a picture lie between its positions.
func (p Plan) each(do func(in, out, k, stride int)) {
	do(3, p.Stem, 7, 2)
	in, stride := p.Stem, 4
	for stage, blocks := range p.Stages {
		if stage > 0 {
			stride *= 2
		}
		for _, b := range blocks {
			last := len(b.Widths) - 1
			if b.Past {
				do(in, b.Widths[last], 1, stride)
			}
			for i, out := range b.Widths {
				k := 3
				if last == 2 && i != 1 {
					k = 1
				}
				do(in, out, k, stride)
				in = out
			}
		}
	}
}

// Memory is how many bytes a network takes at least to train with so many pictures of
// size×size pixels at once: weights, their gradients and momentum, and three maps of each
// convolution, what it gives, that normalised, and a gradient.
func (p Plan) Memory(size, pictures int) float64 {
	const float = 4
	n, pixels := float64(pictures), float64(size)*float64(size)
	sum := n * 3 * pixels
	p.each(func(in, out, k, stride int) {
		sum += 3 * float64(in) * float64(out) * float64(k*k)
		sum += 3 * n * float64(out) * math.Floor(pixels/float64(stride*stride))
	})
	return float * sum
}
