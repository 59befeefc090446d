package gallery

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/kernel"
)

// learnPictures is the number of pictures that Commit waits for to learn a codebook, and of a block
// that Compact writes.
const learnPictures = 1024

// Store holds an index, such as an *os.File.
type Store interface {
	io.WriterAt
	// Sync makes the written data durable.
	Sync() error
	Truncate(size int64) error
}

// errNothing reports an index without pictures.
var errNothing = errors.New("no pictures to index")

// Writer creates or extends an index. Added pictures take effect at the next Commit: an interrupted
// writer leaves the index as of the previous one. A Writer is not safe for concurrent use.
type Writer struct {
	store   Store
	catalog Catalog
	book    *codebook // nil before it is learned
	begin   preamble
	deleted map[int]bool
	waiting []entry
	names   map[string]bool
}

// entry is a picture added since the last Commit.
type entry struct {
	name, class string
	digest      Digest
	whole       []byte     // the global descriptor as bytes
	scale       float32    // of whole
	set         *embed.Set // before there is a codebook
	record      []byte
}

// Create begins an index on an empty store. It makes the pictures of an index in the store unreadable:
// Extend adds to one. The writer fills in the catalog's numbers of nodes
// and channels.
func Create(store Store, catalog Catalog) (*Writer, error) {
	w := &Writer{store: store, catalog: catalog, deleted: map[int]bool{}, names: map[string]bool{}}
	return w, w.publish(preamble{end: headSize})
}

// Extend continues the index x, which was opened from the store. It uses catalog if the index has
// no picture yet.
func Extend(store Store, x *Index, catalog Catalog) *Writer {
	w := &Writer{store: store, begin: x.begin, book: x.book, catalog: catalog, deleted: maps.Clone(x.deleted), names: make(map[string]bool, x.Len())}
	if x.catalog != nil {
		w.catalog = *x.catalog
	}
	for i := range x.Len() {
		if !x.deleted[i] {
			w.names[x.Name(i)] = true
		}
	}
	return w
}

// Has reports whether there is a picture with that name, committed or not.
func (w *Writer) Has(name string) bool { return w.names[name] }

// Len returns the number of pictures, committed or not.
func (w *Writer) Len() int { return w.begin.pictures - len(w.deleted) + len(w.waiting) }

// Committed returns the number of committed pictures, including deleted ones.
func (w *Writer) Committed() int { return w.begin.pictures }

// Digest is the SHA-256 of the file of a picture.
type Digest = [32]byte

// Add adds a picture without a file; see [Writer.AddFile].
func (w *Writer) Add(name, class string, set *embed.Set) error {
	return w.AddFile(name, class, Digest{}, set)
}

