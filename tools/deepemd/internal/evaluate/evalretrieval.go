package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

type retrievalOptions struct {
	network    flags.Network
	method     flags.Method
	data       string
	features   string
	sample     flags.Sample
	candidates []string
	compressed bool
	at         []int
	unreadable flags.Unreadable
	json       bool
}

func newEvalRetrievalCommand() *cobra.Command {
	var o retrievalOptions
	command := &cobra.Command{
		Use:   "retrieval --data ZIP|DIR",
		Short: "Measure how well images of the same class are found",
		Long: "Search for every image among all others and measure how many images of its class are found: Recall@k (one of\n" +
			"the first k is correct), R-Precision (the share of correct images among the first R, where R is the number of\n" +
			"other images of the class) and MAP@R (mean average precision at R), as defined by Musgrave, Belongie and Lim.\n" +
			"It compares numbers of candidates: DeepEMD ranks the nearest images by the cosine of global descriptors, and the\n" +
			"others follow; 0 is the cosine alone, all is DeepEMD alone.",
		Example: "  deepemd eval retrieval --data cifar100.zip --split cifar-fs.json --set test --each 40\n" +
			"  deepemd eval retrieval --features test.npy --candidates 0,100",
		Args: verb.NoArguments,
		RunE: verb.Stoppable(o.eval),
	}
	f := command.Flags()
	f.StringVar(&o.data, "data", "", flags.DataHelp)
	f.StringVar(&o.features, "features", "", "array of features to use instead of --data and a network, .npy")
	o.sample.Register(f, ownSplit)
	f.StringSliceVar(&o.candidates, "candidates", []string{"0", "100"}, "numbers of candidates to compare: numbers, or all")
	f.BoolVar(&o.compressed, "compressed", false, "search the compressed nodes of an index (see deepemd index) instead of all nodes")
	o.unreadable.Register(f)
	f.IntSliceVar(&o.at, "at", []int{1, 2, 4, 8}, "the k of Recall@k")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.method.RegisterMatcher(f)
	o.method.RegisterEmbedder(f)
	o.network.Register(f)
	o.network.RegisterDevice(f)
	o.network.RegisterSound(f)
	return verb.MarkParallel(command)
}

// retrievalOutcome is the result of the command.
type retrievalOutcome struct {
	Data     string         `json:"data"`
	Pictures int            `json:"pictures"`
	LeftOut  int            `json:"leftOut,omitempty"` // pictures that cannot be read
	Classes  int            `json:"classes"`
	Queries  int            `json:"queries"`
	Lone     int            `json:"lone,omitempty"` // images without another image of their class
	At       []int          `json:"at"`
	Rows     []retrievalRow `json:"candidates"`
	flags.How

	sound bool // recordings instead of images
}

type retrievalRow struct {
	Candidates string `json:"candidates"`
	evaluate.Metrics
	Kept    *float64 `json:"topTenKept,omitempty"` // of the ranking of all images by DeepEMD
	MatchMs float64  `json:"matchMs"`              // per query, on one thread
}

func (o *retrievalOptions) eval(cmd *cobra.Command, _ []string) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	counts, err := o.check()
	if err != nil {
		return err
	}
	m, err := o.method.Apply(method.Paper())
	if err != nil {
		return err
	}
	sets, labels, outcome, err := o.embed(ctx, stderr, m, cmd.Flags().Changed)
	if err != nil {
		return err
	}
	newMatcher := flags.Matcher(m)
	pool, err := gallery.NewMemory(sets, newMatcher())
	if err != nil {
		return err
	}
	var searched gallery.Gallery = pool
	if o.compressed {
		if searched, err = compressed(sets); err != nil {
			return err
		}
	}
	result, err := evaluate.RunRetrieval(ctx, searched, labels, evaluate.Retrieval{
		Queries: pool, Matcher: newMatcher, Candidates: counts, Ks: o.at, Threads: o.network.Threads, Progress: verb.ProgressOn(stderr).Of("queries"),
	})
	if err != nil {
		return err
	}
	outcome.Queries, outcome.Lone = result.Queries, result.Lone
	for _, r := range result.Rows {
		row := retrievalRow{flags.CandidatesText(r.Candidates), r.Metrics, nil, verb.Milliseconds(r.Matching)}
		if r.Kept >= 0 && r.Candidates != 0 {
			row.Kept = &r.Kept
		}
		outcome.Rows = append(outcome.Rows, row)
	}
	return verb.Print(cmd.OutOrStdout(), o.json, outcome, outcome.print)
}

