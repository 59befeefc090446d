// Package evaluate has the commands that measure: eval and reproduce.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

type evalOptions struct {
	network    flags.Network
	method     flags.Method
	episodes   episodeFlags
	robustness robustnessFlags
	unreadable flags.Unreadable
	unknown    bool
	priorText  string
	unknownOf  string
	data       string
	features   string
	rivals     []string
	logits     string
	output     verb.Output
	json       bool
}

func init() { verb.Register(verb.Evaluate, newEvalCommand) }

func newEvalCommand() *cobra.Command {
	var o evalOptions
	command := &cobra.Command{
		Use:   "eval --data ZIP|DIR",
		Short: "Measure accuracy over few-shot episodes",
		Long: "Measure the mean accuracy over few-shot episodes, with its 95% confidence interval (1.96·std/√n).\n\n" +
			"Episodes are drawn with a seed from the classes of a split, or listed in a file. The data are a folder or a\n" +
			"zip archive of images by class. A file lists episodes by their number of shots; support and query have the\n" +
			"first image of each class, then the second ones:\n\n" +
			"  {\"episodes_1shot\": [{\"support\": [\"cat/1.png\", \"dog/1.png\"], \"query\": [\"cat/2.png\", \"dog/2.png\"]}]}\n\n" +
			"An entry \"preprocess\": {\"mean\": […], \"std\": […]} replaces assumed values.\n\n" +
			"--features reads local embeddings instead of images: a NumPy array, float32 [images, nodes, C], from\n" +
			"`deepemd features` or another program, and a JSON file of the same name with the images' \"names\" and \"classes\".\n\n" +
			"--unknown adds images of classes outside each episode. It measures how well several scores separate them from\n" +
			"the queries (AUROC, false positives at 95% true positives), and the errors of the threshold that the examples\n" +
			"calibrate.\n\n" +
			"Unreadable images are listed, and episodes are drawn without them. Listed episodes with such an image are\n" +
			"left out. The result states the numbers of images and episodes.\n\n" +
			"Processes of mpirun share images and episodes; the figures equal the figures of one process to the last digit.",
		Example: "  deepemd eval --data cifar100.zip --split cifar-fs.json --set test --way 5 --shot 1 --episodes 600 --seed 1\n" +
			"  deepemd eval --data cifar100.zip --episodes reference.json --shot 1 --size 84 --resize 92 --pyramid 2,1 \\\n" +
			"      --weights resnet12-cifarfs.pth --logits logits.npy\n" +
			"  deepemd eval --data pictures --disturb all --strength 0.5\n" +
			"  deepemd eval --features test.npy --shot 5 --rival mirrored.npy,crops.npy\n" +
			"  deepemd eval --data cifar100.zip --split cifar-fs.json --shot 5 --unknown\n" +
			"  deepemd eval --sound --data spoken-digits.zip --apart _ --shot 5",
		Args: verb.NoArguments,
		RunE: verb.Stoppable(o.eval),
	}
	f := command.Flags()
	f.StringVar(&o.data, "data", "", flags.DataHelp)
	f.StringVar(&o.features, "features", "", "array of features to use instead of --data and a network, .npy")
	f.StringSliceVar(&o.rivals, "rival", nil, "with --features: other arrays of features of the same images, measured on the same episodes")
	o.episodes.register(f)
	o.robustness.register(f)
	o.unreadable.Register(f)
	f.BoolVar(&o.unknown, "unknown", false, "measure how well images of other classes, the same number as queries, are detected, instead of accuracy, with --classifier prototype")
	f.StringVar(&o.unknownOf, "unknown-of", "", "with --unknown: the class of the unknown images, not among the classes of --split (default: the classes outside each episode)")
	f.StringVar(&o.priorText, "prior", "", "with --unknown: the prior of another network, such as resnet12-photo, or ten numbers from make prior (default: the prior of the network)")
	f.StringVar(&o.logits, "logits", "", "write the logits to this .npy file, float32 [episodes, queries, way]")
	o.output.Register(f)
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.method.RegisterClassifier(f, method.Paper(), true)
	o.method.RegisterEmbedder(f)
	o.network.Register(f)
	o.network.RegisterDevice(f)
	command.AddCommand(newEvalRetrievalCommand())
	o.network.RegisterSound(f)
	return verb.MarkParallel(command)
}

