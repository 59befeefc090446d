package recognize

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/indexfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

type indexOptions struct {
	network    flags.Network
	method     flags.Method
	out        string
	export     string
	moved      bool
	part       flags.Part
	unreadable flags.Unreadable
}

func init() { verb.Register(verb.Recognize, newIndexCommand) }

func newIndexCommand() *cobra.Command {
	var o indexOptions
	command := &cobra.Command{
		Use:   "index DIR|ZIP --out X.index | index X.index --export DIR",
		Short: "Make or update an index of pictures for `deepemd search`",
		Long: "Embed every picture of a folder or zip archive, and write an index for `deepemd search`. The index has the\n" +
			"nodes of each picture, with two bits per channel, and its global descriptor, with one byte per channel: the mean\n" +
			"of the nodes, or a transformer's class token. Pictures in class folders, or in the other forms of\n" +
			"`deepemd eval --data`, have classes; others do not. The index and its export contain the absolute path of DIR or\n" +
			"ZIP.\n\n" +
			"If the index exists, the command updates it: it adds new pictures, embeds changed files again, and removes\n" +
			"deleted files. The same command continues after an interruption. While it runs, `deepemd search` finds the\n" +
			"pictures added so far. `deepemd unindex` removes pictures. After the folder has moved, also to another machine,\n" +
			"--moved updates the index from its new place. Processes of mpirun share the pictures; the first one writes the\n" +
			"same index as a single process.\n\n" +
			"--export writes the global descriptors and ids as NumPy arrays, and the names and classes as JSON, into a folder for\n" +
			"a vector database, whose candidates `deepemd rerank` ranks. Give it with --out, or with an existing index. Under\n" +
			"mpirun, the first process writes it.",
		Example: "  deepemd index photos --out photos.index\n" +
			"  deepemd index tiny-imagenet.zip --split tiny-imagenet.json --set test --out tiny.index\n" +
			"  deepemd index photos.index --export vectors",
		Args: verb.Arguments(1, 1, "one folder or zip archive", "DIR --out X.index"),
		RunE: verb.Stoppable(func(cmd *cobra.Command, args []string) error {
			if o.out == "" && o.export != "" {
				var err error
				cmd.Flags().Visit(func(f *pflag.Flag) {
					if f.Name != "export" {
						err = fmt.Errorf("--%s does not change the export of an index: remove it, or make the index with --out", f.Name)
					}
				})
				if err != nil {
					return err
				}
				return export(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], o.export)
			}
			err := index(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), o, args, cmd.Flags().Changed)
			if err == nil && o.export != "" {
				err = export(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), o.out, o.export)
			}
			return err
		}),
	}
	f := command.Flags()
	f.StringVar(&o.out, "out", "", "index to write or to update")
	f.BoolVar(&o.moved, "moved", false, "the pictures of the index have moved to DIR or ZIP, with the same names: keep their features")
	f.StringVar(&o.export, "export", "", "folder for the index's vectors")
	o.part.Register(f, "all pictures")
	o.unreadable.Register(f)
	o.method.RegisterEmbedder(f)
	o.network.Register(f)
	o.network.RegisterDevice(f)
	o.network.RegisterSound(f)
	return verb.MarkParallel(command)
}

