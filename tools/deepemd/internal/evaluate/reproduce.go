package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/reproduce"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
)

type reproduceOptions struct {
	network          flags.Network
	others           map[string]*string // weights of further networks, by key of reproduce.Lab.Networks
	data             string
	onto, ontoSplit  string
	part             flags.Part
	plan             reproduce.Plan
	out, cache       string
	list, anew, time bool
	flags            *pflag.FlagSet
}

// everyTable is the name that selects all tables.
const everyTable = "all"

func init() { verb.Register(verb.Evaluate, newReproduceCommand) }

func newReproduceCommand() *cobra.Command {
	var o reproduceOptions
	command := &cobra.Command{
		Use:   "reproduce TABLE… --data ZIP|DIR",
		Short: "Measure the paper's tables",
		Long: "Measure the tables of the paper with your own network and images, and compare them with the paper's figures:\n" +
			"accuracy with its 95% interval, time, and whether the paper's order of methods holds. --list lists the tables;\n" +
			"several can be given, or all.\n\n" +
			"--out gets TABLE.md, an SVG for the figure, and a README.md with all tables. It also keeps the results\n" +
			"(measured.jsonl): Ctrl+C loses only the current cell, and the same command continues.\n" +
			"Images are embedded once for all tables. --cache keeps their features; deleting it is always safe.",
		Example: "  deepemd reproduce --list\n" +
			"  deepemd reproduce table6 --out report\n" +
			"  deepemd reproduce table1 table2 --data tiny-imagenet.zip --split tiny-imagenet.json --out report\n" +
			"  deepemd reproduce all --data miniImageNet --onto CUB_200_2011 --weights max_acc.safetensors --out report\n" +
			"  deepemd reproduce table1 --data tiny-imagenet.zip --split tiny-imagenet.json --out report --times",
		RunE: verb.Stoppable(o.run),
	}
	f := command.Flags()
	o.flags = f
	f.BoolVar(&o.list, "list", false, "list the tables")
	f.StringVar(&o.data, "data", "", flags.DataHelp)
	o.part.Register(f, ownSplit)
	f.StringVar(&o.onto, "onto", "", "with table5: images of another domain, in the same formats")
	f.StringVar(&o.ontoSplit, "onto-split", "", "their split (default: as for --split)")
	o.others = map[string]*string{}
	for key, help := range map[string]string{
		reproduce.Pretrained: "with table2: weights of a network after pre-training alone, as in the paper (default: --weights)",
		reproduce.Plain:      "with table4: weights of a network that was pre-trained without rotations (default: --weights if --weights-rotated is given)",
		reproduce.Augmented:  "with table4: weights of a network that was pre-trained with rotated images as augmentation",
		reproduce.Rotated:    "with table4: weights of a network that was pre-trained with the task of rotations (default: --weights)",
		method.Grid:          "weights of a network that was trained with crops of grids (default: --weights)",
		method.Sampling:      "weights of a network that was trained with random crops (default: --weights)",
	} {
		o.others[key] = f.String("weights-"+key, "", help)
	}
	f.IntVar(&o.plan.Episodes, "episodes", 600, "episodes per cell; 600 is the paper's number for several examples per class")
	f.IntVar(&o.plan.OneShotEpisodes, "one-shot-episodes", 5000, "episodes of cells with one example per class; 5000 is the paper's number (default with --episodes: the same)")
	f.Uint64Var(&o.plan.Seed, "seed", 1, "seed of the episodes")
	f.IntVar(&o.plan.Query, "query", 15, "queries per class")
	f.IntVar(&o.plan.CropPictures, "crop-pictures", 0, "images per class for grids and random crops, which take many passes through the network, and for all of table3 and table7 (default: all)")
	f.IntSliceVar(&o.plan.Shots, "shots", []int{1, 2, 3, 5, 7, 10, 15, 20}, "numbers of examples in kshot")
	f.IntVar(&o.plan.LayerEpisodes, "shot-episodes", 0, "episodes per cell of the structured fully connected layer in kshot and table7, which learns slowly (default: --episodes)")
	f.StringVar(&o.out, "out", "", "folder of the report; it is created")
	f.StringVar(&o.cache, "cache", "", "folder of features (default: in your cache folder)")
	f.BoolVar(&o.anew, "anew", false, "measure the tables again, instead of only what has no result")
	f.BoolVar(&o.time, "times", false, "measure only the times of existing results, on one thread: use it when nothing else runs")
	o.network.Register(f)
	o.network.RegisterDevice(f)
	return verb.MarkParallel(command)
}

