package recognize

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

type rerankOptions struct {
	ask        queryOptions
	method     flags.Method
	candidates string
	limit      int
	json       bool
}

func init() { verb.Register(verb.Recognize, newRerankCommand) }

func newRerankCommand() *cobra.Command {
	var o rerankOptions
	command := &cobra.Command{
		Use:   "rerank X.index QUERY --candidates IDS.json",
		Short: "Rank the candidates of a vector database",
		Long: "Rank pictures of an index by DeepEMD, like `deepemd search`, but with the candidates of a vector database:\n" +
			"PostgreSQL with pgvector, Qdrant, or any other that was filled from `deepemd index --export` and queried with\n" +
			"the vector from `deepemd vector`. Candidates are JSON lines or a JSON array: ids, names, or objects with an\n" +
			"\"id\" or a \"name\". A line that is not JSON is a name.",
		Example: "  deepemd rerank photos.index query.jpg --candidates ids.json\n" +
			"  psql -At -c \"select id from photos order by vector <=> '$(deepemd vector photos.index query.jpg)' limit 200\" |\n" +
			"    deepemd rerank photos.index query.jpg --candidates -",
		Args: verb.Arguments(2, 2, "an index and one query", "X.index query.jpg --candidates ids.json"),
		RunE: o.rerank,
	}
	f := command.Flags()
	f.StringVar(&o.candidates, "candidates", "", "file with the ids or names of the candidates; - reads the standard input")
	f.IntVar(&o.limit, "top", 10, "number of results")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.method.RegisterMatcher(f)
	o.ask.register(f)
	return command
}

func (o *rerankOptions) rerank(cmd *cobra.Command, args []string) error {
	switch {
	case o.candidates == "":
		return errors.New("--candidates is missing: give a file with ids or names, or - for the standard input")
	case o.limit < 1:
		return fmt.Errorf("--top %d: want at least one", o.limit)
	}
	m, err := o.method.Apply(method.Default())
	if err != nil {
		return err
	}
	list, err := readCandidates(cmd.InOrStdin(), o.candidates)
	if err != nil {
		return fmt.Errorf("--candidates: %w", err)
	}
	x, err := o.ask.open(cmd.ErrOrStderr(), args[0])
	if err != nil {
		return err
	}
	defer x.Close()
	var pictures []int
	err = x.Guard(func() (err error) {
		pictures, err = picturesOf(x.Index, list)
		return err
	})
	if err != nil {
		return fmt.Errorf("--candidates: %s: %w", args[0], err)
	}
	result := x.findings(m)
	result.Candidates = len(pictures)
	result.ranked = fmt.Sprintf("the %d of --candidates ranked by DeepEMD", len(pictures))
	searcher := &gallery.Searcher{Gallery: x, Threads: o.ask.threads, Matcher: flags.Matcher(m)}
	f, _, err := x.find(args[1], func(query *embed.Set) ([]gallery.Hit, gallery.Timing, error) {
		return searcher.Rerank(query, pictures, o.limit)
	})
	if err != nil {
		return err
	}
	result.Queries = []searchResult{f}
	return verb.Print(cmd.OutOrStdout(), o.json, result, result.print)
}

// maxCandidates is the maximum size of the list of candidates in bytes.
const maxCandidates = 64 << 20

// readCandidates reads a list of candidates from a file, or from stdin for "-".
func readCandidates(stdin io.Reader, path string) (list []candidate, err error) {
	var raw []byte
	if path == "-" {
		path = "the standard input"
		raw, err = namedfile.ReadAll(path, stdin, maxCandidates)
	} else {
		raw, err = namedfile.Read(path, maxCandidates)
	}
	if err != nil {
		return nil, err
	}
	if list, err = parseCandidates(raw); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}
