package embed

import "fmt"

// Kinds of embedders, by the names that flags, files and pages give them.
const (
	KindFCN      = "fcn"
	KindGrid     = "grid"
	KindSampling = "sampling"
)

// Choice is an embedder as flags, files and pages describe it: by its name, with
// the settings of all of them. The zero value is FCN without a pyramid.
type Choice struct {
	Kind    string  // KindFCN (the default), KindGrid or KindSampling
	Pyramid []int   // of FCN
	Grid    []int   // the levels of Grid; none for the published method's 2, 3
	Ratio   float64 // of Grid; 0 for the published method's 2
	Patches int     // of Sampling; 0 for the published method's 9
	Seed    uint64  // of Sampling
}

// Embedder returns the embedder that is meant. Its settings are checked.
//
// It returns an error for an unknown name, for a setting that belongs to another
// embedder, and for one that makes no sense.
func (c Choice) Embedder() (Embedder, error) {
	if c.Kind == "" {
		c.Kind = KindFCN
	}
	for _, setting := range []struct {
		name, of string
		given    bool
	}{
		{"a pyramid", KindFCN, len(c.Pyramid) > 0},
		{"a grid", KindGrid, len(c.Grid) > 0},
		{"a ratio", KindGrid, c.Ratio != 0},
		{"a number of patches", KindSampling, c.Patches != 0},
		{"a seed of patches", KindSampling, c.Seed != 0},
	} {
		if setting.given && setting.of != c.Kind {
			return nil, fmt.Errorf("embed: %s goes with the embedder %s, not with %s: leave it out", setting.name, setting.of, c.Kind)
		}
	}
	var e Embedder
	switch c = c.complete(); c.Kind {
	case KindFCN:
		e = FCN{Pyramid: c.Pyramid}
	case KindGrid:
		e = Grid{Levels: c.Grid, Ratio: c.Ratio}
	case KindSampling:
		e = Sampling{Patches: c.Patches, Seed: c.Seed}
	default:
		return nil, fmt.Errorf("embed: no embedder %q: want %s, %s or %s", c.Kind, KindFCN, KindGrid, KindSampling)
	}
	return e, e.Check()
}

// complete returns the choice with the defaults of its kind filled in.
func (c Choice) complete() Choice {
	switch c.Kind {
	case KindGrid:
		if len(c.Grid) == 0 {
			c.Grid = []int{2, 3}
		}
		if c.Ratio == 0 {
			c.Ratio = 2
		}
	case KindSampling:
		if c.Patches == 0 {
			c.Patches = 9
		}
	}
	return c
}
