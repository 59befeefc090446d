package recognize

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Names of the files of an export.
const (
	vectorsFile = "vectors.npy"
	idsFile     = "ids.npy"
)

// export writes the vectors of an index into a folder, for vector databases. Only the first rank of a
// group does.
func export(ctx context.Context, stdout, stderr io.Writer, path, folder string) error {
	if !cluster.IsFirst(cluster.Of(ctx)) {
		return nil
	}
	x, err := openFilled(stderr, path)
	if err != nil {
		return err
	}
	defer x.Close()
	start := time.Now()
	err = verb.ProgressOn(stderr)("pictures exported", func(show evaluate.Progress) error {
		return x.Guard(func() error { return writeVectors(ctx, folder, x.Index, show) })
	})
	if err != nil {
		return fmt.Errorf("--export: %w", err)
	}
	_, err = fmt.Fprintf(stdout, "%s: %s of %d channels, in %.1f s\n", folder, plural.Count(x.Size(), "vector", "vectors"), x.Channels(), time.Since(start).Seconds())
	return err
}

// exportProgress is the number of pictures between two reports of progress.
const exportProgress = 1024

// writeVectors writes the pictures of an index that are not deleted into a folder, which it creates
// if it is absent:
//
//	vectors.npy   the global descriptors, float32 [pictures, channels], of length 1
//	ids.npy       the ids of its rows, int64 [pictures]
//	vectors.json  the names and classes of its rows, the network, and the path of the pictures
//
// An image's id is its number in the index. It stays the same when the index grows, and is never
// reused. Searches compare the same vectors; the index stores them with one byte per channel. Every
// file is written atomically.
//
// # Errors
//
// Errors of writing; the context's error when it is canceled.
func writeVectors(ctx context.Context, folder string, x *gallery.Index, progress evaluate.Progress) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	var pictures []int
	for i := range x.Len() {
		if !x.Deleted(i) {
			pictures = append(pictures, i)
		}
	}
	path := filepath.Join(folder, vectorsFile)
	err := atomicfile.Write(path, func(w io.Writer) error {
		return arrays.WriteRows(w, len(pictures), x.Channels(), func(row int, dst []float32) error {
			x.Feature(dst, pictures[row])
			if done := row + 1; done%exportProgress == 0 || done == len(pictures) {
				progress(done, len(pictures))
			}
			return ctx.Err()
		})
	})
	if err != nil {
		return err
	}
	ids, err := arrays.Labels(pictures)
	if err != nil {
		return err
	}
	err = atomicfile.Write(filepath.Join(folder, idsFile), func(w io.Writer) error { return arrays.WriteNPY(w, ids) })
	if err != nil {
		return err
	}
	return listOf(x, pictures).WriteBeside(path)
}

func listOf(x *gallery.Index, pictures []int) arrays.List {
	c := x.Catalog()
	l := arrays.List{
		Shape: dense.Shape{len(pictures), x.Channels()}, Network: c.Network.Name, Data: c.Source, Size: c.Preprocess.Size,
		Resize: c.Preprocess.Resize, Mean: c.Preprocess.Mean, Std: c.Preprocess.Std, Names: make([]string, len(pictures)),
	}
	classes, known := make([]string, len(pictures)), false
	for row, i := range pictures {
		l.Names[row], classes[row] = folders.Text(x.Name(i)), x.Class(i)
		known = known || classes[row] != ""
	}
	if known {
		l.Classes = classes
	}
	return l
}
