package gallery

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Index is a gallery whose nodes stay in a file until a search needs them.
type Index struct {
	file      io.ReaderAt
	shape     shape
	catalogue *Catalogue
	globals   []float32
	sums      []byte
}

// Open opens the index in a file of so many bytes. It reads everything but the
// nodes, which it checks when a search needs them. The file must stay open while
// the index is used.
//
// # Errors
//
// ErrForeign, ErrVersion and ErrDamaged, with the remedy; those of reading.
func Open(file io.ReaderAt, size int64) (*Index, error) {
	x := &Index{file: file}
	if err := x.read(size); err != nil {
		return nil, err
	}
	return x, nil
}

func (x *Index) read(size int64) error {
	begin := make([]byte, min(preambleSize, size))
	if err := x.readAt(begin, 0); err != nil {
		return err
	}
	if err := parsePreamble(begin); err != nil {
		return err
	}
	if size < preambleSize+trailerSize {
		return damaged()
	}
	end := make([]byte, trailerSize)
	if err := x.readAt(end, size-trailerSize); err != nil {
		return err
	}
	t, err := parseTrailer(end, size)
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
	var finite bool
	if x.globals, finite = floats(globals); !finite {
		return damaged()
	}
	return nil
}

// part reads a part of the file and checks it.
func (x *Index) part(at, size int64, want uint32) ([]byte, error) {
	raw := make([]byte, size)
	if err := x.readAt(raw, at); err != nil {
		return nil, err
	}
	if checksum(raw) != want {
		return nil, damaged()
	}
	return raw, nil
}

// readAt fills dst. A file that ends before dst is full is damaged.
func (x *Index) readAt(dst []byte, at int64) error {
	n, err := x.file.ReadAt(dst, at)
	switch {
	case n == len(dst):
		return nil
	case errors.Is(err, io.EOF):
		return damaged()
	}
	return err
}

// floats decodes float32 values, of which there may be many, and reports whether all
// are finite.
func floats(raw []byte) (values []float32, finite bool) {
	values = make([]float32, len(raw)/4)
	var odd atomic.Bool
	inParts(len(values), runtime.GOMAXPROCS(0), func(from, to int) {
		var sum float32 // of differences that are 0, or NaN
		for i := from; i < to; i++ {
			v := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			values[i] = v
			sum += v - v
		}
		if sum != 0 {
			odd.Store(true)
		}
	})
	return values, !odd.Load()
}

// Catalogue says what the index holds. It must not be modified.
func (x *Index) Catalogue() *Catalogue { return x.catalogue }

// Len implements Gallery.
func (x *Index) Len() int { return x.shape.pictures }

// Summarized implements Gallery.
func (x *Index) Summarized() bool { return x.catalogue.Summarized }

// Globals implements Gallery.
func (x *Index) Globals() ([]float32, int) { return x.globals, x.shape.channels }

// Prepared implements Gallery. It returns an error that wraps ErrDamaged for nodes
// with a wrong checksum.
func (x *Index) Prepared(i int, m *match.Matcher, scratch *Scratch) (*match.Prepared, error) {
	set, err := x.Nodes(i, scratch)
	if err != nil {
		return nil, err
	}
	if err := m.Reset(&scratch.prepared, set); err != nil {
		return nil, fmt.Errorf("picture %s: %w", x.catalogue.Names[i], err)
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
	if err := x.readAt(scratch.raw, preambleSize+int64(i)*int64(s.record())); err != nil {
		return nil, fmt.Errorf("picture %s: %w", x.catalogue.Names[i], err)
	}
	if checksum(scratch.raw) != binary.LittleEndian.Uint32(x.sums[4*i:]) {
		return nil, fmt.Errorf("picture %s: %w", x.catalogue.Names[i], damaged())
	}
	decodeNodes(scratch.set.Data, scratch.raw)
	return &scratch.set, nil
}