// AddFile adds the picture of a file with its class, which may be "". The digest shows later whether
// the file has changed.
//
// It returns an error for an existing name, for a set that is flat or cannot be matched, and for a
// set that differs from the first in its numbers of nodes or channels or in having a summary.
func (w *Writer) AddFile(name, class string, digest Digest, set *embed.Set) error {
	if err := set.Check(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	n := &w.catalog.Network
	if w.book == nil && len(w.waiting) == 0 {
		if set.N > maxNodes || set.C > maxChannels {
			return fmt.Errorf("%s: an embedding of %d×%d: an index holds up to %d nodes of %d channels", name, set.N, set.C, maxNodes, maxChannels)
		}
		n.Nodes, n.Channels, w.catalog.Summarized = set.N, set.C, set.Summary != nil
	}
	switch {
	case w.names[name]:
		return fmt.Errorf("%s: the index already has a picture of this name: give another one", name)
	case set.N != n.Nodes || set.C != n.Channels:
		return fmt.Errorf("%s: an embedding of %d×%d, the others have %d×%d: an index holds pictures of one network and embedder",
			name, set.N, set.C, n.Nodes, n.Channels)
	case (set.Summary != nil) != w.catalog.Summarized:
		return fmt.Errorf("%s: %w", name, errSummaries)
	case w.begin.pictures+len(w.waiting) == maxPictures:
		return fmt.Errorf("%s: more than %d pictures: make several indexes", name, maxPictures)
	}
	feature := make([]float32, set.C)
	if err := Global(feature, set); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	e := entry{name: name, class: class, digest: digest, whole: make([]byte, kernel.Pad(set.C))}
	e.scale = toBytes(e.whole, feature)
	if set.Flat() {
		return fmt.Errorf("%s: %w", name, embed.ErrFlat)
	}
	if w.book == nil {
		e.set = set
	} else {
		e.encode(w.book, set)
	}
	w.waiting = append(w.waiting, e)
	w.names[name] = true
	return nil
}

func (e *entry) encode(book *codebook, set *embed.Set) {
	e.record, e.set = make([]byte, book.record(set.N)), nil
	book.encode(e.record, set)
}

// Commit adds the waiting pictures to the index. The first pictures wait until there are enough to
// learn a codebook.
//
// If writing fails, the index is unchanged and Commit can be called again.
func (w *Writer) Commit() error {
	if w.book == nil && len(w.waiting) < learnPictures {
		return nil
	}
	return w.CommitAll()
}

// Close commits the waiting pictures and marks the index as complete. The store stays open.
//
// It returns an error for an index without pictures, and errors of writing.
func (w *Writer) Close() error {
	if w.begin.pictures+len(w.waiting) == 0 {
		return errNothing
	}
	if err := w.CommitAll(); err != nil {
		return err
	}
	if w.begin.complete {
		return nil
	}
	return w.mark(true)
}

// Reopen marks the index as incomplete, to add more pictures.
func (w *Writer) Reopen() error { return w.mark(false) }

// mark marks the index as complete or incomplete.
func (w *Writer) mark(complete bool) error {
	next := w.begin
	next.complete = complete
	return w.publish(next)
}

// CommitAll is Commit, but learns a codebook from any number of pictures.
func (w *Writer) CommitAll() error {
	if len(w.waiting) == 0 {
		return nil
	}
	next := w.begin
	if w.book == nil {
		sets := make([]*embed.Set, len(w.waiting))
		for i, e := range w.waiting {
			sets[i] = e.set
		}
		w.book = learnCodebook(sets)
		for i := range w.waiting {
			w.waiting[i].encode(w.book, sets[i])
		}
	}
	if next.end == headSize { // no block yet, perhaps after a failed write
		head, err := encodeHead(w.catalog, w.book)
		if err == nil {
			err = w.append(&next, kindHead, len(w.book.centroids)/w.book.channels, head, nil)
		}
		if err != nil {
			return err
		}
	}
	light, records := w.encodePictures()
	if err := w.append(&next, kindPictures, len(w.waiting), light, records); err != nil {
		return err
	}
	if digests := w.digests(); digests != nil {
		if err := w.append(&next, kindDigests, len(w.waiting), digests, nil); err != nil {
			return err
		}
	}
	next.pictures += len(w.waiting)
	if err := w.publish(next); err != nil {
		return err
	}
	w.waiting = w.waiting[:0]
	return nil
}

// encodePictures returns the data of a block of the waiting pictures.
func (w *Writer) encodePictures() (light, records []byte) {
	n := len(w.waiting)
	row := kernel.Pad(w.catalog.Network.Channels)
	light = make([]byte, 0, n*(row+64))
	var numbers [4][]byte // scales, sums, ends of names and of classes
	var texts [2][]byte
	for _, e := range w.waiting {
		light = append(light, e.whole...)
		texts[0], texts[1] = append(texts[0], e.name...), append(texts[1], e.class...)
		for k, v := range []uint32{math.Float32bits(e.scale), checksum(e.record), uint32(len(texts[0])), uint32(len(texts[1]))} {
			numbers[k] = binary.LittleEndian.AppendUint32(numbers[k], v)
		}
		records = append(records, e.record...)
	}
	return slices.Concat(light, numbers[0], numbers[1], numbers[2], numbers[3], texts[0], texts[1]), records
}

// digests returns the digests of the waiting pictures, or nil if all are zero.
func (w *Writer) digests() (digests []byte) {
	for _, e := range w.waiting {
		digests = append(digests, e.digest[:]...)
	}
	if bytes.Count(digests, []byte{0}) == len(digests) {
		return nil
	}
	return digests
}

// Delete deletes pictures by their numbers in x, the index that the writer extends. Their bytes
// stay in the file. It ignores deleted pictures.
//
// It returns ErrAbsent for a number without a picture, and errors of writing; then the index is
// unchanged.
func (w *Writer) Delete(x *Index, pictures ...int) error {
	var light []byte
	gone := map[int]bool{}
	for _, i := range pictures {
		switch {
		case i < 0 || i >= x.Len():
			return fmt.Errorf("gallery: picture %d of %d: %w", i, x.Len(), ErrAbsent)
		case !w.deleted[i] && !gone[i]:
			gone[i] = true
			light = binary.LittleEndian.AppendUint32(light, uint32(i))
		}
	}
	if len(gone) == 0 {
		return nil
	}
	next := w.begin
	if err := w.append(&next, kindDeletions, len(gone), light, nil); err != nil {
		return err
	}
	if err := w.publish(next); err != nil {
		return err
	}
	for i := range gone {
		w.deleted[i] = true
		delete(w.names, x.Name(i))
	}
	return nil
}

// Move changes the source in the catalog, after the pictures have moved there. It returns errors of writing; then
// the index is unchanged.
func (w *Writer) Move(source string) error {
	if next := w.begin; next.end > headSize { // the catalog is written
		if err := w.append(&next, kindSource, 1, []byte(source), nil); err != nil {
			return err
		}
		if err := w.publish(next); err != nil {
			return err
		}
	}
	w.catalog.Source = source
	return nil
}

// append writes a block at the end of next and advances the end.
func (w *Writer) append(next *preamble, kind uint32, count int, light, heavy []byte) error {
	h := header{kind: kind, count: count, light: int64(len(light)), size: int64(len(light) + len(heavy)), sum: checksum(light)}
	begin, end := next.end, aligned(next.end+headSize+h.size)
	all := slices.Concat(h.encode(), light, heavy, make([]byte, end-begin-headSize-h.size))
	if _, err := w.store.WriteAt(all, begin); err != nil {
		// Release the space of a partial write on a full disk.
		return errors.Join(err, w.store.Truncate(w.begin.end))
	}
	next.end = end
	return nil
}

// publish makes next the preamble of the index, which adds the blocks up to its end.
func (w *Writer) publish(next preamble) error {
	if err := w.store.Sync(); err != nil { // the blocks
		return err
	}
	if _, err := w.store.WriteAt(next.encode(), 0); err != nil {
		return err
	}
	if err := w.store.Sync(); err != nil {
		return err
	}
	w.begin = next
	return nil
}

// Compact writes the pictures of x that are not deleted to an empty store, in the same order and
// with the same codes.
//
// It returns an error for an index without pictures, one that wraps ErrDamaged for a damaged
// picture, and errors of writing.
func Compact(store Store, x *Index) error {
	w := &Writer{store: store, book: x.book, names: map[string]bool{}}
	w.begin.end = headSize
	if x.catalog == nil || x.Size() == 0 {
		return errNothing
	}
	w.catalog = *x.catalog
	for i := range x.Len() {
		if x.deleted[i] {
			continue
		}
		e, err := x.entry(i)
		if err != nil {
			return err
		}
		w.waiting = append(w.waiting, e)
		if len(w.waiting) == learnPictures {
			if err := w.CommitAll(); err != nil {
				return err
			}
		}
	}
	if err := w.CommitAll(); err != nil {
		return err
	}
	return w.mark(x.begin.complete)
}

// entry returns picture i as stored in the index.
func (x *Index) entry(i int) (entry, error) {
	b, k := x.at(i)
	row := kernel.Pad(x.Channels())
	record, err := x.record(i)
	return entry{name: x.Name(i), class: x.Class(i), whole: b.features[k*row:][:row], scale: b.scale(k), digest: x.Digest(i), record: record}, err
}