// evaluation is the result of the command.
type evaluation struct {
	Accuracy   float64 `json:"accuracy"`
	Interval   float64 `json:"interval95"` // half its width
	Episodes   int     `json:"episodes"`
	Way        int     `json:"way"`
	Shot       int     `json:"shot"`            // the highest number
	Shots      []int   `json:"shots,omitempty"` // several, which the classes take in turn
	Queries    int     `json:"query"`           // per class, the highest number
	Fewest     int     `json:"fewestQuery"`     // per class, the lowest number
	Source     string  `json:"source"`
	Data       string  `json:"data"`
	Features   string  `json:"features,omitempty"` // file name
	Classifier string  `json:"classifier"`
	// Calibration is the expected calibration error of the probabilities.
	Calibration float64 `json:"calibrationError"`
	Method      string  `json:"method"`            // for --method
	Pictures    int     `json:"pictures"`          // evaluated
	LeftOut     int     `json:"leftOut,omitempty"` // unreadable images
	EmbedS      float64 `json:"embedSeconds"`      // including reading
	MatchS      float64 `json:"matchSeconds"`      // all episodes

	flags.How

	Clusters    *evaluate.Clusters     `json:"clusters,omitempty"`    // if the weighting merges nodes
	Classifiers []comparison           `json:"classifiers,omitempty"` // if there are several
	Baselines   []evaluate.Baseline    `json:"baselines,omitempty"`   // of recordings
	Disturbed   []evaluate.Disturbance `json:"disturbed,omitempty"`
	Rivals      []rival                `json:"rivals,omitempty"`

	shots shots // for people
}

// comparison is the result of one of several classifiers on the same episodes.
type comparison struct {
	Name        string  `json:"name"`
	Accuracy    float64 `json:"accuracy"`
	Interval    float64 `json:"interval95"`
	Calibration float64 `json:"calibrationError"`
	QueryMS     float64 `json:"millisecondsPerQuery"` // on one thread
	LearnMS     float64 `json:"millisecondsToLearn"`  // per episode, on one thread
	// Difference is the mean difference from the first classifier's accuracy over the same
	// episodes, and DifferenceInterval half the width of its 95% interval, which is narrower than
	// the intervals of the two.
	Difference         float64 `json:"difference"`
	DifferenceInterval float64 `json:"differenceInterval95"`
}

func (o *evalOptions) eval(cmd *cobra.Command, _ []string) error {
	ctx, stdout, stderr, given := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), cmd.Flags().Changed
	if _, err := cluster.FromLeader(cluster.Of(ctx), true, o.checkLogits()); err != nil { // the others do not write them
		return err
	}
	classifiers, err := o.method.Classifiers(method.Paper())
	if err != nil {
		return err
	}
	if o.logits != "" && len(classifiers) > 1 {
		return errors.New("--logits takes one --classifier: remove the others")
	}
	kinds, err := o.robustness.kinds(given)
	if err != nil {
		return err
	}
	if err := o.network.Check(); err != nil {
		return err
	}
	if len(o.rivals) > 0 && (o.features == "" || o.unknown) {
		return errors.New("--rival requires --features and excludes --unknown: write the features to compare with `deepemd features`")
	}
	if !o.unknown {
		if err := flags.Refuse(given, "requires --unknown: remove it", "prior", "unknown-of"); err != nil {
			return err
		}
	}
	images, err := openSource(stderr, o.data, o.features, o.episodes.part.Split, &o.unreadable, given)
	if err != nil {
		return err
	}
	defer images.Close()
	list, took, err := o.open(ctx, stderr, images, classifiers, given)
	if err != nil {
		return err
	}
	if o.unknown {
		return o.evalUnknown(ctx, stdout, stderr, images, list, classifiers[0])
	}
	start := time.Now()
	results, err := o.run(ctx, stderr, "", images.features, list, classifiers)
	if err == nil && o.logits != "" && cluster.IsFirst(cluster.Of(ctx)) {
		err = atomicfile.Write(o.logits, results[0].WriteNPY)
	}
	if err != nil {
		return err
	}
	outcome, err := o.outcome(images, list, results, classifiers)
	if err != nil {
		return err
	}
	outcome.EmbedS, outcome.MatchS = took.Seconds(), time.Since(start).Seconds()
	if outcome.Rivals, err = o.measureRivals(ctx, stderr, list, classifiers, results); err != nil {
		return err
	}
	if o.network.Sound && images.net != nil {
		if outcome.Baselines, err = evaluate.SoundBaselines(ctx, list.names(), images.Image, list.episodes, list.way, o.network.Threads, verb.ProgressOn(stderr)); err != nil {
			return err
		}
	}
	for _, kind := range kinds {
		m := evaluate.Robustness{
			Strength: o.robustness.strength, Seed: o.episodes.seed, Read: images.Image, Episodes: list.episodes, Features: images.features, Plain: results[0],
			Extraction: images.net.Extraction(nil),
			Config:     evaluate.Config{Way: list.way, Classifier: classifiers[0].New, Threads: o.network.Threads},
			Show:       verb.ProgressOn(stderr),
		}
		d, err := m.Measure(ctx, kind)
		if err != nil {
			return err
		}
		outcome.Disturbed = append(outcome.Disturbed, d)
	}
	return verb.Print(stdout, o.json, outcome, outcome.print)
}

// checkLogits returns an error if the logits cannot be written to their file.
func (o *evalOptions) checkLogits() error {
	inputs := append([]string{o.data, o.features, o.episodes.episodes, o.episodes.part.Split, o.network.Weights}, o.rivals...)
	if err := o.output.Check(o.logits, inputs, verb.Begins("\x93NUMPY")); err != nil {
		return fmt.Errorf("--logits: %w", err)
	}
	return nil
}

