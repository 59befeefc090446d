package backbone

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/internal/residual"
	"github.com/deepemd/deepemd/trainer/training/internal/vit"
)

// Architecture is the part of a run's settings that says which network it builds.
type Architecture struct {
	// Arch is the architecture, by its name in weights files: "resnet12", "resnet" for the
	// ResNets of ImageNet, or "vit" for vision transformers.
	Arch string `toml:"arch"`
	// Widths are channels: of the four blocks of a ResNet-12, of the four stages of a
	// ResNet, of the tokens of a vision transformer, which has one width.
	Widths []int `toml:"widths"`
	// Blocks is how many basic blocks each stage of a ResNet has: [2, 2, 2, 2] are those of
	// ResNet-18.
	Blocks []int `toml:"blocks"`

	// Of a vision transformer: the side of a patch in pixels, blocks, heads of each
	// attention, how many patches across have positions of their own (those of other sizes
	// of pictures are resampled), registers, and what the weights of LayerScale begin with,
	// 0 for no LayerScale. Perceptrons are four times as wide as tokens.
	Patch      int     `toml:"patch"`
	Depth      int     `toml:"depth"`
	Heads      int     `toml:"heads"`
	Places     int     `toml:"places"`
	Registers  int     `toml:"registers"`
	LayerScale float64 `toml:"layer_scale"`

	// Grid is to how many positions across the last map is averaged, if it has more; 0
	// leaves it.
	Grid int `toml:"grid"`

	begun Plan // of the network that the run begins with; nil for random weights
}

// settled are the plans of settings, by the names of the architectures; old settings name
// none.
var settled = map[string]func(*Architecture) (Plan, error){
	"":            settledResNet12,
	resnet12Arch:  settledResNet12,
	residual.Arch: settledResidual,
	vit.Arch:      settledVit,
}

// Begin makes the architecture that of a network to begin with.
//
// # Errors
//
// Those of [Of].
func (a *Architecture) Begin(f *weights.File) (err error) {
	a.begun, err = Of(f)
	a.Arch, a.Widths = f.Meta.Arch, f.Meta.Widths
	return err
}

// Plan returns the plan of the network that a run builds.
//
// # Errors
//
// Settings that make no network.
func (a *Architecture) Plan() (Plan, error) {
	if a.begun != nil {
		return a.begun, nil
	}
	plan, ok := settled[a.Arch]
	if !ok {
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(settled)), func(name string) bool { return name == "" })
		return nil, fmt.Errorf("arch %q: use %s", a.Arch, strings.Join(names, ", "))
	}
	p, err := plan(a)
	if err != nil {
		return nil, err
	}
	p = Pooled(p, a.Grid)
	return p, p.Check()
}
