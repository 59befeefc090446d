package backbone

import (
	"maps"
	"strconv"

	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Export returns the weights of a network as inference reads them; meta says the rest.
func (b *Network) Export(meta weights.Meta) *weights.File {
	meta.Arch, meta.Widths = core.ArchResNet12, b.widths
	if b.pool.grid > 0 {
		if meta.Extra = maps.Clone(meta.Extra); meta.Extra == nil {
			meta.Extra = map[string]string{}
		}
		meta.Extra[core.KeyGrid] = strconv.Itoa(b.pool.grid)
	}
	f := &weights.File{Source: "backbone in training", Meta: meta, Tensors: map[string]*tensor.Tensor{}}
	Export(f, b.Params(), b.Norms())
	return f
}

// Import takes weights of the same widths from a file.
//
// # Errors
//
// Absent tensors or ones of another shape; the network is then half changed.
func (b *Network) Import(f *weights.File) error { return Import(f, b.Params(), b.Norms()) }
