package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
)

// Features holds the local embeddings of images by name.
type Features map[string]*embed.Set

// Reader returns the image with a name. It is called concurrently.
type Reader func(name string) (*imaging.Image, error)

// Progress receives the number of finished items. It is not called concurrently.
type Progress func(done, total int)

// Show runs work, and shows its progress under a name.
type Show func(what string, work func(Progress) error) error

// Of is Show with a name.
func (s Show) Of(what string) Shown {
	return func(work func(Progress) error) error { return s(what, work) }
}

// Shown runs work, and shows its progress; nil shows nothing.
type Shown func(work func(Progress) error) error

// run runs a rank's work, and shows its progress as an estimate of the progress of all ranks.
func (s Shown) run(g cluster.Group, total int, work func(Progress) error) error {
	if s == nil {
		return work(func(int, int) {})
	}
	return s(func(p Progress) error {
		return work(func(done, _ int) { p(min(done*g.Size(), total), total) })
	})
}

// Extraction specifies how images become features.
type Extraction struct {
	Encoder    embed.Encoder  // used from one goroutine at a time
	Embedder   embed.Embedder // nil for embed.FCN{}
	Preprocess imaging.Preprocess
	Threads    int // goroutines that read images; 0 for all cores
	Progress   Shown
	// Vary, unless nil, changes the view of an image (see embed.Embedder) and keeps its size. It is
	// called concurrently.
	Vary func(name string, view *imaging.Image) *imaging.Image
	// LeaveOut, unless nil, receives unreadable images, which then have no features. It is not
	// called concurrently. If it is nil, such an image is an error.
	LeaveOut func(*data.Damaged)
}

// extractBatch is the number of images that are read and embedded together.
const extractBatch = 64

// Extract reads and embeds all named images, each once. It reads and preprocesses the next images
// while the network runs.
//
// The ranks of the context's group (cluster.Of) share the images, and each rank returns the
// features of all images.
//
// It returns the first error of reading or embedding, and the context's error if it is canceled.
func Extract(ctx context.Context, names []string, read Reader, x Extraction) (Features, error) {
	if x.Embedder == nil {
		x.Embedder = embed.FCN{}
	}
	if _, err := embed.Embed(x.Embedder, x.Encoder, x.Preprocess); err != nil {
		return nil, err
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if err := sameItems(ctx, "images", len(names), names); err != nil {
		return nil, err
	}
	g := cluster.Of(ctx)
	from, to := cluster.Share(g, len(names))
	leaveOut, left := x.LeaveOut, []*data.Damaged{}
	if leaveOut != nil {
		x.LeaveOut = func(d *data.Damaged) { left = append(left, d) }
	}
	var features Features
	err := x.Progress.run(g, len(names), func(progress Progress) (err error) {
		features, err = x.extract(ctx, names[from:to], read, progress)
		return err
	})
	if features, err = Gather(ctx, features, err); err != nil || leaveOut == nil {
		return features, err
	}
	lists, err := cluster.AllGather(g, left)
	left = slices.Concat(lists...)
	slices.SortFunc(left, func(a, b *data.Damaged) int { return strings.Compare(a.Name, b.Name) })
	for _, d := range left {
		leaveOut(d)
	}
	return features, err
}

// extract reads and embeds images with different names.
func (x *Extraction) extract(ctx context.Context, names []string, read Reader, progress Progress) (Features, error) {
	progress(0, len(names))
	batches := slices.Collect(slices.Chunk(names, extractBatch))
	next, stop := data.Ahead(ctx, 0, len(batches), func(ctx context.Context, number int) ([][]embed.Crop, error) {
		return x.read(ctx, batches[number], read)
	})
	defer stop()
	features, done := make(Features, len(names)), 0
	for _, batch := range batches {
		pictures, err := next()
		if err == nil {
			err = x.embed(features, batch, pictures)
		}
		if err != nil {
			return nil, err
		}
		done += len(batch) // with images that are left out
		progress(done, len(names))
	}
	return features, nil
}

// read reads images, in order, and crops them to the network's inputs. Images that are left out
// have no crops.
func (x *Extraction) read(ctx context.Context, names []string, read Reader) ([][]embed.Crop, error) {
	pictures := make([][]embed.Crop, len(names))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(cmp.Or(x.Threads, runtime.GOMAXPROCS(0)))
	var telling sync.Mutex
	for i, name := range names {
		readers.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			picture, err := read(name)
			if damaged, ok := errors.AsType[*data.Damaged](err); ok && x.LeaveOut != nil {
				telling.Lock()
				defer telling.Unlock()
				x.LeaveOut(damaged)
				return nil
			}
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
	return pictures, readers.Wait()
}

// embed embeds the images of a batch that are not left out.
func (x *Extraction) embed(features Features, batch []string, read [][]embed.Crop) error {
	var names []string
	var pictures [][]embed.Crop
	for i, crops := range read {
		if crops != nil {
			names, pictures = append(names, batch[i]), append(pictures, crops)
		}
	}
	if len(names) == 0 {
		return nil
	}
	sets, err := new(embed.Workspace).Encode(x.Embedder, x.Encoder, x.Preprocess, pictures...)
	if err != nil {
		return fmt.Errorf("images %s to %s: %w", names[0], names[len(names)-1], err)
	}
	for i, name := range names {
		features[name] = sets[i]
	}
	return nil
}

// ReadFeatures reads an array of local embeddings, float32 [images, nodes, C], in the format of
// `deepemd features`, and its list. It also returns a set of the images' names and classes, with an
// optional split (see data.OpenSplit), which the caller closes.
//
// It returns an error for an unreadable array, and for a list that is absent or has no classes.
func ReadFeatures(path, split string) (Features, *data.Set, *arrays.List, error) {
	array, list, err := arrays.ReadListed(path)
	if errors.Is(err, os.ErrNotExist) && array != nil {
		err = fmt.Errorf(`%w: it must list the rows of %s, {"names": […], "classes": […]}`, err, path)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if list.Classes == nil {
		return nil, nil, nil, fmt.Errorf("%s: no classes: give the class of every image", arrays.ListPath(path))
	}
	sets, err := arrays.Sets(array, list.Names)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	pictures := make([]data.Picture, len(list.Names))
	for i, name := range list.Names {
		pictures[i] = data.Picture{Class: list.Classes[i], Name: name}
	}
	set, err := data.NamesOnly(filepath.Base(path), pictures, split)
	return sets, set, list, err
}

// WriteNPY writes the logits as a NumPy array of float32, [episodes, queries, way]. It returns an
// error if there are none or if episodes have different numbers of queries, and the errors of w.
func (r *Result) WriteNPY(w io.Writer) error {
	queries := 0
	if len(r.Logits) > 0 {
		queries = len(r.Logits[0]) / r.Way
	}
	all := tensor.New(len(r.Logits), queries, r.Way)
	for i, logits := range r.Logits {
		if len(logits) != queries*r.Way {
			return fmt.Errorf("episode %d has %s, the first has %d: logits need episodes of equal size", i+1, plural.Count(len(logits)/r.Way, "query", "queries"), queries)
		}
		copy(all.Row(i), logits)
	}
	array, err := arrays.Dense(all)
	if err != nil {
		return err
	}
	return arrays.WriteNPY(w, array)
}
