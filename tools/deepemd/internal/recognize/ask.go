package recognize

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/indexfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

// queryOptions are the flags of verbs that query an index.
type queryOptions struct {
	weights string
	threads int
}

func (o *queryOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.weights, "weights", "", "weights of the index (default: the network in the program that made it)")
	f.IntVar(&o.threads, "threads", 0, "number of threads (default: all cores)")
}

type openIndex struct {
	*indexfile.File
	path   string
	net    *flags.Encoder
	openMs float64
}

// open opens an index with images, and its network.
func (o *queryOptions) open(stderr io.Writer, path string) (*openIndex, error) {
	start := time.Now()
	x, err := openFilled(stderr, path)
	if err != nil {
		return nil, err
	}
	net, err := o.network(stderr, x.Catalog(), path)
	if err != nil {
		_ = x.Close()
		return nil, err
	}
	return &openIndex{x, path, net, verb.Milliseconds(time.Since(start))}, nil
}

// openFilled opens an index with images, and notes on stderr if it is incomplete.
func openFilled(stderr io.Writer, path string) (*indexfile.File, error) {
	x, err := indexfile.Open(path)
	if err != nil {
		return nil, err
	}
	if x.Size() == 0 {
		_ = x.Close()
		return nil, fmt.Errorf("%s has no pictures: `deepemd index` adds them", path)
	}
	if !x.Complete() {
		fmt.Fprintf(stderr, "%s is incomplete: it has %s; `deepemd index` adds the others\n", path, flags.Count(x.Size(), x.Catalog().Sound, "picture"))
	}
	return x, nil
}

func (o *queryOptions) network(stderr io.Writer, c *gallery.Catalog, path string) (*flags.Encoder, error) {
	network := flags.Network{
		Weights: o.weights, Threads: o.threads, Size: c.Preprocess.Size, Resize: c.Preprocess.Resize,
	}
	network.SetSound(c.Sound)
	network.Suit(c.Network.SHA256)
	digest, err := network.SHA256()
	if err != nil {
		return nil, err
	}
	if digest != c.Network.SHA256 {
		return nil, fmt.Errorf("%s was made with other weights than %s (%s, SHA-256 %.12s…, not %.12s…): give those with --weights, or index the pictures again",
			path, network.Name(), c.Network.Name, c.Network.SHA256, digest)
	}
	net, err := network.Open(io.Discard, learner.Options{Method: method.Method{Embedder: c.Network.Embedder}}, weights.Meta{})
	if err != nil {
		return nil, err
	}
	if net.Preprocess.Mean == c.Preprocess.Mean && net.Preprocess.Std == c.Preprocess.Std {
		flags.NoteAssumed(stderr, net.Network.Meta())
	}
	net.Preprocess.Mean, net.Preprocess.Std = c.Preprocess.Mean, c.Preprocess.Std
	return net, nil
}

func (a *openIndex) embed(path string) (*embed.Set, *imaging.Image, error) {
	picture, err := a.net.Read(path)
	if err != nil {
		return nil, nil, err
	}
	sets, err := a.net.Embed(picture)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return sets[0], picture, nil
}

// find answers one query through the function search. It also returns the picture.
func (a *openIndex) find(path string, search func(*embed.Set) ([]gallery.Hit, gallery.Timing, error)) (searchResult, *imaging.Image, error) {
	start := time.Now()
	set, picture, err := a.embed(path)
	if err != nil {
		return searchResult{}, nil, err
	}
	f := searchResult{Query: folders.Text(path), EmbedMs: verb.Milliseconds(time.Since(start))}
	err = a.Guard(func() error {
		hits, timing, err := search(set)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		f.ChooseMs, f.MatchMs = verb.Milliseconds(timing.Choosing), verb.Milliseconds(timing.Matching)
		for _, h := range hits {
			f.Hits = append(f.Hits, hit{h.Picture, folders.Text(a.Name(h.Picture)), a.Class(h.Picture), h.Score, h.Cosine, a.Name(h.Picture)})
		}
		return nil
	})
	return f, picture, err
}

type searchResult struct {
	Query    string  `json:"query"`
	Hits     []hit   `json:"found"` // best first
	EmbedMs  float64 `json:"embedMs"`
	ChooseMs float64 `json:"chooseMs"` // selecting candidates by global descriptors
	MatchMs  float64 `json:"matchMs"`
}

type hit struct {
	ID      int     `json:"id"` // in the index, and in the files of `deepemd index --export`
	Picture string  `json:"picture"`
	Class   string  `json:"class,omitempty"`
	Score   float64 `json:"score,omitempty"` // logit; 0 without a match
	Cosine  float64 `json:"cosine"`          // cosine of the global descriptors
	name    string  // name in the index
}

// findings are the output of a verb.
type findings struct {
	Index      string         `json:"index"`
	Pictures   int            `json:"pictures"`
	Source     string         `json:"source"`
	Candidates int            `json:"candidates"`
	OpenMs     float64        `json:"openMs"` // opening the index and the network
	Queries    []searchResult `json:"queries"`
	flags.How

	ranked string // description of the ranking
	sound  bool   // recordings instead of pictures
}

// findings returns the output of a verb with a method, without queries.
func (a *openIndex) findings(m method.Method) *findings {
	return &findings{Index: a.path, Pictures: a.Size(), Source: a.Catalog().Source, OpenMs: a.openMs, How: a.net.How(m), sound: a.Catalog().Sound}
}

// print writes a table with a line for every query and picture, the best first.
func (r *findings) print(w io.Writer) {
	table := verb.NewTable(w)
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
			query, ms := verb.Line(f.Query), fmt.Sprintf("%.1f", took)
			if i > 0 {
				query, ms = "", ""
			}
			row(query, fmt.Sprint(i+1), verb.Line(h.Picture), verb.Line(h.Class), fmt.Sprintf("%.4f", h.Score), fmt.Sprintf("%.4f", h.Cosine), ms)
		}
	}
	table.Flush()
	fmt.Fprintf(w, "\n%s of %s, %s; opened in %.0f ms, %.1f ms a query (%s, %v, %s weights, %s kernels)\n",
		flags.Count(r.Pictures, r.sound, "picture"), verb.Line(r.Source), r.ranked, r.OpenMs, total/float64(len(r.Queries)), verb.Line(r.Network), r.Embedding, r.Weighting, r.Kernels)
}
