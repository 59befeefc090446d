package flags

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/parts"
)

// Embedder are the flags that say how a picture becomes local embeddings.
type Embedder struct {
	Kind    string
	Pyramid []int
	Grid    []int
	Ratio   float64
	Patches int
	Seed    uint64
}

// Register adds the flags.
func (f *Embedder) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.Kind, "embedder", method.FCN, "how a picture becomes local embeddings: fcn (the positions of the network's map), grid (crops in grids, a pass through the network each) or sampling (random crops)")
	flags.IntSliceVar(&f.Pyramid, "pyramid", nil, "with fcn: further levels of the feature pyramid, such as 2,1")
	flags.IntSliceVar(&f.Grid, "grid", nil, "with grid: cells across of each grid (default 2,3)")
	flags.Float64Var(&f.Ratio, "ratio", 0, "with grid: side of a crop in sides of its cell (default 2)")
	flags.IntVar(&f.Patches, "patches", 0, "with sampling: crops of a picture (default 9)")
	flags.Uint64Var(&f.Seed, "patch-seed", 0, "with sampling: seed of the crops, which depend on it and on the picture alone")
}

// Choice returns what the flags say.
func (f *Embedder) Choice() method.Embedder {
	return method.Embedder{Kind: f.Kind, Pyramid: f.Pyramid, Grid: f.Grid, Ratio: f.Ratio, Patches: f.Patches, Seed: f.Seed}
}

// Given reports whether any of the flags says something.
func (f *Embedder) Given() bool {
	return !reflect.DeepEqual(f.Choice(), method.Embedder{Kind: method.FCN}) && !reflect.DeepEqual(f.Choice(), method.Embedder{})
}

// Embedder returns what the flags stand for.
func (f *Embedder) Embedder() (embed.Embedder, error) {
	e, err := parts.All().Embedder(f.Choice())
	if err != nil {
		return nil, fmt.Errorf("--embedder %s: %s", f.Kind, strings.TrimPrefix(err.Error(), "embed: "))
	}
	return e, nil
}
