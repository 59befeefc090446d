package evaluate

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

type robustnessFlags struct {
	disturb  string
	strength float64
}

// everyDisturbance is the value of --disturb that selects all of them.
const everyDisturbance = "all"

func (f *robustnessFlags) register(set *pflag.FlagSet) {
	help := "also measure with disturbed queries and undisturbed examples: " + everyDisturbance
	for _, k := range augment.Disturbances() {
		help += ", " + k.Name + " (" + k.Effect + ")"
	}
	set.StringVar(&f.disturb, "disturb", "", help)
	set.Float64Var(&f.strength, "strength", 0.5, "strength of the disturbance, from 0 to 1")
}

func (f *robustnessFlags) kinds(given func(flag string) bool) ([]augment.Disturbance, error) {
	switch {
	case f.disturb == "" && given("strength"):
		return nil, errors.New("--strength requires --disturb: name the disturbance, or " + everyDisturbance)
	case f.disturb == "":
		return nil, nil
	case !(f.strength >= 0 && f.strength <= 1):
		return nil, fmt.Errorf("--strength %g: want it from 0 to 1", f.strength)
	case given("logits"):
		return nil, errors.New("--logits cannot be combined with --disturb: remove one of the two")
	case f.disturb == everyDisturbance:
		return augment.Disturbances(), nil
	}
	kind, err := augment.ParseDisturbance(f.disturb)
	if err != nil {
		return nil, fmt.Errorf("--disturb: %w, or %s", err, everyDisturbance)
	}
	return []augment.Disturbance{kind}, nil
}

func printDisturbances(w io.Writer, plain *evaluation) {
	table := verb.NewTable(w)
	fmt.Fprintf(table, "queries\tstrength\taccuracy\tchange\nas they are\t\t%.2f%% ± %.2f%%\t\n", 100*plain.Accuracy, 100*plain.Interval)
	for _, d := range plain.Disturbed {
		fmt.Fprintf(table, "%s\t%g\t%.2f%% ± %.2f%%\t%+.2f%% ± %.2f%%\n", d.Name, d.Strength, 100*d.Accuracy, 100*d.Interval, 100*d.Change, 100*d.ChangeInterval)
	}
	table.Flush()
}

// noteSeen prints a note if classes were training classes of the network, because their accuracy
// does not predict the accuracy on new classes.
func noteSeen(stderr io.Writer, m weights.Meta, classes []string) {
	seen := 0
	for _, c := range classes {
		if slices.Contains(m.Classes, c) {
			seen++
		}
	}
	if seen > 0 {
		fmt.Fprintf(stderr, "note: %s learned from classes of the same names as %d of these %d: figures will flatter it; measure new classes, or give --weights that have not seen these\n",
			m.Name, seen, len(classes))
	}
}
