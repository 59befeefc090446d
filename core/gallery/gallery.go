// Package gallery retrieves the pictures most similar to a query, as in DeepEMD's retrieval
// experiments. It selects candidates by the cosine of global descriptors, then ranks them by the Earth
// Mover's Distance between their nodes. A global descriptor is the mean of a picture's nodes, or the
// network's summary.
//
// A gallery is stored in memory ([Memory]) or in a single-file index ([Index], written by
// [Writer]). An index stores global descriptors at one byte per channel, and nodes at two bits per
// channel with a codebook. Index reads its data in place, so the file can be memory-mapped or
// fetched. A [Searcher] can answer queries while the index grows.
//
// The package does no file I/O: tools/deepemd/internal/indexfile opens an index by its path.
// trainer/evaluate measures accuracy.
package gallery

import (
	"cmp"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/kernel"
)

// Gallery is a set of pictures to search. Its methods are safe for concurrent use.
type Gallery interface {
	// Len returns the number of pictures, including deleted ones. Pictures are numbered from 0.
	Len() int
	// Channels returns the number of channels of nodes and global descriptors, C.
	Channels() int
	// Summarized reports whether global descriptors are the pictures' summaries.
	Summarized() bool
	// Feature writes the global descriptor of picture i, [C], to dst; see Global.
	Feature(dst []float32, i int)
	// Cosines writes the products of a global descriptor, [C], with all pictures' features to dst,
	// [Len], on at most the given number of threads; −∞ for deleted pictures.
	Cosines(dst, feature []float32, threads int)
	// Prepared returns picture i as m matches it. It is valid until the next call with the same
	// scratch.
	Prepared(i int, m *match.Matcher, scratch *Scratch) (*match.Prepared, error)
}

// Scratch is working memory for the pictures of a gallery. Its zero value is ready to use.
type Scratch struct {
	set      embed.Set
	prepared match.Prepared
}

// Memory is a gallery in memory.
type Memory struct {
	channels   int
	summarized bool
	globals    []float32
	prepared   []*match.Prepared
}

// NewMemory returns a gallery of sets of nodes, for matchers with the weighting of m; nil means the
// default matcher. The sets must not change afterwards.
//
// It returns an error with the number of the picture for sets that cannot be matched, or not with
// each other.
func NewMemory(sets []*embed.Set, m *match.Matcher) (*Memory, error) {
	g := new(Memory)
	m = cmp.Or(m, new(match.Matcher))
	for i, set := range sets {
		prepared, err := m.Prepare(set)
		if err == nil && i == 0 {
			g.channels, g.summarized = set.C, set.Summary != nil
			g.globals = make([]float32, len(sets)*set.C)
		}
		if err == nil && set.C != g.channels {
			err = fmt.Errorf("%d channels, others have %d: %w", set.C, g.channels, match.ErrChannels)
		}
		if err == nil && (set.Summary != nil) != g.summarized {
			err = errSummaries
		}
		if err == nil {
			err = Global(g.globals[i*g.channels:][:g.channels], set)
		}
		if err != nil {
			return nil, fmt.Errorf("gallery: picture %d: %w", i, err)
		}
		g.prepared = append(g.prepared, prepared)
	}
	return g, nil
}

// Len implements Gallery.
func (g *Memory) Len() int { return len(g.prepared) }

// Summarized implements Gallery.
func (g *Memory) Summarized() bool { return g.summarized }

// Channels implements Gallery.
func (g *Memory) Channels() int { return g.channels }

// Feature implements Gallery.
func (g *Memory) Feature(dst []float32, i int) { copy(dst, g.globals[i*g.channels:][:g.channels]) }

// Cosines implements Gallery.
func (g *Memory) Cosines(dst, feature []float32, threads int) {
	inParts(len(dst), threads, func(from, to int) {
		for i := from; i < to; i++ {
			dst[i] = float32(kernel.Dot(feature, g.globals[i*g.channels:][:g.channels]))
		}
	})
}

// Prepared implements Gallery.
func (g *Memory) Prepared(i int, _ *match.Matcher, _ *Scratch) (*match.Prepared, error) {
	return g.prepared[i], nil
}

// Buffer is a Store in memory.
type Buffer struct {
	// Bytes is the content: an index for Open.
	Bytes []byte
}

// WriteAt implements io.WriterAt.
func (b *Buffer) WriteAt(p []byte, at int64) (int, error) {
	if missing := int(at) + len(p) - len(b.Bytes); missing > 0 {
		b.Bytes = append(b.Bytes, make([]byte, missing)...)
	}
	return copy(b.Bytes[at:], p), nil
}

// Sync implements Store.
func (b *Buffer) Sync() error { return nil }

// Truncate implements Store.
func (b *Buffer) Truncate(size int64) error {
	b.Bytes = b.Bytes[:min(int(size), len(b.Bytes))]
	return nil
}
