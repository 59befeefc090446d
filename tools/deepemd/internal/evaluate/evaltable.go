package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/reproduce"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// tableOptions are the flags of eval table.
type tableOptions struct {
	method   flags.Method
	drawn    episodeFlags
	features string
	shots    []string
	episodes int
	threads  int
	out      string
}

// newEvalTableCommand returns the command that compares classifiers at several numbers
// of examples.
func newEvalTableCommand() *cobra.Command {
	var o tableOptions
	command := &cobra.Command{
		Use:   "table --features FILE.npy --out DIR",
		Short: "Compare classifiers at several numbers of examples",
		Long: "Measure every classifier named at every number of examples, all on the same episodes, from features that\n" +
			"`deepemd features` extracted once, and print the table as Markdown: the accuracy of the first classifier,\n" +
			"the others' paired differences to it with 95% intervals, and how far their probabilities are off.\n\n" +
			"What is measured is kept in the folder (measured.jsonl). A table that was stopped goes on where it was, and more\n" +
			"--episodes are added to those that are there. The method's defaults are the page's, not the paper's.\n\n" +
			"A number such as 1:20 gives an episode's classes 1 and 20 examples in turn. Which of them the first class\n" +
			"has changes from episode to episode.",
		Example: "  deepemd features --data cifar100.zip --split cifar-fs.json --set test --out cifar-fs.npy\n" +
			"  deepemd eval table --features cifar-fs.npy --shot 1,2,5,10,20,40,1:20 --episodes 2000 --out table",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := verb.Stoppable(cmd)
			defer stop()
			return evalTable(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), o, cmd.Flags().Changed)
		},
	}
	f := command.Flags()
	f.StringVar(&o.features, "features", "", "array of features, .npy, as `deepemd features` writes it")
	f.StringVar(&o.out, "out", "", "folder of the cells")
	f.StringSliceVar(&o.shots, "shot", []string{"1", "2", "5", "10"}, "examples of each class; several with commas; 1:20 gives the classes 1 and 20 in turn")
	f.IntVar(&o.episodes, "episodes", 600, "how many episodes to draw")
	f.IntVar(&o.threads, "threads", 0, "how many threads compute (default: all cores)")
	o.drawn.registerDraw(f)
	o.method.RegisterClassifier(f, method.Default(), true)
	return verb.Shares(command)
}

// evalTable runs the command.
func evalTable(ctx context.Context, stdout, stderr io.Writer, o tableOptions, given func(flag string) bool) (err error) {
	switch {
	case o.features == "":
		return errors.New("--features is missing: give an array that `deepemd features` wrote")
	case o.out == "":
		return errors.New("--out is missing: give the folder that keeps what is measured")
	case o.threads < 0:
		return fmt.Errorf("--threads %d: want a positive number, or 0 for all cores", o.threads)
	}
	base := method.Default()
	base.Strangers = method.Strangers{} // no part of what is measured
	classifiers, err := o.method.All(base)
	if err != nil {
		return err
	}
	g := cluster.Of(ctx)
	var held *atomicfile.Held
	if cluster.Leads(g) {
		if held, err = atomicfile.HoldFolder(o.out); err != nil {
			return fmt.Errorf("--out: %w", verb.Readable(err))
		}
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	features, set, about, err := evaluate.ReadFeatures(o.features, o.drawn.split)
	if err != nil {
		return err
	}
	defer set.Close()
	name := strings.TrimSuffix(filepath.Base(o.features), filepath.Ext(o.features))
	store, err := reproduce.OpenStore(g, o.out)
	if err != nil {
		return err
	}
	var t table
	for _, text := range o.shots {
		if err := o.drawn.shot.Set(text); err != nil {
			return fmt.Errorf("--shot %w", err)
		}
		list, err := o.drawn.draw(set, o.episodes, given)
		if err != nil {
			return fmt.Errorf("--shot %s: %w", text, err)
		}
		column := tableColumn{shot: text}
		for _, c := range classifiers {
			cell, err := store.Extend(reproduce.Outcome{
				Data: name, Network: about.Network, Source: list.source, Shots: text, Setting: reproduce.Setting{
					Way: list.way, Shot: o.drawn.shot.most(), Query: o.drawn.query, Seed: o.drawn.seed, Method: c.Method,
				},
			}, list.episodes, func(from int, some []data.Episode) (*evaluate.Result, error) {
				what := fmt.Sprintf("%s, %s examples, %s: episodes from %d on", name, text, c.Classifier, from+1)
				return verb.Shown(stderr, what, func(show evaluate.Progress) (*evaluate.Result, error) {
					return evaluate.Run(ctx, features, some, evaluate.Config{Way: list.way, Classifier: c.New, Threads: o.threads, Progress: show})
				})
			})
			if err != nil {
				return verb.Interrupted(err)
			}
			column.cells, column.names = append(column.cells, cell), append(column.names, c.Classifier)
		}
		t = append(t, column)
	}
	return t.write(stdout, name)
}

// table is what classifiers make of a set, by numbers of examples.
type table []tableColumn

// tableColumn is a number of examples.
type tableColumn struct {
	shot  string
	names []string             // of the classifiers
	cells []*reproduce.Outcome // theirs; the others are compared with the first
}

// write writes the table as Markdown.
func (t table) write(w io.Writer, name string) error {
	first, rows := t[0].cells[0], len(t[0].cells)
	episodes := 0
	for _, column := range t {
		for _, cell := range column.cells {
			episodes = max(episodes, len(cell.Right))
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d-way, %d queries a class, %d episodes or as many as brackets say, %s of %s (%s); differences are paired.\n\n",
		first.Setting.Way, first.Setting.Query, episodes, first.Source, name, first.Network)
	t.heading(&text, "examples of a class")
	t.row(&text, t[0].names[0], func(c tableColumn) string {
		mean, half := c.cells[0].Accuracy()
		return fmt.Sprintf("%.1f ± %.1f", 100*mean, 100*half) + few(len(c.cells[0].Right), episodes)
	})
	for k := 1; k < rows; k++ {
		t.row(&text, t[0].names[k], func(c tableColumn) string {
			mean, half, n := c.cells[k].Against(c.cells[0])
			return fmt.Sprintf("%+.2f ± %.2f", 100*mean, 100*half) + few(n, episodes)
		})
	}
	fmt.Fprintln(&text)
	t.heading(&text, "calibration error, points")
	for k := range rows {
		t.row(&text, t[0].names[k], func(c tableColumn) string {
			return fmt.Sprintf("%.1f", 100*c.cells[k].Reliability.Error())
		})
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// heading writes the numbers of examples.
func (t table) heading(w io.Writer, corner string) {
	t.row(w, corner, func(c tableColumn) string { return c.shot })
	fmt.Fprintln(w, "|"+strings.Repeat(" --- |", 1+len(t)))
}

// row writes what is said of each number of examples.
func (t table) row(w io.Writer, title string, say func(tableColumn) string) {
	fmt.Fprintf(w, "| %s |", title)
	for _, column := range t {
		fmt.Fprintf(w, " %s |", say(column))
	}
	fmt.Fprintln(w)
}

// few says how many episodes a cell has where others have more.
func few(n, most int) string {
	if n == most {
		return ""
	}
	return fmt.Sprintf(" (%d)", n)
}
