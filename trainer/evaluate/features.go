package evaluate

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/cluster"
)

// Features holds the local embeddings of pictures by their names.
type Features map[string]*embed.Set

// Reader returns the picture of a name. It is called from several goroutines.
type Reader func(name string) (*imaging.Image, error)

// Progress is told how many of all things are done, from one goroutine at a
// time. It may be nil.
type Progress func(done, total int)

// Extraction says how pictures become features.
type Extraction struct {
	Encoder    embed.Encoder  // used from one goroutine at a time
	Embedder   embed.Embedder // nil for embed.FCN{}
	Preprocess imaging.Preprocess
	Threads    int // goroutines that read pictures; 0 for all cores
	Progress   Progress
	// Vary, unless nil, returns the view of a picture (see embed.Embedder) changed,
	// in the same size. It is called from several goroutines.
	Vary func(name string, view *imaging.Image) *imaging.Image
}

// extractBatch is how many pictures are read and embedded at a time.
const extractBatch = 64

// batch is a number of pictures, cut into the network's inputs.
type batch struct {
	names    []string
	pictures [][]embed.Crop
}

// Extract reads and embeds every picture named, each once however often it is
// named. The next pictures are read and preprocessed while the present ones
// pass through the network.
//
// The ranks of the context's group (cluster.Of) share the pictures, and all return all
// features.
//
// It returns the first error of reading or embedding, and the context's when it
// is cancelled.
func Extract(ctx context.Context, names []string, read Reader, x Extraction) (Features, error) {
	if x.Embedder == nil {
		x.Embedder = embed.FCN{}
	}
	if _, err := x.Embedder.Embed(x.Encoder, x.Preprocess); err != nil {
		return nil, err
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	g := cluster.Of(ctx)
	from, to := cluster.Share(g, len(names))
	x.Progress = x.Progress.of(g, len(names))
	features, err := x.extract(ctx, names[from:to], read)
	return Gather(ctx, names, features, err)
}

// of has a rank tell of the work of all: as many times its own as there are ranks.
func (p Progress) of(g cluster.Group, total int) Progress {
	if p == nil {
		return func(int, int) {}
	}
	return func(done, _ int) { p(min(done*g.Size(), total), total) }
}

// extract reads and embeds pictures, each named once.
func (x *Extraction) extract(ctx context.Context, names []string, read Reader) (Features, error) {
	x.Progress(0, len(names))
	batches := make(chan batch, 1)
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error {
		defer close(batches)
		for names := range slices.Chunk(names, extractBatch) {
			pictures, err := x.read(ctx, names, read)
			if err != nil {
				return err
			}
			select {
			case batches <- batch{names, pictures}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	features := make(Features, len(names))
	work.Go(func() error {
		for b := range batches {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := x.embed(features, b); err != nil {
				return err
			}
			x.Progress(len(features), len(names))
		}
		return nil
	})
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return features, nil
}

// read reads pictures, in their order, and cuts them into the network's inputs.
func (x *Extraction) read(ctx context.Context, names []string, read Reader) ([][]embed.Crop, error) {
	pictures := make([][]embed.Crop, len(names))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(goroutines(x.Threads))
	for i, name := range names {
		readers.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			picture, err := read(name)
			if err != nil {
				return err
			}
			view := x.Embedder.View(x.Preprocess, picture)
			if x.Vary != nil {
				view = x.Vary(name, view)
			}
			pictures[i] = x.Embedder.Crops(x.Preprocess, view)
			return nil
		})
	}
	if err := readers.Wait(); err != nil {
		return nil, err
	}
	return pictures, nil
}

// embed adds the features of a batch.
func (x *Extraction) embed(features Features, b batch) error {
	sets, err := embed.Encode(x.Embedder, x.Encoder, x.Preprocess, b.pictures...)
	if err != nil {
		return fmt.Errorf("pictures %s to %s: %w", b.names[0], b.names[len(b.names)-1], err)
	}
	for i, name := range b.names {
		features[name] = sets[i]
	}
	return nil
}

// goroutines is the number that a setting of threads stands for.
func goroutines(threads int) int {
	if threads > 0 {
		return threads
	}
	return runtime.GOMAXPROCS(0)
}
