package recognise

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/tools/deepemd/internal/encoder"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/progress"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/format/arrays"
	"github.com/deepemd/deepemd/trainer/format/indexfile"
)

// searchOptions are the flags of search.
type searchOptions struct {
	weights    string
	threads    int
	method     flags.Method
	candidates string
	limit      int
	sheet      string
	data       string
	json       bool
}

func init() { verb.Register(verb.Recognise, newSearchCommand) }

// newSearchCommand returns the command that finds pictures in an index.
func newSearchCommand() *cobra.Command {
	var o searchOptions
	command := &cobra.Command{
		Use:   "search X.index QUERY…",
		Short: "Find the pictures of an index that resemble others",
		Long: "Find the pictures of an index, which `deepemd index` makes, that resemble the queries: files, or folders of\n" +
			"them. The global features, means of the nodes, choose candidates by cosine; these are ranked by DeepEMD.\n" +
			"Queries are embedded as the index says, by the same weights.",
		Example: "  deepemd search photos.index query.jpg\n" +
			"  deepemd search photos.index queries --top 5 --candidates 500 --sheet found.png",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return search(cmd.OutOrStdout(), cmd.ErrOrStderr(), o, args)
		},
	}
	f := command.Flags()
	f.IntVar(&o.limit, "top", 10, "pictures to find for each query")
	f.StringVar(&o.candidates, "candidates", "200", "how many pictures are matched, the nearest by global feature: a number, all, or 0 for the order of global features")
	f.StringVar(&o.sheet, "sheet", "", "draw queries and what was found as one picture, to this .png file")
	f.StringVar(&o.data, "data", "", "where the index's pictures lie now, for --sheet (default: where they were)")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.method.RegisterMatcher(f)
	f.StringVar(&o.weights, "weights", "", "weights that the index was made with (default: "+resnet12s.Name+", which comes with the program)")
	f.IntVar(&o.threads, "threads", 0, "how many threads compute (default: all cores)")
	return command
}

// found is what is known of one query.
type found struct {
	Query    string  `json:"query"`
	Hits     []hit   `json:"found"` // best first
	EmbedMs  float64 `json:"embedMs"`
	ChooseMs float64 `json:"chooseMs"` // candidates by global features
	MatchMs  float64 `json:"matchMs"`
}

// hit is a picture that was found.
type hit struct {
	Picture string  `json:"picture"`
	Class   string  `json:"class,omitempty"`
	Score   float64 `json:"score,omitempty"` // logit; none where only global features were compared
	Cosine  float64 `json:"cosine"`          // of the global features
}

// findings are the outcome of the command.
type findings struct {
	Index      string  `json:"index"`
	Pictures   int     `json:"pictures"`
	Source     string  `json:"source"`
	Candidates int     `json:"candidates"`
	Network    string  `json:"network"`
	Kernels    string  `json:"kernels"`
	Weighting  string  `json:"weighting"`
	Solver     string  `json:"solver,omitempty"`
	OpenMs     float64 `json:"openMs"` // the index and the network
	Queries    []found `json:"queries"`
	arrays.Embedding
}

// search runs the command and prints to stdout.
func search(stdout, stderr io.Writer, o searchOptions, args []string) error {
	if len(args) < 2 {
		return errors.New("search takes an index and at least one query: deepemd search X.index query.jpg")
	}
	if o.limit < 1 {
		return fmt.Errorf("--top %d: want at least one", o.limit)
	}
	candidates, err := flags.ParseCandidates(o.candidates)
	if err != nil {
		return fmt.Errorf("--candidates %w", err)
	}
	if o.sheet != "" && !strings.EqualFold(filepath.Ext(o.sheet), ".png") {
		return fmt.Errorf("--sheet %s: want a file that ends in .png", o.sheet)
	}
	if o.data != "" && o.sheet == "" {
		return errors.New("--data goes with --sheet: leave it out")
	}
	m, err := o.method.Over(method.Default())
	if err != nil {
		return err
	}
	queries, err := encoder.Expand(args[1:])
	if err != nil {
		return err
	}
	start := time.Now()
	x, err := indexfile.Open(args[0])
	if err != nil {
		return err
	}
	defer x.Close()
	if x.Size() == 0 {
		return fmt.Errorf("%s has no picture yet: wait until `deepemd index` has added some", args[0])
	}
	if !x.Complete() {
		fmt.Fprintf(stderr, "%s is not complete: %d pictures are searched; `deepemd index` adds the others\n", args[0], x.Size())
	}
	net, err := o.open(stderr, x.Catalogue(), args[0])
	if err != nil {
		return err
	}
	result := &findings{
		Index: args[0], Pictures: x.Size(), Source: x.Catalogue().Source, Candidates: min(candidates, x.Size()),
		Network: net.Network.Meta().Name, Kernels: net.Network.Kernels(), Weighting: flags.Matcher(m)().Weighting.String(), Solver: flags.SolverText(m),
		OpenMs: progress.Milliseconds(time.Since(start)), Embedding: net.Embedding(),
	}
	if candidates == gallery.All {
		result.Candidates = x.Size()
	}
	searcher := &gallery.Searcher{
		Gallery: x, Candidates: candidates, Threads: o.threads,
		Matcher: flags.Matcher(m),
	}
	var pictures []*imaging.Image
	for _, path := range queries {
		f, picture, err := o.find(path, searcher, net, x)
		if err != nil {
			return err
		}
		result.Queries = append(result.Queries, f)
		if o.sheet != "" {
			pictures = append(pictures, picture)
		}
	}
	if o.sheet != "" {
		if err := o.drawSheet(result, pictures); err != nil {
			return err
		}
	}
	if o.json {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		return out.Encode(result)
	}
	return result.print(stdout)
}

