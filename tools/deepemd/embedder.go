package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/embed"
)

// embedderFlags are the flags that say how a picture becomes local embeddings.
type embedderFlags struct {
	kind    string
	pyramid []int
	grid    []int
	ratio   float64
	patches int
	seed    uint64
}

func (f *embedderFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.kind, "embedder", embed.KindFCN, "how a picture becomes local embeddings: fcn (the positions of the network's map), grid (crops in grids, a pass through the network each) or sampling (random crops)")
	flags.IntSliceVar(&f.pyramid, "pyramid", nil, "with fcn: further levels of the feature pyramid, such as 2,1")
	flags.IntSliceVar(&f.grid, "grid", nil, "with grid: cells across of each grid (default 2,3)")
	flags.Float64Var(&f.ratio, "ratio", 0, "with grid: side of a crop in sides of its cell (default 2)")
	flags.IntVar(&f.patches, "patches", 0, "with sampling: crops of a picture (default 9)")
	flags.Uint64Var(&f.seed, "patch-seed", 0, "with sampling: seed of the crops, which depend on it and on the picture alone")
}

// choice returns what the flags say.
func (f *embedderFlags) choice() embed.Choice {
	return embed.Choice{Kind: f.kind, Pyramid: f.pyramid, Grid: f.grid, Ratio: f.ratio, Patches: f.patches, Seed: f.seed}
}

// given reports whether any of the flags says something.
func (f *embedderFlags) given() bool {
	return !reflect.DeepEqual(f.choice(), embed.Choice{Kind: embed.KindFCN}) && !reflect.DeepEqual(f.choice(), embed.Choice{})
}

// embedder returns what the flags stand for.
func (f *embedderFlags) embedder() (embed.Embedder, error) {
	e, err := f.choice().Embedder()
	if err != nil {
		return nil, fmt.Errorf("--embedder %s: %s", f.kind, strings.TrimPrefix(err.Error(), "embed: "))
	}
	return e, nil
}

// embedding says in files and answers how pictures were embedded. FCN without a
// pyramid goes without saying.
type embedding struct {
	Embedder  string  `json:"embedder,omitempty"`
	Pyramid   []int   `json:"pyramid,omitempty"`
	Grid      []int   `json:"grid,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"`
	Patches   int     `json:"patches,omitempty"`
	PatchSeed uint64  `json:"patchSeed,omitempty"`
}

// embeddingOf describes an embedder.
func embeddingOf(e embed.Embedder) embedding {
	switch e := e.(type) {
	case embed.Grid:
		return embedding{Embedder: embed.KindGrid, Grid: e.Levels, Ratio: e.Ratio}
	case embed.Sampling:
		return embedding{Embedder: embed.KindSampling, Patches: e.Patches, PatchSeed: e.Seed}
	case embed.FCN:
		return embedding{Pyramid: e.Pyramid}
	}
	panic(fmt.Sprintf("an embedder %T that no flag stands for", e))
}

// String says it for people.
func (e embedding) String() string {
	switch {
	case e.Embedder == embed.KindGrid:
		return fmt.Sprintf("grids %s of ratio %g", listed(e.Grid), e.Ratio)
	case e.Embedder == embed.KindSampling:
		return fmt.Sprintf("%d random crops", e.Patches)
	case len(e.Pyramid) > 0:
		return "fcn with pyramid " + listed(e.Pyramid)
	}
	return embed.KindFCN
}

func listed(numbers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ",")
}
