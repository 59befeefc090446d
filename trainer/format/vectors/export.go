package vectors

import (
	"context"
	"io"
	"os"
	"path/filepath"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/trainer/format/arrays"
	"github.com/deepemd/deepemd/trainer/format/artifact"
)

// Names of the files of [Folder].
const (
	ParquetFile = "vectors.parquet"
	ArrayFile   = "vectors.npy"
	IDsFile     = "ids.npy"
)

// Folder writes the pictures of an index that were not deleted into a folder, which it
// makes where there is none:
//
//	vectors.parquet  a row a picture, see Parquet
//	vectors.npy      the global features, float32 [pictures, channels], of length 1
//	ids.npy          the ids of its rows, int64 [pictures]
//	vectors.json     the names and classes of its rows, and the network
//
// The vectors are those that a search compares: the index keeps a byte of each channel.
// progress, which may be nil, is told how many pictures of how many are written; it counts
// each twice. Every file is whole or as it was.
//
// # Errors
//
// Those of writing; the context's when it is cancelled.
func Folder(ctx context.Context, folder string, x *gallery.Index, progress func(done, total int)) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	e := newExport(ctx, x, 2, progress)
	if err := artifact.Write(filepath.Join(folder, ParquetFile), e.parquet); err != nil {
		return err
	}
	path := filepath.Join(folder, ArrayFile)
	err := artifact.Write(path, func(w io.Writer) error {
		return arrays.WriteRows(w, len(e.pictures), x.Channels(), func(row int, dst []float32) error {
			x.Feature(dst, e.pictures[row])
			return e.step()
		})
	})
	if err != nil {
		return err
	}
	ids, err := arrays.Labels(e.pictures)
	if err != nil {
		return err
	}
	err = artifact.Write(filepath.Join(folder, IDsFile), func(w io.Writer) error { return arrays.WriteNPY(w, ids) })
	if err != nil {
		return err
	}
	return e.list().WriteBeside(path)
}

// Parquet writes the pictures of an index that were not deleted as a Parquet file with a row
// each: id, its number; name; class, null where it has none; vector, its global feature, a
// list of float32 of length 1. The file's metadata name the network (deepemd.network and
// deepemd.sha256) and where the pictures lay (deepemd.source).
//
// progress is as for Folder, but counts each picture once.
//
// # Errors
//
// Those of writing; the context's when it is cancelled.
func Parquet(ctx context.Context, w io.Writer, x *gallery.Index, progress func(done, total int)) error {
	return newExport(ctx, x, 1, progress).parquet(w)
}

// export is the state of writing an index's pictures.
type export struct {
	ctx      context.Context
	index    *gallery.Index
	pictures []int // those that were not deleted
	done     int
	total    int
	progress func(done, total int)
}

func newExport(ctx context.Context, x *gallery.Index, times int, progress func(done, total int)) *export {
	e := &export{ctx: ctx, index: x, progress: progress, total: times * x.Size()}
	for i := range x.Len() {
		if !x.Deleted(i) {
			e.pictures = append(e.pictures, i)
		}
	}
	return e
}

// every is after how many pictures progress is told.
const every = 1024

// step counts a picture that was written.
func (e *export) step() error {
	e.done++
	if e.progress != nil && (e.done%every == 0 || e.done == e.total) {
		e.progress(e.done, e.total)
	}
	return e.ctx.Err()
}

// list says what the rows of the array are.
func (e *export) list() arrays.List {
	c := e.index.Catalogue()
	l := arrays.List{
		Shape: dense.Shape{len(e.pictures), e.index.Channels()}, Network: c.Network.Name, Data: c.Source, Size: c.Preprocess.Size,
		Resize: c.Preprocess.Resize, Mean: c.Preprocess.Mean, Std: c.Preprocess.Std, Names: make([]string, len(e.pictures)),
	}
	classes, known := make([]string, len(e.pictures)), false
	for row, i := range e.pictures {
		l.Names[row], classes[row] = e.index.Name(i), e.index.Class(i)
		known = known || classes[row] != ""
	}
	if known {
		l.Classes = classes
	}
	return l
}