// compressed returns an index in memory.
func compressed(sets []*embed.Set) (*gallery.Index, error) {
	about := gallery.Catalog{Network: project.Network{Embedder: method.Embedder{Kind: method.FCN}}}
	var buffer gallery.Buffer
	w, err := gallery.Create(&buffer, about)
	if err != nil {
		return nil, err
	}
	for i, set := range sets {
		if err := w.Add(strconv.Itoa(i), "", set); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return gallery.Open(buffer.Bytes)
}

// check returns the numbers of candidates, or an error for invalid flags.
func (o *retrievalOptions) check() ([]int, error) {
	if o.sample.Each < 0 || o.sample.Each == 1 {
		return nil, fmt.Errorf("--each %d: want at least two images per class", o.sample.Each)
	}
	if len(o.at) == 0 || slices.Min(o.at) < 1 {
		return nil, errors.New("--at: want numbers of places, such as 1,5,10")
	}
	var counts []int
	for _, text := range o.candidates {
		n, err := flags.ParseCandidates(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("--candidates %w", err)
		}
		counts = append(counts, n)
	}
	if len(counts) == 0 {
		return nil, errors.New("--candidates: want numbers, such as 0,100,all")
	}
	return counts, o.network.Check()
}

// embed embeds the images, or reads their features, with the indexes of their classes. The outcome describes them.
func (o *retrievalOptions) embed(ctx context.Context, stderr io.Writer, m method.Method, given func(flag string) bool) (sets []*embed.Set, of []int, outcome *retrievalOutcome, err error) {
	images, err := openSource(stderr, o.data, o.features, o.sample.Split, &o.unreadable, given)
	if err != nil {
		return nil, nil, nil, err
	}
	defer images.Close()
	classes, err := o.sample.Classes(images.Set, given)
	if err != nil {
		return nil, nil, nil, err
	}
	names, labels, err := o.sample.Choose(images.Set, classes)
	if err != nil {
		return nil, nil, nil, err
	}
	features := images.features
	if features == nil {
		if err := images.openNetwork(ctx, stderr, &o.network, m, weights.Meta{}, names); err != nil {
			return nil, nil, nil, err
		}
		show := verb.ProgressOn(stderr).Of("images embedded")
		if features, err = o.unreadable.Extract(ctx, names, images.Image, images.net.Extraction(show)); err != nil {
			return nil, nil, nil, err
		}
	}
	o.unreadable.Report(stderr)
	flags.NoteProfiles(stderr, images.Set)
	for i, name := range names {
		if features[name] != nil {
			sets, of = append(sets, features[name]), append(of, labels[i])
		}
	}
	outcome = &retrievalOutcome{
		Data: images.data, Pictures: len(sets), LeftOut: o.unreadable.Count, Classes: len(slices.Compact(slices.Clone(of))), At: o.at, How: images.how,
	}
	outcome.Match(m)
	outcome.sound = images.net != nil && o.network.Sound
	return sets, of, outcome, nil
}

func (r *retrievalOutcome) print(w io.Writer) {
	table := verb.NewTable(w)
	cells := []string{"candidates"}
	for _, k := range r.At {
		cells = append(cells, "R@"+strconv.Itoa(k))
	}
	fmt.Fprintln(table, strings.Join(append(cells, "R-Precision", "MAP@R", "top ten kept", "ms a query"), "\t"))
	for _, row := range r.Rows {
		cells := []string{row.Candidates}
		for _, v := range row.Recall {
			cells = append(cells, fmt.Sprintf("%.2f%%", 100*v))
		}
		kept := "–"
		if row.Kept != nil {
			kept = fmt.Sprintf("%.2f%%", 100**row.Kept)
		}
		cells = append(cells, fmt.Sprintf("%.2f%%", 100*row.RPrecision), fmt.Sprintf("%.2f%%", 100*row.MAPR), kept, fmt.Sprintf("%.2f", row.MatchMs))
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	table.Flush()
	how := r.Matching()
	if r.Network != "" { // features of other programs may not state it
		how = fmt.Sprintf("%s at %d px, %v, %s", r.Network, r.Size, r.Embedding, how)
	}
	lone := ""
	if r.Lone > 0 {
		lone = fmt.Sprintf(" (%s)", plural.Count(r.Lone, "is the only one of its class, and no query", "are the only ones of their class, and no queries"))
	}
	fmt.Fprintf(w, "%s%s among %s%s of %s of %s; %s; matched on one thread\n",
		plural.Count(r.Queries, "query", "queries"), lone, flags.Count(r.Pictures, r.sound, "image"), leftOut(r.LeftOut), plural.Count(r.Classes, "class", "classes"), r.Data, how)
}
