package decoded

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/trainer/format/artifact"
)

// Builder writes files of decoded pictures.
type Builder struct {
	// Expected is about how many bytes the pixels will take: a disk with less room
	// is refused before anything is written. 0 for unknown.
	Expected int64
	// Threads is how many goroutines decode; 0 for all cores.
	Threads int
	// Progress is told how many pictures are written; nil for nobody.
	Progress func(done, total int)

	create func(path string) (sink, error) // nil for a file on disk
}

// sink is a file that is written.
type sink interface {
	io.Writer
	io.WriterAt
	Sync() error
	Close() error
}

// FullError says that a disk is full.
type FullError struct {
	Path string
	Need int64 // bytes of the whole file, about
	Free int64 // bytes; −1 where the system does not say
	Err  error // of the system; nil where it was not tried
}

// Error says how much room is needed, how much there is, and what to do instead.
func (e *FullError) Error() string {
	room := "the disk is full"
	if e.Free >= 0 {
		room = fmt.Sprintf("%s are free", artifact.Bytes(e.Free))
	}
	return fmt.Sprintf("%s: the decoded pictures need about %s, %s: make room, or name another place", e.Path, artifact.Bytes(e.Need), room)
}

// Unwrap returns what writing gave.
func (e *FullError) Unwrap() error { return e.Err }

const (
	chunk = 64 // pictures that are decoded at a time, at most
	// chunkBytes is what their pixels may take, by the largest so far.
	chunkBytes = 512 << 20
	// abandoned is how long a file that is being written lies untouched when its
	// writer must have ended: writers write every few seconds.
	abandoned = 2 * time.Minute
	// partial ends the names of files that are being written.
	partial = ".partial"
)

// Build writes count pictures to a new file at path, whole or not at all, and makes
// the folders above it. picture is called from several goroutines; a picture that it
// cannot give is left out, and its number of those is returned. Half-written files
// that lie at path from writers that ended are removed.
//
// # Errors
//
// *FullError; those of the disk; the context's.
func (b Builder) Build(ctx context.Context, path string, of Fingerprint, count int, picture func(i int) (*imaging.Image, error)) (absent int, err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, err
	}
	removeAbandoned(path)
	if room, known := free(folder); known && b.Expected > room {
		return 0, &FullError{Path: path, Need: b.Expected, Free: room}
	}
	temporary := fmt.Sprintf("%s.%08x%s", path, rand.Uint32(), partial)
	out, err := b.open(temporary)
	if err != nil {
		return 0, err
	}
	w := writer{builder: b, out: out, entries: make([]entry, 0, count), count: count}
	err = w.write(ctx, of, picture)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err == nil {
		return w.absent, nil
	}
	if artifact.IsFull(err) {
		err = &FullError{Path: path, Need: w.need(), Free: -1, Err: err}
	}
	if removed := os.Remove(temporary); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return 0, err
}

func (b Builder) open(path string) (sink, error) {
	if b.create != nil {
		return b.create(path)
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// removeAbandoned removes what writers that were killed have left.
func removeAbandoned(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(path)+".") || !strings.HasSuffix(e.Name(), partial) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name())) // another time, then
		}
	}
}

// writer writes one file.
type writer struct {
	builder Builder
	out     sink
	entries []entry
	count   int
	offset  uint64
	absent  int
	largest int // bytes of a picture so far
}

func (w *writer) write(ctx context.Context, of Fingerprint, picture func(i int) (*imaging.Image, error)) error {
	buffered := bufio.NewWriterSize(w.out, 1<<20)
	if _, err := buffered.Write(make([]byte, headerSize)); err != nil { // filled in at the end
		return err
	}
	w.offset = headerSize
	for len(w.entries) < w.count {
		pictures, err := w.decode(ctx, picture)
		if err != nil {
			return err
		}
		for _, img := range pictures {
			if err := w.add(buffered, img); err != nil {
				return err
			}
		}
		if w.builder.Progress != nil {
			w.builder.Progress(len(w.entries), w.count)
		}
	}
	index := encodeIndex(w.entries)
	if _, err := buffered.Write(index); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	h := header{pictures: uint32(w.count), fingerprint: of, index: w.offset, indexSum: sum(index)}
	if _, err := w.out.WriteAt(h.encode(), 0); err != nil {
		return err
	}
	return w.out.Sync()
}

// decode gives the next pictures, nil for one that cannot be decoded.
func (w *writer) decode(ctx context.Context, picture func(i int) (*imaging.Image, error)) ([]*imaging.Image, error) {
	first := len(w.entries)
	threads := w.builder.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	pictures := make([]*imaging.Image, w.ahead(threads))
	var work errgroup.Group
	work.SetLimit(threads)
	for i := range pictures {
		work.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if img, err := picture(first + i); err == nil {
				pictures[i] = img
			}
			return nil
		})
	}
	return pictures, work.Wait()
}

// ahead is how many pictures are decoded next: few until it is known how large they are.
func (w *writer) ahead(threads int) int {
	n := threads
	if w.largest > 0 {
		n = max(1, chunkBytes/w.largest)
	}
	return min(n, chunk, w.count-len(w.entries))
}

// add writes the pixels of a picture.
func (w *writer) add(out io.Writer, img *imaging.Image) error {
	e := entry{offset: w.offset}
	if img == nil {
		w.absent++
		w.entries = append(w.entries, e)
		return nil
	}
	if _, err := out.Write(img.Pix); err != nil {
		return err
	}
	w.largest = max(w.largest, len(img.Pix))
	e.width, e.height, e.sum = uint32(img.Width), uint32(img.Height), sum(img.Pix)
	w.offset += uint64(len(img.Pix))
	w.entries = append(w.entries, e)
	return nil
}

// need is about how many bytes the whole file takes.
func (w *writer) need() int64 {
	if len(w.entries) == 0 {
		return w.builder.Expected
	}
	return int64(float64(w.offset) / float64(len(w.entries)) * float64(w.count))
}
