package recognize

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Recognize, newVectorCommand) }

func newVectorCommand() *cobra.Command {
	var o queryOptions
	command := &cobra.Command{
		Use:   "vector X.index QUERY…",
		Short: "Print the query vector of a picture for a vector database",
		Long: "Print the global descriptors of queries, files or folders, like those of `deepemd index --export`: one line per\n" +
			"query, a JSON array of numbers, the format of pgvector and Qdrant. `deepemd rerank` ranks the results of the\n" +
			"database.",
		Example: "  deepemd vector photos.index query.jpg",
		Args:    verb.Arguments(2, 0, "an index and at least one query", "X.index query.jpg"),
		RunE:    o.vector,
	}
	o.register(command.Flags())
	return command
}

func (o *queryOptions) vector(cmd *cobra.Command, args []string) error {
	queries, err := flags.Expand(args[1:])
	if err != nil {
		return err
	}
	x, err := o.open(cmd.ErrOrStderr(), args[0])
	if err != nil {
		return err
	}
	defer x.Close()
	out := json.NewEncoder(cmd.OutOrStdout())
	feature := make([]float32, x.Channels())
	strict := flags.Unreadable{Strict: true} // each line is the vector of the next query
	err = strict.Ask(io.Discard, queries, func(path string) error {
		set, _, err := x.embed(path)
		if err != nil {
			return err
		}
		if !x.Summarized() {
			set.Summary = nil
		}
		if err := gallery.Global(feature, set); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return out.Encode(feature)
	})
	return errors.Join(err, queries.Lost())
}