func index(ctx context.Context, stdout, stderr io.Writer, o indexOptions, args []string, given func(flag string) bool) (err error) {
	switch {
	case o.out == "":
		return errors.New("--out is missing: give the file to write, such as pictures.index")
	case o.out == "-":
		return errors.New("--out -: an index is a file: name one, such as pictures.index")
	case given("set") && o.part.Split == "":
		return flags.ErrNoSplit
	}
	_, err = os.Stat(filepath.Dir(o.out))
	if _, err = cluster.FromLeader(cluster.Of(ctx), true, err); err != nil { // the others need no such folder
		return fmt.Errorf("--out: %w", namedfile.Explain(err))
	}
	pictures, classes, err := o.openPictures(args[0], given)
	if err != nil {
		return err
	}
	defer pictures.Close()
	names, _, err := pictures.Sample(classes, 0, 0)
	if err != nil {
		return err
	}
	if err := o.unreadable.Files(stderr, pictures.Ignored()); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	m, err := o.method.Apply(method.Default())
	if err != nil {
		return err
	}
	net, err := o.network.OpenOn(ctx, stderr, m.Embedder, weights.Meta{})
	if err != nil {
		return err
	}
	if err := net.Restrict(ctx, pictures); err != nil {
		return err
	}
	if !cluster.IsFirst(cluster.Of(ctx)) { // embeds its share; rank 0 has the index
		return evaluate.FillIndex(ctx, nil, pictures, names, o.unreadable.Extraction(net.Extraction(nil)))
	}
	catalog := gallery.Catalog{Preprocess: project.Preprocess(net.Preprocess), Sound: net.Learner.IsAudio()}
	catalog.Network = project.Network{Name: net.Network.Meta().Name, Embedder: net.Learner.Method().Embedder}
	if catalog.Network.SHA256, err = o.network.SHA256(); err != nil {
		return err
	}
	source, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	catalog.Source = folders.Text(source) // JSON holds UTF-8 only
	start := time.Now()
	index, err := indexfile.OpenWriter(o.out, catalog)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer func() { err = errors.Join(err, index.Release()) }()
	moved := index.Index != nil && index.Index.Catalog() != nil && index.Index.Catalog().Source != catalog.Source
	if moved && !o.moved {
		return fmt.Errorf("--out: %s: an index of the pictures of %s, not of %s: give --moved if they have moved there, or name another file",
			o.out, index.Index.Catalog().Source, catalog.Source)
	}
	before := index.Len()
	var stale staleness
	if before > 0 {
		if stale, err = compareFiles(ctx, stderr, index.Index, pictures, names); err != nil {
			return err
		}
		if moved && len(stale.numbers) == before {
			return fmt.Errorf("--moved: %s has none of the pictures of %s: is it the right folder?", args[0], o.out)
		}
		if err := stale.remove(index); err != nil {
			return fmt.Errorf("%s: %w", o.out, err)
		}
	}
	if moved {
		if err := index.Move(catalog.Source); err != nil {
			return fmt.Errorf("%s: %w", o.out, err)
		}
	}
	show := verb.ProgressOn(stderr).Of("pictures indexed")
	err = evaluate.FillIndex(ctx, index.Writer, pictures, names, o.unreadable.Extraction(net.Extraction(show)))
	o.unreadable.Report(stderr)
	flags.NoteProfiles(stderr, pictures)
	if err == nil {
		err = index.Close()
	}
	if atomicfile.IsFull(err) {
		return fmt.Errorf("%s: the disk is full: make room and repeat the command, the index keeps its %s: %w", o.out, flags.Count(index.Committed(), catalog.Sound, "picture"), err)
	}
	if errors.Is(err, context.Canceled) && index.Committed() > 0 {
		return fmt.Errorf("stopped before the end: %s keeps its %s, and the same command continues", o.out, flags.Count(index.Committed(), catalog.Sound, "picture"))
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(o.out)
	if err != nil {
		return err
	}
	known := map[string]bool{} // labels
	for _, class := range classes {
		known[pictures.Label(class)] = true
	}
	delete(known, "")
	of := ""
	if n := len(known); n > 1 {
		of = fmt.Sprintf(" of %d classes", n)
	}
	changed := ""
	if before > 0 {
		replaced, removed := stale.report(stderr, index.Has)
		changed = fmt.Sprintf(": %d added, %d replaced, %d removed", index.Len()-before+removed, replaced, removed)
	}
	_, err = fmt.Fprintf(stdout, "%s: %s%s%s, %.1f MB (%s, %d px, %v), in %.1f s (%s kernels)\n", o.out, flags.Count(index.Len(), catalog.Sound, "picture"), of, changed,
		float64(info.Size())/1e6, net.Network.Meta().Name, net.Preprocess.Size, net.Embedding(), time.Since(start).Seconds(), net.Kernels)
	return err
}

// openPictures opens the pictures to index, with the names of their classes.
func (o *indexOptions) openPictures(root string, given func(flag string) bool) (set *data.Set, classes []string, err error) {
	if o.part.Split == "" {
		if set, err = data.OpenUnclassified(root); err != nil {
			return nil, nil, err
		}
		return set, set.Classes(), nil
	}
	if set, err = data.OpenSplit(root, o.part.Split); err != nil {
		return nil, nil, err
	}
	if classes, err = o.part.Classes(set, given); err == nil {
		err = set.Require(classes)
	}
	if err != nil {
		return nil, nil, errors.Join(err, set.Close())
	}
	return set, classes, nil
}
