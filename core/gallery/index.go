package gallery

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/kernel"
)

// Index is a gallery in the bytes of a file, which may be memory-mapped: a search reads the global
// features, and the nodes of its candidates only.
type Index struct {
	begin   preamble
	catalog *Catalog
	book    *codebook
	blocks  []block
	deleted map[int]bool
}

// block holds the data of a block of pictures.
type block struct {
	first, count           int
	features, scales, sums []byte
	nameEnds, classEnds    []byte
	names, classes         []byte
	digests                []byte // empty if absent
	records                []byte
}

// Open opens an index from the bytes of its file. It checks everything except the nodes, which it
// checks at use. The bytes up to the index's end must not change while the index is used. Later
// bytes may change, because another process may add pictures.
//
// # Errors
//
// ErrForeign, ErrVersion and ErrDamaged, with the remedy.
func Open(file []byte) (*Index, error) {
	begin, err := parsePreamble(file)
	if err != nil {
		return nil, err
	}
	x := &Index{begin: begin, deleted: map[int]bool{}}
	pictures := 0
	for rest := file[headSize:begin.end]; len(rest) > 0; {
		var h header
		var light, heavy []byte
		if h, light, heavy, rest, err = parseBlock(rest); err != nil {
			return nil, err
		}
		if (h.kind == kindHead) != (x.catalog == nil) {
			return nil, damaged()
		}
		switch h.kind {
		case kindHead:
			x.catalog, x.book, err = parseHead(light, h.count)
		case kindPictures:
			var b block
			b, err = x.parsePictures(h.count, light, heavy)
			b.first = pictures
			pictures += h.count
			x.blocks = append(x.blocks, b)
		case kindDeletions:
			err = x.delete(h.count, light, pictures)
		case kindDigests:
			err = x.addDigests(h.count, light)
		case kindSource:
			x.catalog.Source = string(light)
		default:
			err = damaged()
		}
		if err != nil {
			return nil, err
		}
	}
	if pictures != begin.pictures || x.catalog == nil && pictures > 0 {
		return nil, damaged()
	}
	return x, nil
}

// parsePictures parses the data of a block with count pictures.
func (x *Index) parsePictures(count int, light, heavy []byte) (b block, err error) {
	c := &x.catalog.Network
	row := kernel.Pad(c.Channels)
	const numbers = 4 * 4 // scale, CRC, ends of name and class
	if n := int64(count); n < 1 || n > maxPictures || n*int64(row+numbers) > int64(len(light)) || n*int64(x.book.record(c.Nodes)) != int64(len(heavy)) {
		return b, damaged()
	}
	take := func(n int) (part []byte) {
		part, light = light[:n:n], light[n:]
		return part
	}
	b = block{count: count, features: take(count * row), scales: take(4 * count), sums: take(4 * count), nameEnds: take(4 * count), classEnds: take(4 * count), records: heavy}
	names, ok := ascending(b.nameEnds)
	classes, also := ascending(b.classEnds)
	if !ok || !also || names+classes != len(light) {
		return b, damaged()
	}
	b.names, b.classes = take(names), take(classes)
	for i := range count {
		if scale := float64(b.scale(i)); math.IsNaN(scale) || math.IsInf(scale, 0) {
			return b, damaged()
		}
	}
	return b, nil
}

// ascending reports whether ends never decrease, and returns the last.
func ascending(ends []byte) (last int, ok bool) {
	for ; len(ends) > 0; ends = ends[4:] {
		end := int(binary.LittleEndian.Uint32(ends))
		if end < last {
			return 0, false
		}
		last = end
	}
	return last, true
}

// addDigests adds the digests of the files to the last block of pictures.
func (x *Index) addDigests(count int, light []byte) error {
	if len(x.blocks) == 0 || x.blocks[len(x.blocks)-1].count != count || len(light) != count*len(Digest{}) {
		return damaged()
	}
	x.blocks[len(x.blocks)-1].digests = light
	return nil
}

func (x *Index) delete(count int, light []byte, pictures int) error {
	if count*4 != len(light) {
		return damaged()
	}
	for ; len(light) > 0; light = light[4:] {
		i := int(binary.LittleEndian.Uint32(light))
		if i >= pictures {
			return damaged()
		}
		x.deleted[i] = true
	}
	return nil
}

func (b *block) scale(i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b.scales[4*i:]))
}

// text returns the i-th of concatenated texts.
func text(texts, ends []byte, i int) string {
	from := uint32(0)
	if i > 0 {
		from = binary.LittleEndian.Uint32(ends[4*(i-1):])
	}
	return string(texts[from:binary.LittleEndian.Uint32(ends[4*i:])])
}

