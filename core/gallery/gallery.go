// Package gallery finds the pictures of a gallery that resemble a query: image
// retrieval by optimal matching, as in DeepEMD's experiments. A global feature, the
// mean of a picture's nodes or the network's summary of it, chooses candidates by cosine;
// the Earth Mover's Distance between the sets of nodes ranks them.
//
// A gallery lies in memory ([Memory]), or in an index ([Index], written by [Writer]): the
// bytes of one file, which grows. Global features take a byte a channel there, nodes two
// bits a channel beside a codebook; they are read where they lie, so a file may be mapped
// or fetched. [Searcher] answers queries, also while the file grows.
//
// Files are the callers' (tools/deepemd/internal/indexfile opens an index by its path).
// How well pictures are found is measured in trainer/evaluate.
package gallery

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Gallery is a set of pictures to search. Several goroutines may call its methods
// at a time.
type Gallery interface {
	// Len is the number of pictures, those that were deleted included: pictures have the
	// numbers below it.
	Len() int
	// Channels is the number of channels of nodes and global features, C.
	Channels() int
	// Summarized reports whether global features are made of the pictures' summaries.
	Summarized() bool
	// Feature writes the global feature of picture i, [C], into dst; see Global.
	Feature(dst []float32, i int)
	// Cosines writes the products of a global feature, [C], with those of all pictures
	// into dst, [Len], on so many threads; −∞ for pictures that were deleted.
	Cosines(dst, feature []float32, threads int)
	// Prepared returns picture i as m matches it, valid until the next call with
	// the same scratch.
	Prepared(i int, m *match.Matcher, scratch *Scratch) (*match.Prepared, error)
}

// Scratch is working memory for the pictures of a gallery. Its zero value is ready.
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

// NewMemory returns a gallery of sets of nodes, to be matched by matchers of the
// weighting of m; nil stands for the default matcher. The sets must not change afterwards.
//
// It returns an error, with the number of the picture, for sets that cannot be
// matched, or not with each other.
func NewMemory(sets []*embed.Set, m *match.Matcher) (*Memory, error) {
	g := new(Memory)
	if m == nil {
		m = new(match.Matcher)
	}
	for i, set := range sets {
		if i == 0 && set.Check() == nil {
			g.channels, g.summarized = set.C, set.Summary != nil
			g.globals = make([]float32, len(sets)*set.C)
		}
		prepared, err := m.Prepare(set)
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
			dst[i] = dot(feature, g.globals[i*g.channels:][:g.channels])
		}
	})
}

// Prepared implements Gallery.
func (g *Memory) Prepared(i int, _ *match.Matcher, _ *Scratch) (*match.Prepared, error) {
	return g.prepared[i], nil
}

// Buffer is a Store in memory.
type Buffer struct {
	// Bytes are what was written: an index for Open.
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