func listTables(w io.Writer, plan reproduce.Plan) error {
	table := verb.NewTable(w)
	for _, t := range reproduce.Tables(plan) {
		fmt.Fprintf(table, "%s\t%s\t%s\n", t.Name, t.Title, strings.Join(requiredFlags(t), ", "))
	}
	fmt.Fprintf(table, "%s\tevery one of them\t\n", everyTable)
	return table.Flush()
}

// requiredFlags returns the additional flags that a table needs.
func requiredFlags(t *reproduce.Table) []string {
	var flags []string
	for _, r := range t.Rows {
		for _, flag := range []string{extraFlags[r.Network], extraFlags[r.Data]} {
			if flag != "" && !slices.Contains(flags, flag) {
				flags = append(flags, flag)
			}
		}
	}
	return flags
}

// extraFlags are the flags of additional networks and datasets.
var extraFlags = map[string]string{reproduce.Plain: "--weights-plain", reproduce.Augmented: "--weights-augmented", reproduce.Onto: "--onto"}

func (o *reproduceOptions) choose(names []string) ([]*reproduce.Table, error) {
	all := reproduce.Tables(o.plan)
	if len(names) == 0 {
		return nil, errors.New("no table is given: `deepemd reproduce --list` lists them")
	}
	if slices.Contains(names, everyTable) {
		return all, nil
	}
	var chosen []*reproduce.Table
	for _, name := range names {
		at := slices.IndexFunc(all, func(t *reproduce.Table) bool { return t.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("no table %q: `deepemd reproduce --list` lists them", name)
		}
		if !slices.Contains(chosen, all[at]) {
			chosen = append(chosen, all[at])
		}
	}
	return chosen, nil
}

// complete sets defaults that depend on other flags.
func (o *reproduceOptions) complete() {
	slices.Sort(o.plan.Shots)
	o.plan.Shots = slices.Compact(o.plan.Shots)
	if o.flags.Changed("episodes") && !o.flags.Changed("one-shot-episodes") {
		o.plan.OneShotEpisodes = o.plan.Episodes
	}
	o.plan.LayerEpisodes = cmp.Or(o.plan.LayerEpisodes, o.plan.Episodes)
}

func (o *reproduceOptions) run(cmd *cobra.Command, names []string) (err error) {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if o.list {
		return listTables(stdout, o.plan)
	}
	o.complete()
	tables, err := o.choose(names)
	if err != nil {
		return err
	}
	if err := o.check(tables); err != nil {
		return err
	}
	g := cluster.Of(ctx)
	if o.time && g.Size() > 1 {
		return errors.New("--times measures times on one thread, when nothing else runs: start it without mpirun")
	}
	var held *atomicfile.Lock
	if cluster.IsFirst(g) {
		if held, err = atomicfile.HoldFolder(o.out); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	lab := &reproduce.Lab{
		Plan: o.plan, Networks: map[string]*reproduce.Network{}, Data: map[string]*reproduce.Dataset{}, Threads: o.network.Threads, Today: time.Now,
		Features: &reproduce.Cache{Threads: o.network.Threads, MostPatches: mostPatches(tables)},
		Show:     verb.ProgressOn(stderr), Commit: verb.Commit(),
		Done: func(c reproduce.Cell, outcome *reproduce.Outcome) {
			mean, half := outcome.Accuracy()
			fmt.Fprintf(stderr, "%s: %s, %s: %.2f%% ± %.2f%%\n", c.Table.Name, c.Row.Label, c.Column.Label, 100*mean, 100*half)
		},
	}
	closeData, err := o.open(ctx, stderr, lab, tables)
	defer closeData()
	if err != nil {
		return err
	}
	report := &reproduce.Report{Lab: lab, Paper: reproduce.ReadPaper(), Folder: o.out, Command: o.command, Missing: extraFlags}
	err = lab.Run(ctx, tables, o.time)
	if !cluster.IsFirst(g) {
		return err
	}
	for _, t := range tables {
		err = errors.Join(err, report.Write(t))
	}
	err = errors.Join(err, report.Index(reproduce.Tables(o.plan)))
	if ctx.Err() != nil {
		return fmt.Errorf("stopped: the results are in %s, and the same command continues", o.out)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %s, each as .md; README.md has all\n", o.out, plural.Count(len(tables), "table", "tables"))
	return err
}

// mostPatches returns the largest number of random crops in the tables.
func mostPatches(tables []*reproduce.Table) int {
	most := 0
	for _, t := range tables {
		for _, r := range t.Rows {
			most = max(most, r.Embedder.Patches)
		}
	}
	return most
}

// open opens previous results and, if a table has accuracies, networks and data. done closes them,
// also after an error.
func (o *reproduceOptions) open(ctx context.Context, stderr io.Writer, lab *reproduce.Lab, tables []*reproduce.Table) (done func(), err error) {
	var sets []*data.Set
	done = func() {
		for _, set := range sets {
			_ = set.Close() // it was only read
		}
	}
	if slices.ContainsFunc(tables, accuracy) {
		main, err := o.openNetworks(ctx, stderr, lab)
		if err != nil {
			return done, err
		}
		for _, d := range []struct{ role, path, split string }{{reproduce.Main, o.data, o.part.Split}, {reproduce.Onto, o.onto, o.ontoSplit}} {
			if d.path == "" {
				continue
			}
			set, err := data.OpenSplit(d.path, d.split)
			if err != nil {
				return done, err
			}
			sets = append(sets, set)
			if err := main.Restrict(ctx, set); err != nil {
				return done, err
			}
			// Another domain without a split is used completely.
			given := func(flag string) bool { return d.role == reproduce.Main && o.flags.Changed(flag) }
			classes, err := o.part.Classes(set, given)
			if err != nil {
				return done, err
			}
			noteSeen(stderr, lab.Networks[reproduce.Main].Encoder.Meta(), classes)
			if lab.Data[d.role], err = reproduce.NewDataset(set, d.role, o.part.Name, classes); err != nil {
				return done, err
			}
		}
	}
	if lab.Features.Folder = o.cache; o.cache == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return done, fmt.Errorf("no cache folder (%w): set it with --cache", err)
		}
		lab.Features.Folder = filepath.Join(caches, "deepemd", "features")
	}
	if lab.Store, err = reproduce.OpenStore(cluster.Of(ctx), o.out); err != nil {
		return done, err
	}
	if o.anew {
		return done, lab.Forget(tables)
	}
	return done, nil
}

// openNetworks opens the main network, which it returns, and the other given ones.
func (o *reproduceOptions) openNetworks(ctx context.Context, stderr io.Writer, lab *reproduce.Lab) (main *flags.Encoder, err error) {
	if lab.Networks[reproduce.Main], main, err = openNetwork(ctx, stderr, o.network); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(o.others)) { // all ranks in the same order
		network := o.network
		if network.Weights = *o.others[key]; network.Weights == "" {
			continue
		}
		if lab.Networks[key], _, err = openNetwork(ctx, stderr, network); err != nil {
			return nil, err
		}
	}
	return main, nil
}

// openNetwork opens a network with the digest of its weights.
func openNetwork(ctx context.Context, stderr io.Writer, f flags.Network) (*reproduce.Network, *flags.Encoder, error) {
	net, err := f.OpenOn(ctx, stderr, method.Paper().Embedder, weights.Meta{})
	if err != nil {
		return nil, nil, err
	}
	sum, err := f.SHA256()
	if err != nil {
		return nil, nil, err
	}
	name := cmp.Or(net.Network.Meta().Name, filepath.Base(f.Name()))
	n := &reproduce.Network{Name: name, SHA256: sum, Kernels: net.Kernels, Encoder: net.Network, Preprocess: net.Preprocess}
	return n, net, nil
}

// command returns the command line that measures a table, with file names instead of paths.
func (o *reproduceOptions) command(t *reproduce.Table) string {
	words := []string{"deepemd reproduce", t.Name}
	o.flags.Visit(func(f *pflag.Flag) {
		if !t.Layer && !slices.Contains([]string{"out", "cache", "times", "anew", "threads"}, f.Name) {
			words = append(words, "--"+f.Name, filepath.Base(strings.Trim(f.Value.String(), "[]")))
		}
	})
	return strings.Join(append(words, "--out report"), " ")
}
