package evaluate

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// rival is the result of other features of the same images on the same episodes.
type rival struct {
	Features string `json:"features"` // its array
	Nodes    int    `json:"nodes"`    // per image
	// Classifiers are compared with the same classifier on the features of --features.
	Classifiers []comparison `json:"classifiers"`
	// SameClass is the share of queries for which each classifier predicts the same class as with
	// the features of --features.
	SameClass []float64 `json:"sameClass"`
}

// measureRivals measures other features of the same images on the same episodes. own are each
// classifier's results with the features of --features.
func (o *evalOptions) measureRivals(ctx context.Context, stderr io.Writer, list *episodeList, classifiers []flags.Chosen, own []*evaluate.Result) ([]rival, error) {
	var rivals []rival
	for _, path := range o.rivals {
		stored, set, _, err := evaluate.ReadFeatures(path, "")
		if err != nil {
			return nil, fmt.Errorf("--rival %s: %w", path, err)
		}
		features, err := featuresOf(list.names(), set, stored)
		set.Close()
		if err != nil {
			return nil, fmt.Errorf("--rival %w (extract both from the same images)", err)
		}
		name := filepath.Base(path)
		results, err := o.run(ctx, stderr, name+", ", features, list, classifiers)
		if err != nil {
			return nil, err
		}
		r := rival{Features: name}
		for _, set := range features {
			r.Nodes = set.N
			break
		}
		for i, result := range results {
			r.Classifiers = append(r.Classifiers, compare(classifiers[i].Classifier, result, own[i], list))
			r.SameClass = append(r.SameClass, evaluate.Agreement(result, own[i]))
		}
		rivals = append(rivals, r)
	}
	return rivals, nil
}

func printRivals(w io.Writer, own string, rivals []rival) {
	table := verb.NewTable(w)
	fmt.Fprintf(table, "features\tnodes\tclassifier\taccuracy\tto %s\tsame class\tms a query\n", own)
	for _, r := range rivals {
		for i, m := range r.Classifiers {
			fmt.Fprintf(table, "%s\t%d\t%s\t%.2f%% ± %.2f%%\t%+.2f%% ± %.2f%%\t%.2f%%\t%.3f\n",
				r.Features, r.Nodes, m.Name, 100*m.Accuracy, 100*m.Interval, 100*m.Difference, 100*m.DifferenceInterval, 100*r.SameClass[i], m.QueryMS)
		}
	}
	table.Flush()
}
