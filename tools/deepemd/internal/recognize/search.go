package recognize

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
)

type searchOptions struct {
	ask        queryOptions
	method     flags.Method
	candidates string
	limit      int
	sheet      string
	output     verb.Output
	data       string
	json       bool
	unreadable flags.Unreadable
}

func init() { verb.Register(verb.Recognize, newSearchCommand) }

func newSearchCommand() *cobra.Command {
	var o searchOptions
	command := &cobra.Command{
		Use:   "search X.index QUERY…",
		Short: "Find the pictures of an index that are similar to others",
		Long: "Find the pictures of an index (see `deepemd index`) that are similar to the queries: files or folders. The\n" +
			"cosine of global descriptors (the mean of the nodes, or a transformer's class token) selects candidates; DeepEMD\n" +
			"ranks them. The index determines the embedder, and requires the same weights.",
		Example: "  deepemd search photos.index query.jpg\n" +
			"  deepemd search photos.index queries --top 5 --candidates 500 --sheet found.png",
		Args: verb.Arguments(2, 0, "an index and at least one query", "X.index query.jpg"),
		RunE: o.search,
	}
	f := command.Flags()
	f.IntVar(&o.limit, "top", 10, "number of results per query; at most --candidates, unless that is 0")
	f.StringVar(&o.candidates, "candidates", "200", "number of candidates to match, or all; 0 ranks by global descriptors alone. By default at least --top")
	o.output.Register(f)
	f.StringVar(&o.sheet, "sheet", "", "draw the queries and results into this .png file")
	f.StringVar(&o.data, "data", "", "current folder or zip of the index's pictures, for --sheet (default: the original one)")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.unreadable.Register(f)
	o.method.RegisterMatcher(f)
	o.ask.register(f)
	return command
}

func (o *searchOptions) search(cmd *cobra.Command, args []string) error {
	if o.limit < 1 {
		return fmt.Errorf("--top %d: want at least one", o.limit)
	}
	candidates, err := flags.ParseCandidates(o.candidates)
	if err != nil {
		return fmt.Errorf("--candidates %w", err)
	}
	if !cmd.Flags().Changed("candidates") {
		candidates = max(candidates, o.limit)
	}
	if o.sheet != "" && !strings.EqualFold(filepath.Ext(o.sheet), ".png") {
		return fmt.Errorf("--sheet %s: want a file that ends in .png", o.sheet)
	}
	if err := o.output.Check(o.sheet, args, verb.Begins("\x89PNG")); err != nil {
		return err
	}
	if o.data != "" && o.sheet == "" {
		return errors.New("--data requires --sheet: leave it out")
	}
	m, err := o.method.Apply(method.Default())
	if err != nil {
		return err
	}
	queries, err := flags.Expand(args[1:])
	if err != nil {
		return err
	}
	x, err := o.ask.open(cmd.ErrOrStderr(), args[0])
	if err != nil {
		return err
	}
	defer x.Close()
	result := x.findings(m)
	var drawn *data.Set
	if o.sheet != "" {
		if drawn, err = o.openSheet(result.Source, len(queries.Paths)); err != nil {
			return err
		}
		defer drawn.Close()
	}
	result.Candidates = min(candidates, x.Size())
	if candidates == gallery.All {
		result.Candidates = x.Size()
	}
	result.ranked = fmt.Sprintf("the nearest %d by global descriptor, ranked by DeepEMD", result.Candidates)
	if candidates == 0 {
		result.ranked = "ranked by the cosine of global descriptors"
	}
	searcher := &gallery.Searcher{Gallery: x, Candidates: candidates, Threads: o.ask.threads, Matcher: flags.Matcher(m)}
	var pictures []*imaging.Image
	err = o.unreadable.Ask(cmd.ErrOrStderr(), queries, func(path string) error {
		f, picture, err := x.find(path, func(query *embed.Set) ([]gallery.Hit, gallery.Timing, error) { return searcher.Search(query, o.limit) })
		if err != nil {
			return err
		}
		result.Queries = append(result.Queries, f)
		if o.sheet != "" {
			pictures = append(pictures, picture)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if o.sheet != "" {
		if err := o.drawSheet(result, pictures, drawn); err != nil {
			return err
		}
	}
	return errors.Join(verb.Print(cmd.OutOrStdout(), o.json, result, result.print), queries.Lost())
}