// open builds the network that an index was made with.
func (o *searchOptions) open(stderr io.Writer, c *gallery.Catalogue, path string) (*encoder.Encoder, error) {
	network := flags.Network{
		Weights: o.weights, Threads: o.threads, Size: c.Preprocess.Size, Resize: c.Preprocess.Resize,
	}
	digest, err := network.Digest()
	if err != nil {
		return nil, err
	}
	if digest != c.Network.SHA256 {
		return nil, fmt.Errorf("%s was made with other weights than %s (%s, SHA-256 %.12s…, not %.12s…): give those with --weights, or index the pictures again",
			path, network.Name(), c.Network.Name, c.Network.SHA256, digest)
	}
	net, err := network.Open(io.Discard, c.Network.Embedder, weights.Meta{})
	if err != nil {
		return nil, err
	}
	if net.Preprocess.Mean == c.Preprocess.Mean && net.Preprocess.Std == c.Preprocess.Std {
		flags.NoteAssumed(stderr, net.Network.Meta())
	}
	net.Preprocess.Mean, net.Preprocess.Std = c.Preprocess.Mean, c.Preprocess.Std
	return net, nil
}

// find searches for one query, and returns its picture too.
func (o *searchOptions) find(path string, s *gallery.Searcher, net *encoder.Encoder, x *indexfile.File) (found, *imaging.Image, error) {
	picture, err := net.Read(path)
	if err != nil {
		return found{}, nil, err
	}
	start := time.Now()
	sets, err := net.Embed(picture)
	if err != nil {
		return found{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	f := found{Query: path, EmbedMs: progress.Milliseconds(time.Since(start))}
	hits, timing, err := s.Search(sets[0], o.limit)
	if err != nil {
		return found{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	f.ChooseMs, f.MatchMs = progress.Milliseconds(timing.Choosing), progress.Milliseconds(timing.Matching)
	for _, h := range hits {
		f.Hits = append(f.Hits, hit{x.Name(h.Picture), x.Class(h.Picture), h.Score, h.Cosine})
	}
	return f, picture, nil
}

// print writes a table: a line for every query and picture, the best first.
func (r *findings) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	classes, scores := false, r.Candidates > 0
	for _, f := range r.Queries {
		for _, h := range f.Hits {
			classes = classes || h.Class != ""
		}
	}
	row := func(cells ...string) {
		kept := cells[:3]
		if classes {
			kept = append(kept, cells[3])
		}
		if scores {
			kept = append(kept, cells[4])
		}
		fmt.Fprintln(table, strings.Join(append(kept, cells[5:]...), "\t"))
	}
	row("QUERY", "RANK", "PICTURE", "CLASS", "SCORE", "COSINE", "MILLISECONDS")
	var total float64
	for _, f := range r.Queries {
		took := f.EmbedMs + f.ChooseMs + f.MatchMs
		total += took
		for i, h := range f.Hits {
			query, ms := f.Query, fmt.Sprintf("%.1f", took)
			if i > 0 {
				query, ms = "", ""
			}
			row(query, fmt.Sprint(i+1), h.Picture, h.Class, fmt.Sprintf("%.4f", h.Score), fmt.Sprintf("%.4f", h.Cosine), ms)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d pictures of %s, %s; opened in %.0f ms, %.1f ms a query (%s, %v, %s weights, %s kernels)\n",
		r.Pictures, r.Source, r.how(), r.OpenMs, total/float64(len(r.Queries)), r.Network, r.Embedding, r.Weighting, r.Kernels)
	return err
}

// how says how pictures were ranked.
func (r *findings) how() string {
	if r.Candidates == 0 {
		return "ranked by the cosine of global features"
	}
	return fmt.Sprintf("the nearest %d by global feature ranked by DeepEMD", r.Candidates)
}
