package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// drawUnknown draws images of classes outside each episode, if requested.
func (o *evalOptions) drawUnknown(set *data.Set, list *episodeList, classifiers []flags.Chosen, given func(flag string) bool) error {
	if !o.unknown {
		return nil
	}
	if len(o.episodes.shot) > 1 {
		return fmt.Errorf("--shot %v cannot be combined with --unknown: give all classes one number of examples", o.episodes.shot)
	}
	if err := flags.Refuse(given, "cannot be combined with --unknown: remove one of the two", "disturb", "logits"); err != nil {
		return err
	}
	if len(classifiers) != 1 || classifiers[0].Classifier != method.Prototype {
		return errors.New("--unknown takes --classifier prototype: verdicts about unknown images always come from prototypes")
	}
	classes, ways := list.classes, list.way
	if o.unknownOf != "" {
		o.unknownOf = norm.NFC.String(o.unknownOf) // the form of the classes' names
		if set.Require([]string{o.unknownOf}) != nil {
			return fmt.Errorf("--unknown-of %s: %s has no such class; it has %s", o.unknownOf, set.Name(), verb.Line(plural.First(set.Classes(), 5)))
		}
		known := list.classes
		if list.listed {
			known = set.ClassesOf(list.names())
		}
		if slices.Contains(known, o.unknownOf) {
			return fmt.Errorf("--unknown-of %s: the episodes are of this class, too (%s): give a class outside them, or another --split", o.unknownOf, list.source)
		}
		classes, ways = []string{o.unknownOf}, 1
	}
	list.strangers = make([][]string, len(list.episodes))
	for i, e := range list.episodes {
		var err error
		if list.strangers[i], err = data.Strangers(set, classes, e, ways, len(e.Query)/ways, o.episodes.seed, i); err != nil {
			return err
		}
	}
	return nil
}

// openEvaluation is the result of eval --unknown.
type openEvaluation struct {
	Episodes   int    `json:"episodes"`
	Pictures   int    `json:"pictures"` // that took part
	LeftOut    int    `json:"leftOut,omitempty"`
	Way        int    `json:"way"`
	Shot       int    `json:"shot"`
	Known      int    `json:"knownPictures"`       // per episode, the highest number
	Fewest     int    `json:"fewestKnownPictures"` // per episode, the lowest number
	Unknown    int    `json:"unknownPictures"`     // the same as known ones
	Source     string `json:"source"`
	Data       string `json:"data"`
	Classifier string `json:"classifier"`
	Weighting  string `json:"weighting"`
	*evaluate.OpenResult
}

// strictnesses returns the evaluated settings: the default and multiples of 0.05.
func strictnesses() []float64 {
	list := []float64{method.Default().Strangers.Strictness}
	for i := range 21 {
		if s := float64(i) / 20; s != list[0] {
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return list
}

// evalUnknown is eval --unknown, after the images are embedded.
func (o *evalOptions) evalUnknown(ctx context.Context, stdout, stderr io.Writer, images *source, list *episodeList, classifier flags.Chosen) error {
	prior, err := o.prior(images)
	if err != nil {
		return fmt.Errorf("--prior: %w", err)
	}
	r, err := evaluate.RunOpen(ctx, images.features, list.episodes, evaluate.Open{
		Way: list.way, Strangers: list.strangers, Classifier: func() *fewshot.Prototype { return classifier.New().(*fewshot.Prototype) }, Prior: prior, Strictness: strictnesses(),
		Threads: o.network.Threads, Progress: verb.ProgressOn(stderr).Of("episodes"),
	})
	if err != nil {
		return err
	}
	least, most, _ := list.queries()
	e := openEvaluation{
		Episodes: len(list.episodes), Pictures: len(images.features), LeftOut: o.unreadable.Count, Way: list.way, Shot: o.episodes.shot.max(),
		Known: most, Fewest: least, Unknown: most,
		Source: list.source, Data: images.Name(), Classifier: classifier.Classifier, Weighting: flags.Matcher(classifier.Method)().Weighting.String(),
		OpenResult: r,
	}
	return verb.Print(stdout, o.json, e, e.print)
}

// prior returns the prior of --prior, or else of the network.
func (o *evalOptions) prior(images *source) (openset.Prior, error) {
	switch {
	case strings.Contains(o.priorText, ","):
		return openset.ParsePrior(o.priorText)
	case o.priorText != "":
		network := flags.Network{Weights: o.priorText, Sound: o.network.Sound}
		opened, err := network.Open(io.Discard, learner.Options{}, weights.Meta{})
		if err != nil {
			return openset.Prior{}, err
		}
		return opened.Learner.Prior(), nil
	case images.net != nil:
		return images.net.Learner.Prior(), nil
	case o.network.Sound:
		return openset.HeldOutSounds, nil
	}
	return openset.HeldOut, nil
}

func (e *openEvaluation) print(w io.Writer) {
	fmt.Fprintf(w, "%d-way %d-shot, %s of %s and as many unknown images, %d in all%s, %s of %s; %s, %s weights\n",
		e.Way, e.Shot, plural.Count(e.Episodes, "episode", "episodes"), between(e.Fewest, e.Known, "known", "known"), e.Pictures, leftOut(e.LeftOut), e.Source, e.Data, e.Classifier, e.Weighting)
	table := verb.NewTable(w)
	fmt.Fprintln(table, "score\tAUROC\tFPR at 95% TPR\t")
	for _, s := range e.Candidates {
		fmt.Fprintf(table, "%s\t%.2f%% ± %.2f%%\t%.1f%% ± %.1f%%\t%s\n", s.Name, 100*s.AUROC, 100*s.Interval, 100*s.FPR95, 100*s.FPR95Interval, s.What)
	}
	table.Flush()
	usual := method.Default().Strangers.Strictness
	for _, v := range e.Verdicts {
		if v.Strictness == usual {
			fmt.Fprintf(w, "at the default strictness %g, %.1f%% ± %.1f%% of unknown images are accepted, and %.1f%% ± %.1f%% of known ones rejected;\nthe mean probability to belong to a class is %.2f of unknown images, and %.2f of known ones\n",
				v.Strictness, 100*v.Accepted, 100*v.AcceptedInterval, 100*v.Rejected, 100*v.RejectedInterval, v.UnknownBelong, v.KnownBelong)
		}
	}
	b, l := e.Balanced, e.Levels
	fmt.Fprintf(w, "at the calibrated threshold, %.1f%% ± %.1f%% of unknown images are accepted (%.1f%% expected), and %.1f%% ± %.1f%% of known ones rejected (%.1f%% expected)\n"+
		"levels: own class %.2f, others %.2f; calibrated scores of known images %.2f ± %.2f, of unknown ones %.2f ± %.2f, balanced at %.2f\n",
		100*b.Accepted, 100*b.AcceptedInterval, 100*b.StatedAccepted, 100*b.Rejected, 100*b.RejectedInterval, 100*b.StatedRejected,
		l.Own, l.Others, l.Known.Mean, l.Known.Deviation, l.Unknown.Mean, l.Unknown.Deviation, l.Threshold)
}
