// Package backbone builds the network of a weights file for inference: ResNet-12, ImageNet ResNets,
// MobileNets and vision transformers. Batch normalization is folded into the convolutions.
package backbone

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Network is an encoder. It is not safe for concurrent use.
type Network interface {
	embed.Encoder
	// Channels returns the number of channels of an embedding.
	Channels() int
	// BlockOutputs computes the output of each block for a batch, see Forward, preceded by the
	// output of any layers before the first block. The results own their memory. It returns the
	// same errors as Forward.
	BlockOutputs(batch *tensor.Tensor) ([]*tensor.Tensor, error)
}

// Options are the settings of a network.
type Options = nn.Options

// KeyGrid is the metadata key of the number of nodes across to which larger maps are pooled. If it
// is absent or 0, maps are not pooled.
const KeyGrid = "grid"

// MaxGrid is the maximum of KeyGrid.
const MaxGrid = 32

var architectures = map[string]func(*weights.File, Options) (Network, error){
	ArchMobileNet: newMobileNet,
	ArchResNet:    newResNet,
	ArchResNet12:  newResNet12,
	ArchViT: func(f *weights.File, opt Options) (Network, error) {
		n, err := NewViT(f, opt)
		if err != nil {
			return nil, err // a nil *ViT would not be a nil Network
		}
		return n, nil
	},
}

// New builds the network that the file's metadata describe.
//
// # Errors
//
// An unknown architecture, a grid out of bounds, and tensors that are absent or do not fit the
// architecture. Every error names the file.
func New(f *weights.File, opt Options) (Network, error) {
	build, ok := architectures[f.Meta.Arch]
	if !ok {
		names := strings.Join(slices.Sorted(maps.Keys(architectures)), ", ")
		return nil, fmt.Errorf("%s: architecture %q, want one of %s: convert the weights with `deepemd import`", f.Source, f.Meta.Arch, names)
	}
	n, err := build(f, opt)
	if err != nil {
		return nil, err
	}
	text, ok := f.Meta.Extra[KeyGrid]
	if !ok || text == "0" {
		return n, nil
	}
	grid, err := strconv.Atoi(text)
	if err != nil || grid < 1 || grid > MaxGrid {
		return nil, fmt.Errorf("%s: metadata %s %.20q: want 1 to %d nodes across", f.Source, KeyGrid, text, MaxGrid)
	}
	return &pooled{Network: n, grid: grid}, nil
}

// pooled is a network whose larger maps are averaged to grid×grid positions.
type pooled struct {
	Network
	grid   int
	output *tensor.Tensor
}

// Summaries implements embed.Summarizer: the network's summaries, or nil.
func (p *pooled) Summaries() *tensor.Tensor {
	if s, ok := p.Network.(embed.Summarizer); ok {
		return s.Summaries()
	}
	return nil
}

// Forward implements Network.
func (p *pooled) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	maps, err := p.Network.Forward(batch)
	if err != nil || maps.Shape[1] <= p.grid && maps.Shape[2] <= p.grid {
		return maps, err
	}
	n, h, w, c := maps.Shape[0], maps.Shape[1], maps.Shape[2], maps.Shape[3]
	if p.output == nil || !p.output.HasShape(n, p.grid, p.grid, c) {
		p.output = tensor.New(n, p.grid, p.grid, c)
	}
	for i := range n {
		embed.PoolMap(p.output.Row(i), maps.Row(i), h, w, c, p.grid)
	}
	return p.output, nil
}
