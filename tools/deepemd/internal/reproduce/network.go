package reproduce

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Network embeds images.
type Network struct {
	Name       string // for reports
	SHA256     string // of the weights file, hexadecimal
	Kernels    string
	Encoder    embed.Encoder // not used concurrently
	Preprocess imaging.Preprocess
}

// Dataset is a part of a dataset.
type Dataset struct {
	Name  string // of the data, for reports
	Split string // the name of the split; may be empty
	Part  string // of the split
	Paper string // the paper's name of the dataset; see [PaperName]

	set         *data.Set
	classes     []string
	fingerprint string
}

// NewDataset returns a part of a set, the given classes, for [Main] or [Onto]. It returns an error for unknown
// classes and unreadable files.
func NewDataset(set *data.Set, role, part string, classes []string) (*Dataset, error) {
	if err := set.Require(classes); err != nil {
		return nil, err
	}
	d := &Dataset{Name: set.Name(), Paper: PaperOnto, set: set, classes: classes}
	if split := set.Split(); split != nil {
		d.Split, d.Part = split.Name(), part
	}
	if role == Main {
		d.Paper = PaperName(set.Name(), set.Form(), d.Split)
	}
	var pictures []data.Picture
	for _, class := range classes {
		pictures = append(pictures, set.Pictures(class)...)
	}
	var err error
	d.fingerprint, err = set.Fingerprint(pictures)
	return d, err
}

func (d *Dataset) episodes(s Setting) ([]data.Episode, error) {
	set := d.set
	if s.Pictures > 0 {
		var some []data.Picture
		for _, class := range d.classes {
			of := d.set.Pictures(class)
			some = append(some, of[:min(s.Pictures, len(of))]...)
		}
		var err error
		if set, err = data.NamesOnly(d.Name, some, ""); err != nil {
			return nil, err
		}
	}
	sampler, err := data.NewSampler(set, d.classes, s.Way, s.Shot, s.Query, s.Seed)
	if err != nil {
		return nil, err
	}
	return sampler.Episodes(s.Episodes), nil
}

// digest returns a short hash of the JSON of values.
func digest(values ...any) string {
	h := sha256.New()
	for _, v := range values {
		if err := json.NewEncoder(h).Encode(v); err != nil {
			panic(fmt.Sprintf("reproduce: %T has no JSON: %v", v, err)) // only our own types come here
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:10])
}

// The features of some embedders are derived from others, so that an image passes through the network
// only once: pyramids from the map, several grids from each grid, few random crops from many.

// bases returns the embedders from whose features the features of c are derived. most is the largest
// number of random crops in any request.
func bases(c method.Embedder, most int) []method.Embedder {
	switch c.Kind {
	case method.Grid:
		var list []method.Embedder
		for _, level := range c.Grid {
			list = append(list, method.Embedder{Kind: c.Kind, Grid: []int{level}, Ratio: c.Ratio})
		}
		return list
	case method.Sampling:
		c.Patches = max(c.Patches, most)
	}
	c.Pyramid = nil
	return []method.Embedder{c}
}

// derive makes the features of c from the features of its bases, which may have other images too. side
// is the size of the network's input in pixels.
func derive(c method.Embedder, of []evaluate.Features, names []string, side int) evaluate.Features {
	if len(of) == 1 && len(c.Pyramid) == 0 && c.Kind != method.Sampling {
		return of[0]
	}
	features := make(evaluate.Features, len(names))
	for _, name := range names {
		switch first := of[0][name]; {
		case c.Kind == method.Sampling:
			features[name] = &embed.Set{N: c.Patches, C: first.C, Data: first.Data[:c.Patches*first.C]}
		case len(c.Pyramid) > 0:
			features[name] = pyramid(c.Pyramid, first, side)
		default:
			features[name] = concatenated(name, of)
		}
	}
	return features
}

// pyramid adds the levels of a feature pyramid before the nodes of a square map.
func pyramid(levels []int, fmap *embed.Set, side int) *embed.Set {
	width := 1
	for width*width < fmap.N {
		width++
	}
	crop := embed.Crop{Picture: &imaging.Image{Width: side, Height: side}, Region: embed.Region{X1: 1, Y1: 1}}
	return embed.FCN{Pyramid: levels}.Set([]embed.Crop{crop}, tensor.Of(fmap.Data, 1, width, width, fmap.C))
}

// concatenated joins an image's nodes of several embedders.
func concatenated(name string, of []evaluate.Features) *embed.Set {
	all := &embed.Set{C: of[0][name].C}
	for _, features := range of {
		set := features[name]
		all.N += set.N
		all.Data = slices.Concat(all.Data, set.Data)
	}
	return all
}

// cachedGrouping is a grouping that merges the nodes of each image once for all episodes. It is safe
// for concurrent use.
type cachedGrouping struct {
	match.Grouping
	pictures map[*float32]*merged // by the address of an image's first value
}

type merged struct {
	once  sync.Once
	set   *embed.Set
	sizes []float64
	err   error
}

func newCachedGrouping(g match.Grouping, features evaluate.Features) *cachedGrouping {
	r := &cachedGrouping{g, make(map[*float32]*merged, len(features))}
	for _, set := range features {
		r.pictures[&set.Data[0]] = new(merged)
	}
	return r
}

// Merge implements match.Grouping. It merges other sets, such as prototypes, at each call.
func (r *cachedGrouping) Merge(set *embed.Set) (*embed.Set, []float64, error) {
	if err := set.Check(); err != nil {
		return nil, nil, err
	}
	m := r.pictures[&set.Data[0]]
	if m == nil {
		return r.Grouping.Merge(set)
	}
	m.once.Do(func() { m.set, m.sizes, m.err = r.Grouping.Merge(set) })
	return m.set, m.sizes, m.err
}