// run classifies the queries of all episodes with every classifier. of precedes the name of a
// classifier in the progress.
func (o *evalOptions) run(ctx context.Context, stderr io.Writer, of string, features evaluate.Features, list *episodeList, classifiers []flags.Chosen) (results []*evaluate.Result, err error) {
	for _, c := range classifiers {
		result, err := evaluate.Run(ctx, features, list.episodes, evaluate.Config{
			Way: list.way, Classifier: c.New, Threads: o.network.Threads, Progress: verb.ProgressOn(stderr).Of(of + c.Classifier + ": episodes"),
		})
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

func compare(name string, result, to *evaluate.Result, list *episodeList) comparison {
	learning, scoring := verb.Milliseconds(result.Fitting), verb.Milliseconds(result.Scoring)
	episodes := float64(len(list.episodes))
	_, _, queries := list.queries()
	m := comparison{
		Name: name, Accuracy: result.Mean, Interval: result.Interval, Calibration: evaluate.CalibrationError(result.Logits, list.way),
		QueryMS: scoring / float64(queries), LearnMS: learning / episodes,
	}
	m.Difference, m.DifferenceInterval = evaluate.Difference(result.Accuracies, to.Accuracies)
	return m
}

// outcome describes the results of the classifiers, each compared with the first.
func (o *evalOptions) outcome(images *source, list *episodeList, results []*evaluate.Result, classifiers []flags.Chosen) (e evaluation, err error) {
	var methods []comparison
	for i, result := range results {
		methods = append(methods, compare(classifiers[i].Classifier, result, results[0], list))
	}
	m := classifiers[0].Method
	least, most, _ := list.queries()
	e = evaluation{
		Accuracy: methods[0].Accuracy, Interval: methods[0].Interval,
		Episodes: len(list.episodes), Way: list.way, Shot: o.episodes.shot.max(), shots: o.episodes.shot, Queries: most / list.way, Fewest: least / list.way,
		Data: images.data, How: images.how,
		Pictures: len(images.features), LeftOut: o.unreadable.Count,
		Source: list.source, Classifier: methods[0].Name, Calibration: methods[0].Calibration, Method: m.String(),
	}
	e.Match(m)
	if len(e.shots) > 1 {
		e.Shots = e.shots
	}
	if len(methods) > 1 {
		e.Classifiers = methods
	}
	if images.net == nil {
		e.Features = images.Name()
	}
	e.Clusters, err = evaluate.CountClusters(images.features, flags.Matcher(m)().Weighting)
	return e, err
}

func (e *evaluation) print(w io.Writer) {
	matching := e.Matching()
	if e.Clusters != nil {
		matching += ", " + e.Clusters.String()
	}
	how := fmt.Sprintf("%s at %d px, %v, %s, %s, %s kernels; %d images%s embedded in %.1f s, matched",
		e.Network, e.Size, e.Embedding, e.Classifier, matching, e.Kernels, e.Pictures, leftOut(e.LeftOut), e.EmbedS)
	if e.Features != "" {
		how = fmt.Sprintf("features of %s, %s, %s; %d images matched", e.Features, e.Classifier, matching, e.Pictures)
	}
	fmt.Fprintf(w, "%.2f%% ± %.2f%%  %d-way %v-shot, %s of %s per class, %s of %s\n%s in %.1f s\nprobabilities are off by %.1f points on average (expected calibration error, %d bins)\n",
		100*e.Accuracy, 100*e.Interval, e.Way, e.shots, plural.Count(e.Episodes, "episode", "episodes"), between(e.Fewest, e.Queries, "query", "queries"), e.Source, e.Data, how, e.MatchS,
		100*e.Calibration, evaluate.CalibrationBins)
	if len(e.Classifiers) > 0 {
		printClassifiers(w, e.Classifiers)
	}
	for _, b := range e.Baselines {
		fmt.Fprintf(w, "%s, no network: %.2f%% ± %.2f%%\n", b.Name, 100*b.Accuracy, 100*b.Interval)
	}
	if len(e.Rivals) > 0 {
		printRivals(w, e.Features, e.Rivals)
	}
	if len(e.Disturbed) > 0 {
		printDisturbances(w, e)
	}
}

func printClassifiers(w io.Writer, methods []comparison) {
	table := verb.NewTable(w)
	fmt.Fprintf(table, "classifier\taccuracy\tto %s\tcalibration\tms a query\tms to learn\n", methods[0].Name)
	for i, m := range methods {
		difference := ""
		if i > 0 {
			difference = fmt.Sprintf("%+.2f%% ± %.2f%%", 100*m.Difference, 100*m.DifferenceInterval)
		}
		fmt.Fprintf(table, "%s\t%.2f%% ± %.2f%%\t%s\t%.1f\t%.3f\t%.3f\n",
			m.Name, 100*m.Accuracy, 100*m.Interval, difference, 100*m.Calibration, m.QueryMS, m.LearnMS)
	}
	table.Flush()
}
