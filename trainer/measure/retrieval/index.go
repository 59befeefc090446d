package retrieval

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Index is an open index file: a gallery whose nodes stay on disk, where the
// system keeps those at hand that are asked for often. Close it when it is no longer
// used.
type Index struct {
	path      string
	file      *os.File
	shape     shape
	catalogue *Catalogue
	globals   []float32
	sums      []byte
}

// Open opens an index and reads everything but the nodes, which are checked when
// they are asked for.
//
// # Errors
//
// ErrForeign, ErrVersion and ErrDamaged, with the remedy; those of reading. All
// begin with the path.
func Open(path string) (*Index, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: is the path right? `deepemd index` makes one", err)
	}
	if err != nil {
		return nil, err
	}
	x := &Index{path: path, file: file}
	if err := x.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return x, nil
}

func (x *Index) read() error {
	info, err := x.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: name a file that `deepemd index` wrote", ErrForeign)
	}
	begin := make([]byte, preambleSize)
	n, err := x.file.ReadAt(begin, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := parsePreamble(begin[:n]); err != nil {
		return err
	}
	if info.Size() < preambleSize+trailerSize {
		return damaged()
	}
	end := make([]byte, trailerSize)
	if _, err := x.file.ReadAt(end, info.Size()-trailerSize); err != nil {
		return err
	}
	t, err := parseTrailer(end, info.Size())
	if err != nil {
		return err
	}
	x.shape = t.shape
	catalogue, err := x.part(t.shape.catalogue(), t.catalogueSize, t.catalogueSum)
	if err != nil {
		return err
	}
	if x.catalogue, err = parseCatalogue(catalogue, t.shape); err != nil {
		return err
	}
	if x.sums, err = x.part(t.shape.sums(), 4*int64(t.pictures), t.sumsSum); err != nil {
		return err
	}
	globals, err := x.part(t.shape.globals(), 4*int64(t.pictures)*int64(t.channels), t.globalsSum)
	if err != nil {
		return err
	}
	x.globals = floats(globals)
	return nil
}

// part reads a part of the file and checks it.
func (x *Index) part(at, size int64, want uint32) ([]byte, error) {
	raw := make([]byte, size)
	if _, err := x.file.ReadAt(raw, at); err != nil {
		return nil, err
	}
	if sum(raw) != want {
		return nil, damaged()
	}
	return raw, nil
}

// floats decodes float32 values, of which there may be many.
func floats(raw []byte) []float32 {
	values := make([]float32, len(raw)/4)
	const chunk = 1 << 20
	var work errgroup.Group
	for from := 0; from < len(values); from += chunk {
		work.Go(func() error {
			for i := from; i < min(from+chunk, len(values)); i++ {
				values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			}
			return nil
		})
	}
	_ = work.Wait() // which cannot fail
	return values
}

// Catalogue says what the index holds. It must not be modified.
func (x *Index) Catalogue() *Catalogue { return x.catalogue }

// Len implements Gallery.
func (x *Index) Len() int { return x.shape.pictures }

// Globals implements Gallery.
func (x *Index) Globals() ([]float32, int) { return x.globals, x.shape.channels }

// Prepared implements Gallery. It returns an error that wraps ErrDamaged for nodes
// that are not those that were written.
func (x *Index) Prepared(i int, m *match.Matcher, scratch *Scratch) (*match.Prepared, error) {
	set, err := x.Nodes(i, scratch)
	if err != nil {
		return nil, err
	}
	if err := m.Reset(&scratch.prepared, set); err != nil {
		return nil, fmt.Errorf("%s: picture %s: %w", x.path, x.catalogue.Names[i], err)
	}
	return &scratch.prepared, nil
}

// Nodes returns the nodes of picture i, without regions, valid until the next call
// with the same scratch.
func (x *Index) Nodes(i int, scratch *Scratch) (*embed.Set, error) {
	s := x.shape
	if len(scratch.raw) != s.record() || scratch.set.N != s.nodes {
		scratch.raw = make([]byte, s.record())
		scratch.set = embed.Set{N: s.nodes, C: s.channels, Data: make([]float32, s.nodes*s.channels)}
	}
	if _, err := x.file.ReadAt(scratch.raw, preambleSize+int64(i)*int64(s.record())); err != nil {
		return nil, fmt.Errorf("%s: picture %s: %w", x.path, x.catalogue.Names[i], err)
	}
	if sum(scratch.raw) != binary.LittleEndian.Uint32(x.sums[4*i:]) {
		return nil, fmt.Errorf("%s: picture %s: %w", x.path, x.catalogue.Names[i], damaged())
	}
	decodeNodes(scratch.set.Data, scratch.raw)
	return &scratch.set, nil
}

// Close closes the file.
func (x *Index) Close() error { return x.file.Close() }