// at returns the block of picture i, and its index in the block.
func (x *Index) at(i int) (*block, int) {
	k := sort.Search(len(x.blocks), func(k int) bool { return x.blocks[k].first > i }) - 1
	return &x.blocks[k], i - x.blocks[k].first
}

// Catalog returns the description of the index, or nil before the first picture. It must not be
// modified.
func (x *Index) Catalog() *Catalog { return x.catalog }

// Len implements Gallery.
func (x *Index) Len() int { return x.begin.pictures }

// Size returns the number of pictures that are not deleted.
func (x *Index) Size() int { return x.begin.pictures - len(x.deleted) }

// Complete reports whether the index has all pictures of its source: false while it is being made
// and after an interruption.
func (x *Index) Complete() bool { return x.begin.complete }

// Deleted reports whether picture i was deleted.
func (x *Index) Deleted(i int) bool { return x.deleted[i] }

// Name returns the path of picture i in its source.
func (x *Index) Name(i int) string {
	b, i := x.at(i)
	return text(b.names, b.nameEnds, i)
}

// Class returns the class of picture i, or "".
func (x *Index) Class(i int) string {
	b, i := x.at(i)
	return text(b.classes, b.classEnds, i)
}

// Digest returns the SHA-256 of the file of picture i; all zeros if the index does not have it.
func (x *Index) Digest(i int) (d Digest) {
	b, i := x.at(i)
	if len(b.digests) > 0 {
		copy(d[:], b.digests[i*len(d):])
	}
	return d
}

// Summarized implements Gallery. It is false for an index without pictures.
func (x *Index) Summarized() bool { return x.catalog != nil && x.catalog.Summarized }

// Channels implements Gallery. It is 0 for an index without pictures.
func (x *Index) Channels() int {
	if x.catalog == nil {
		return 0
	}
	return x.catalog.Network.Channels
}

// Feature implements Gallery.
func (x *Index) Feature(dst []float32, i int) {
	b, i := x.at(i)
	row := kernel.Pad(x.Channels())
	fromBytes(dst, b.features[i*row:][:row], b.scale(i))
}

// Cosines implements Gallery. It uses the features' stored bytes.
func (x *Index) Cosines(dst, feature []float32, threads int) {
	row := kernel.Pad(x.Channels())
	query, scale := wholeQuery(feature, row)
	inParts(len(dst), threads, func(from, to int) {
		var sums []int32
		for from < to {
			b, i := x.at(from)
			n := min(b.count-i, to-from)
			sums = append(sums[:0], make([]int32, n)...)
			kernel.Best().Scan(sums, b.features[i*row:(i+n)*row], query)
			for k, sum := range sums {
				dst[from+k] = float32(float64(sum) * scale * float64(b.scale(i+k)))
			}
			from += n
		}
	})
	for i := range x.deleted {
		dst[i] = float32(math.Inf(-1))
	}
}

// Prepared implements Gallery. It returns an error that wraps ErrDamaged for nodes with a wrong
// checksum.
func (x *Index) Prepared(i int, m *match.Matcher, scratch *Scratch) (*match.Prepared, error) {
	set, err := x.Nodes(i, scratch)
	if err != nil {
		return nil, err
	}
	if err := m.Reset(&scratch.prepared, set); err != nil {
		return nil, fmt.Errorf("picture %s: %w", x.Name(i), err)
	}
	return &scratch.prepared, nil
}

// Nodes returns the decoded nodes of picture i, without regions. They are valid until the next call
// with the same scratch.
func (x *Index) Nodes(i int, scratch *Scratch) (*embed.Set, error) {
	n := &x.catalog.Network
	if scratch.set.N != n.Nodes || scratch.set.C != n.Channels {
		scratch.set = embed.Set{N: n.Nodes, C: n.Channels, Data: make([]float32, n.Nodes*n.Channels)}
	}
	record, err := x.record(i)
	if err != nil {
		return nil, err
	}
	x.book.decode(scratch.set.Data, record)
	return &scratch.set, nil
}

// record returns the record of picture i, see codebook, and checks its CRC.
func (x *Index) record(i int) ([]byte, error) {
	b, k := x.at(i)
	size := x.book.record(x.catalog.Network.Nodes)
	record := b.records[k*size:][:size]
	if checksum(record) != binary.LittleEndian.Uint32(b.sums[4*k:]) {
		return nil, fmt.Errorf("picture %s: %w", x.Name(i), damaged())
	}
	return record, nil
}
