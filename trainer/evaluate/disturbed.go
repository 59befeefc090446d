package evaluate

import (
	"context"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/trainer/data"
)

// Disturbance is the accuracy with disturbed queries.
type Disturbance struct {
	Name     string  `json:"name"`
	Strength float64 `json:"strength"`
	Accuracy float64 `json:"accuracy"`
	Interval float64 `json:"interval95"`
	// Change is the mean difference from the accuracy without disturbance over the same episodes,
	// and ChangeInterval half the width of its 95% interval.
	Change         float64 `json:"change"`
	ChangeInterval float64 `json:"changeInterval95"`
}

// Robustness measures the effect of disturbed queries. The examples are not disturbed.
type Robustness struct {
	Strength   float64 // from 0 to 1
	Seed       uint64
	Read       Reader
	Extraction Extraction
	Config     Config
	Episodes   []data.Episode
	Features   Features // of undisturbed images
	Plain      *Result  // with undisturbed queries
	Show       Show
}

// Measure measures one disturbance. It disturbs an image at the size of the network's input (with
// FCN), as in training, so that the effect does not depend on the size of the data.
//
// It returns the first error of reading, embedding or classifying.
func (m *Robustness) Measure(ctx context.Context, kind augment.Disturbance) (Disturbance, error) {
	outcome := Disturbance{Name: kind.Name, Strength: m.Strength}
	suffix := " (" + kind.Name + ")" // distinguishes a disturbed image from the same image as an example
	episodes, pictures := make([]data.Episode, len(m.Episodes)), map[string]string{}
	for i, e := range m.Episodes {
		episodes[i] = data.Episode{Support: e.Support, Query: make([]string, len(e.Query))}
		for j, name := range e.Query {
			episodes[i].Query[j] = name + suffix
			pictures[name+suffix] = name
		}
	}
	read := func(name string) (*imaging.Image, error) { return m.Read(pictures[name]) }
	x, config := m.Extraction, m.Config
	x.Progress, config.Progress = m.Show.Of(kind.Name+": images embedded"), m.Show.Of(kind.Name+": episodes")
	x.Vary = func(name string, view *imaging.Image) *imaging.Image {
		h := fnv.New64a() // random numbers for one image, which do not depend on the other images
		_, _ = io.WriteString(h, name)
		return kind.Apply(view, m.Strength, rand.New(rand.NewPCG(m.Seed, h.Sum64())))
	}
	features, err := Extract(ctx, slices.Collect(maps.Keys(pictures)), read, x)
	if err != nil {
		return outcome, err
	}
	maps.Copy(features, m.Features)
	result, err := Run(ctx, features, episodes, config)
	if err != nil {
		return outcome, err
	}
	outcome.Accuracy, outcome.Interval = result.Mean, result.Interval
	outcome.Change, outcome.ChangeInterval = Difference(result.Accuracies, m.Plain.Accuracies)
	return outcome, nil
}
