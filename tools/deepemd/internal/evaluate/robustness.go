package evaluate

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/tools/deepemd/internal/progress"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/measure/evaluate"
	"github.com/deepemd/deepemd/trainer/training/augment/disturb"
)

// robustnessFlags are the flags that say how queries are disturbed.
type robustnessFlags struct {
	disturb  string
	strength float64
}

// everyDisturbance is the value of --disturb that stands for all of them.
const everyDisturbance = "all"

func (f *robustnessFlags) register(set *pflag.FlagSet) {
	help := "measure with disturbed queries too, the examples staying as they are: " + everyDisturbance
	for _, k := range disturb.Kinds() {
		help += ", " + k.Name + " (" + k.Effect + ")"
	}
	set.StringVar(&f.disturb, "disturb", "", help)
	set.Float64Var(&f.strength, "strength", 0.5, "of the disturbance, from 0 to 1")
}

// kinds are the disturbances that are meant.
func (f *robustnessFlags) kinds(given func(flag string) bool) ([]disturb.Kind, error) {
	switch {
	case f.disturb == "" && given("strength"):
		return nil, errors.New("--strength goes with --disturb: name the disturbance, or " + everyDisturbance)
	case f.disturb == "":
		return nil, nil
	case !(f.strength >= 0 && f.strength <= 1):
		return nil, fmt.Errorf("--strength %g: want it from 0 to 1", f.strength)
	case given("logits"):
		return nil, errors.New("--logits does not go with --disturb: leave one of them out")
	case f.disturb == everyDisturbance:
		return disturb.Kinds(), nil
	}
	kind, err := disturb.ParseKind(f.disturb)
	if err != nil {
		return nil, fmt.Errorf("--disturb: %w, or %s", err, everyDisturbance)
	}
	return []disturb.Kind{kind}, nil
}

// disturbance is what one costs.
type disturbance struct {
	Name     string  `json:"name"`
	Strength float64 `json:"strength"`
	Accuracy float64 `json:"accuracy"`
	Interval float64 `json:"interval95"`
	// Change is the mean difference of the accuracy to the undisturbed one over the
	// same episodes, ChangeInterval half the width of its 95% interval.
	Change         float64 `json:"change"`
	ChangeInterval float64 `json:"changeInterval95"`
}

// robustness measures what disturbances of the queries change.
type robustness struct {
	flags    *robustnessFlags
	seed     uint64
	set      *data.Set
	extract  evaluate.Extraction
	config   evaluate.Config
	episodes []data.Episode
	features evaluate.Features // of undisturbed pictures
	plain    *evaluate.Result
	stderr   io.Writer
}

// measure measures one disturbance. Pictures are disturbed as they are embedded,
// with FCN at the size of the network's input: as in training, and alike for data
// of any size.
func (m *robustness) measure(ctx context.Context, kind disturb.Kind) (disturbance, error) {
	outcome := disturbance{Name: kind.Name, Strength: m.flags.strength}
	suffix := " (" + kind.Name + ")" // tells a disturbed picture from the one that may be an example
	episodes, pictures := make([]data.Episode, len(m.episodes)), map[string]string{}
	for i, e := range m.episodes {
		episodes[i] = data.Episode{Support: e.Support, Query: make([]string, len(e.Query))}
		for j, name := range e.Query {
			episodes[i].Query[j] = name + suffix
			pictures[name+suffix] = name
		}
	}
	var names []string
	for name := range pictures {
		names = append(names, name)
	}
	read := func(name string) (*imaging.Image, error) { return m.set.Image(pictures[name]) }
	x := m.extract
	x.Vary = func(name string, view *imaging.Image) *imaging.Image {
		return kind.Apply(view, m.flags.strength, m.random(name))
	}
	var features evaluate.Features
	err := progress.With(m.stderr, kind.Name+": pictures embedded", func(show evaluate.Progress) (err error) {
		x.Progress = show
		features, err = evaluate.Extract(ctx, names, read, x)
		return err
	})
	if err != nil {
		return outcome, err
	}
	maps.Copy(features, m.features)
	var result *evaluate.Result
	err = progress.With(m.stderr, kind.Name+": episodes", func(show evaluate.Progress) (err error) {
		config := m.config
		config.Progress = show
		result, err = evaluate.Run(ctx, features, episodes, config)
		return err
	})
	if err != nil {
		return outcome, err
	}
	differences := make([]float64, len(episodes))
	for i := range differences {
		differences[i] = result.Accuracies[i] - m.plain.Accuracies[i]
	}
	outcome.Accuracy, outcome.Interval = result.Mean, result.Interval
	outcome.Change, outcome.ChangeInterval = evaluate.Interval(differences)
	return outcome, nil
}

// random returns the generator of one disturbed picture: the same whatever other
// pictures there are.
func (m *robustness) random(name string) *rand.Rand {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name) // a hash takes everything
	return rand.New(rand.NewPCG(m.seed, h.Sum64()))
}

// printDisturbances writes what disturbances cost as a table.
func printDisturbances(w io.Writer, plain *evaluation) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "queries\tstrength\taccuracy\tchange\nas they are\t\t%.2f%% ± %.2f%%\t\n", 100*plain.Accuracy, 100*plain.Interval)
	for _, d := range plain.Disturbed {
		fmt.Fprintf(table, "%s\t%g\t%.2f%% ± %.2f%%\t%+.2f%% ± %.2f%%\n", d.Name, d.Strength, 100*d.Accuracy, 100*d.Interval, 100*d.Change, 100*d.ChangeInterval)
	}
	return table.Flush()
}
