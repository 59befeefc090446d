package gallery

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/require"
)

// TestAddAndDelete checks that an index can be extended and reduced in place.
func TestAddAndDelete(t *testing.T) {
	_, sets := readGolden(t)
	var s storage
	filled(t, &s, true, 24)
	before := len(s.Bytes)
	x := opened(t, s.Bytes)
	w := Extend(&s, x, about())
	if !w.Has("3.png") || w.Has("24.png") || w.Len() != 24 {
		t.Errorf("the writer knows of %d pictures", w.Len())
	}
	require.NoError(t, w.Delete(x, 3, 7))
	require.NoError(t, w.Add("7.png", "again", sets[7]))
	if err := w.Add("8.png", "again", sets[8]); err == nil || !strings.Contains(err.Error(), "8.png: the index already has a picture of this name: give another one") {
		t.Errorf("a second picture of a name: %v", err)
	}
	if err := w.Close(); err != nil || w.Len() != 23 {
		t.Fatalf("%d pictures, %v", w.Len(), err)
	}
	if grown := len(s.Bytes) - before; grown > 1000 {
		t.Errorf("two deletions and a picture take %d bytes", grown)
	}
	x = opened(t, s.Bytes)
	if x.Len() != 25 || x.Size() != 23 || !x.Deleted(3) || x.Deleted(24) || x.Name(24) != "7.png" || x.Class(24) != "again" {
		t.Errorf("%d of %d pictures, the last %s of %s", x.Size(), x.Len(), x.Name(24), x.Class(24))
	}
	for _, candidates := range []int{0, 10, All} {
		search := Searcher{Gallery: x, Matcher: newMatcher, Candidates: candidates}
		hits, _, err := search.Search(sets[7], 25)
		require.NoError(t, err)
		if hits[0].Picture != 24 || candidates != 10 && len(hits) != 23 || slices.ContainsFunc(hits, func(h Hit) bool { return h.Picture == 3 || h.Picture == 7 }) {
			t.Errorf("%d candidates: found %v", candidates, hits)
		}
	}
	w = Extend(&s, x, about())
	if w.Has("3.png") || !w.Has("7.png") {
		t.Error("deleted names are known, or others are not")
	}
	if err := w.Reopen(); err != nil || opened(t, s.Bytes).Complete() {
		t.Errorf("the index is complete, error %v", err)
	}
}

// TestKilled interrupts writing at every point. The index must equal some commit, and resuming must
// give the complete index.
func TestKilled(t *testing.T) {
	_, sets := readGolden(t)
	var whole storage
	filled(t, &whole, true, 5)
	for _, half := range []bool{false, true} {
		for fails := 2; fails <= whole.writes; fails++ {
			s := storage{fails: fails, half: half}
			w, err := Create(&s, about())
			require.NoError(t, err)
			committed := 0
			for i, set := range sets {
				require.NoError(t, w.Add(fmt.Sprintf("%d.png", i), "", set))
				if (i+1)%5 == 0 && w.CommitAll() != nil {
					break
				}
				if (i+1)%5 == 0 {
					committed = i + 1
				}
			}
			x, err := Open(s.Bytes)
			if err != nil {
				if half && errors.Is(err, ErrDamaged) && bytes.Count(s.Bytes[:headSize], []byte{0}) < headSize {
					continue // a preamble of which half was written: a disk does not do that to 64 bytes
				}
				t.Fatalf("write %d fails, half %t: %v", fails, half, err)
			}
			if x.Len() < committed || x.Complete() {
				t.Errorf("write %d fails: %d pictures of %d committed, complete: %t", fails, x.Len(), committed, x.Complete())
			}
			s.fails = 0
			w = Extend(&s, x, about())
			for i, set := range sets {
				if name := fmt.Sprintf("%d.png", i); !w.Has(name) {
					require.NoError(t, w.Add(name, "", set))
				}
			}
			require.NoError(t, w.Close())
			if x = opened(t, s.Bytes); x.Size() != len(sets) || !x.Complete() || x.Name(11) != "11.png" {
				t.Errorf("write %d fails: %d pictures in the end", fails, x.Size())
			}
		}
	}
}

func TestWriterErrors(t *testing.T) {
	_, sets := readGolden(t)
	var s storage
	w := require.Value(Create(&s, about()))(t)
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "no pictures") {
		t.Errorf("an empty index: error %v", err)
	}
	for size, want := range map[[2]int]string{
		{maxNodes + 1, 2}: "an index holds up to 4096 nodes of 16384 channels", {1, maxChannels + 1}: "an index holds up to 4096 nodes of 16384 channels",
		{maxNodes, 2}: embed.ErrFlat.Error(), {1, maxChannels}: embed.ErrFlat.Error(),
	} {
		set := &embed.Set{N: size[0], C: size[1], Data: make([]float32, size[0]*size[1])}
		if err := w.Add("a.png", "", set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d nodes of %d channels: error %v, want %q", size[0], size[1], err, want)
		}
	}
	require.NoError(t, w.Add("a.png", "", sets[0]))
	for want, set := range map[string]*embed.Set{
		"b.png: an embedding of 1×8, the others have 6×8": {N: 1, C: 8, Data: make([]float32, 8)},
		"b.png: an embedding of 6×3, the others have 6×8": {N: 6, C: 3, Data: make([]float32, 18)},
		"b.png: embed: not a set":                         {},
		"b.png: features are not finite":                  {N: 6, C: 8, Data: append(make([]float32, 47), float32(math.NaN()))},
	} {
		if err := w.Add("b.png", "", set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	if w.Len() != 1 || w.Has("b.png") {
		t.Errorf("%d pictures after one was added and others refused", w.Len())
	}
	if err := w.Commit(); err != nil || w.Committed() != 0 {
		t.Errorf("a codebook was learned from one picture: %v", err)
	}
	if _, err := Create(&storage{fails: 1}, about()); !errors.Is(err, errBroken) {
		t.Errorf("a full disk: error %v", err)
	}
	// Pictures that did not fit wait, and their disk space is released.
	s.fails, s.half = s.writes+1, true
	size := len(s.Bytes)
	if err := w.CommitAll(); err == nil || len(s.Bytes) != size {
		t.Errorf("a disk that fills: %d bytes of %d before, error %v", len(s.Bytes), size, err)
	}
	// The codebook fits, the pictures do not.
	s.fails = s.writes + 2
	if err := w.CommitAll(); err == nil || len(s.Bytes) != size {
		t.Errorf("a disk that fills later: %d bytes of %d before, error %v", len(s.Bytes), size, err)
	}
	s.fails = 0
	if err := w.Close(); err != nil || opened(t, s.Bytes).Size() != 1 {
		t.Errorf("then there is room: %v", err)
	}
}

// TestFullDisk writes to disks of any size with room for the preamble: without room for all pictures
// there is an error, and no picture.
func TestFullDisk(t *testing.T) {
	_, sets := readGolden(t)
	fill := func(s Store) error {
		w, err := Create(s, about())
		require.NoError(t, err)
		for i, set := range sets {
			require.NoError(t, w.AddFile(fmt.Sprint(i), "", Digest{1}, set))
		}
		return w.Close()
	}
	whole := fullDisk{room: 1 << 20}
	require.NoError(t, fill(&whole))
	x := opened(t, whole.Bytes)
	for room := headSize; room < len(whole.Bytes); room += headSize {
		for what, write := range map[string]func(Store) error{"filled": fill, "compacted": func(s Store) error { return Compact(s, x) }} {
			s := fullDisk{room: room}
			err := write(&s)
			if !errors.Is(err, errBroken) {
				t.Fatalf("%s with %d bytes of %d: error %v", what, room, len(whole.Bytes), err)
			}
			if what == "filled" && (opened(t, s.Bytes).Len() > 0 || opened(t, s.Bytes).Complete()) {
				t.Fatalf("%d bytes of %d are an index with pictures", room, len(whole.Bytes))
			}
		}
	}
	whole.room = len(whole.Bytes)
	w := Extend(&whole, x, about())
	if err := w.Delete(x, 1); !errors.Is(err, errBroken) || !w.Has("1") || opened(t, whole.Bytes).Deleted(1) {
		t.Errorf("deleted without room: %v", err)
	}
}

// fullDisk is a Store of limited size.
type fullDisk struct {
	Buffer
	room int
}

func (s *fullDisk) WriteAt(b []byte, at int64) (int, error) {
	if int(at)+len(b) > s.room {
		return 0, errBroken
	}
	return s.Buffer.WriteAt(b, at)
}

// TestSyncFails checks that a commit or a deletion that may not be durable is an error, changes
// nothing and can be repeated.
func TestSyncFails(t *testing.T) {
	_, sets := readGolden(t)
	for first := 1; first <= 2; first++ { // of the data, of the preamble
		var s unsynced
		w := require.Value(Create(&s, about()))(t)
		require.NoError(t, w.Add("a", "", sets[0]))
		require.NoError(t, w.CommitAll())
		require.NoError(t, w.Add("b", "", sets[1]))
		for range 2 {
			s.until = first
			if err := w.CommitAll(); !errors.Is(err, errBroken) || w.Committed() != 1 || w.Len() != 2 {
				t.Errorf("sync %d fails: error %v, %d pictures", first, err, w.Committed())
			}
		}
		require.NoError(t, w.CommitAll())
		x := opened(t, s.Bytes)
		if s.until = first; !errors.Is(w.Delete(x, 0), errBroken) || !w.Has("a") {
			t.Errorf("sync %d fails: the picture is deleted", first)
		}
		require.NoError(t, w.Delete(x, 0))
		if x := opened(t, s.Bytes); x.Len() != 2 || x.Size() != 1 || w.Len() != 1 || w.Has("a") {
			t.Errorf("%d of %d pictures in the end", x.Size(), x.Len())
		}
	}
}

// TestCloseFails checks that a Close that fails can be repeated.
func TestCloseFails(t *testing.T) {
	_, sets := readGolden(t)
	s := fullDisk{room: 1 << 20}
	w := require.Value(Create(&s, about()))(t)
	require.NoError(t, errors.Join(w.Add("a", "", sets[0]), w.CommitAll()))
	for s.room = range 2 { // too little for the preamble
		if err := w.Close(); !errors.Is(err, errBroken) {
			t.Errorf("without room: error %v", err)
		}
	}
	s.room = 1 << 20
	if err := w.Close(); err != nil || !opened(t, s.Bytes).Complete() {
		t.Errorf("with room: error %v", err)
	}
}

// unsynced is a Store whose Sync fails once, after some calls.
type unsynced struct {
	Buffer
	until int // calls until it fails
}

func (s *unsynced) Sync() error {
	if s.until--; s.until == 0 {
		return errBroken
	}
	return nil
}

// TestFlatPictures checks that flat embeddings are rejected.
func TestFlatPictures(t *testing.T) {
	for name, values := range map[string][]float32{"zero": {0, 0, 0, 0}, "the same": {3, 3, 3, 3}, "by node": {1, 1, 2, 2}} {
		w, err := Create(new(storage), about())
		require.NoError(t, err)
		err = w.Add("dark.png", "", &embed.Set{N: 2, C: 2, Data: values})
		if !errors.Is(err, embed.ErrFlat) || !strings.HasPrefix(err.Error(), "dark.png: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A compacted index has the remaining pictures and finds them as before.
func TestCompact(t *testing.T) {
	_, sets := readGolden(t)
	var s, small storage
	filled(t, &s, true, 24)
	w := Extend(&s, opened(t, s.Bytes), about())
	require.NoError(t, w.Delete(opened(t, s.Bytes), 0, 3, 4, 5, 6, 7, 8, 20))
	x := opened(t, s.Bytes)
	require.NoError(t, Compact(&small, x))
	y := opened(t, small.Bytes)
	if y.Len() != 16 || y.Size() != 16 || !y.Complete() || len(small.Bytes) >= len(s.Bytes) {
		t.Errorf("%d of %d pictures in %d bytes, after %d", y.Size(), y.Len(), len(small.Bytes), len(s.Bytes))
	}
	found := func(x *Index) (said []string) {
		search := Searcher{Gallery: x, Matcher: newMatcher, Candidates: 10}
		hits, _, err := search.Search(sets[9], 10)
		require.NoError(t, err)
		for _, h := range hits {
			said = append(said, fmt.Sprint(x.Name(h.Picture), x.Class(h.Picture), h.Score, h.Cosine))
		}
		return said
	}
	if before, after := found(x), found(y); !slices.Equal(before, after) {
		t.Errorf("found before\n%s\nand after\n%s", before, after)
	}
	damaged := bytes.Clone(s.Bytes)
	for at := len(damaged) - 1; ; at-- { // damage the last record before the block of deletions
		damaged[at] ^= 1
		z, err := Open(damaged)
		if err == nil {
			if err := Compact(new(storage), z); errors.Is(err, ErrDamaged) {
				break
			}
		}
		damaged[at] ^= 1
	}
	require.NoError(t, w.Delete(x, 1, 2))
	before := bytes.Clone(s.Bytes)
	for _, absent := range []int{-1, 24, 1000} {
		if err := w.Delete(x, 9, absent); !errors.Is(err, ErrAbsent) || !bytes.Equal(s.Bytes, before) {
			t.Errorf("deleting picture %d: error %v, want ErrAbsent and an unchanged index", absent, err)
		}
	}
	require.NoError(t, w.Delete(x, 1, 9, 9))
	if y := opened(t, s.Bytes); w.Len() != 13 || y.Size() != 13 {
		t.Errorf("after deleting pictures twice: %d pictures, opened %d, want 13", w.Len(), y.Size())
	}
	require.NoError(t, w.Add(x.Name(9), "", sets[9]))
	require.NoError(t, w.Delete(x, 9))
	if !w.Has(x.Name(9)) {
		t.Error("deleting a picture again deletes a newer one of its name")
	}
	all := make([]int, 24)
	for i := range all {
		all[i] = i
	}
	require.NoError(t, w.Delete(x, all...))
	if err := Compact(new(storage), opened(t, s.Bytes)); err == nil || !strings.Contains(err.Error(), "no pictures") {
		t.Errorf("an index without pictures: %v", err)
	}
}

// TestCompactInBlocks checks that Compact holds few pictures in memory.
func TestCompactInBlocks(t *testing.T) {
	var s, small storage
	w := require.Value(Create(&s, about()))(t)
	for i, set := range randomSets(2*learnPictures+1, 2, 4) {
		require.NoError(t, w.Add(fmt.Sprint(i), "", set))
	}
	require.NoError(t, w.Close())
	require.NoError(t, Compact(&small, opened(t, s.Bytes)))
	y := opened(t, small.Bytes)
	if y.Size() != 2*learnPictures+1 || len(y.blocks) != 3 || !y.Complete() {
		t.Errorf("%d pictures in %d blocks, want 3", y.Size(), len(y.blocks))
	}
}

// TestDigests checks that an index keeps the digests of files, even after compaction.
func TestDigests(t *testing.T) {
	_, sets := readGolden(t)
	var s storage
	w := require.Value(Create(&s, about()))(t)
	require.NoError(t, errors.Join(w.AddFile("a", "", Digest{1}, sets[0]), w.Add("b", "", sets[1]), w.CommitAll()))
	require.NoError(t, errors.Join(w.Add("c", "", sets[2]), w.CommitAll(), w.AddFile("d", "", Digest{2}, sets[3]), w.Close()))
	x := opened(t, s.Bytes)
	for i, want := range []Digest{{1}, {}, {}, {2}} {
		if x.Digest(i) != want {
			t.Errorf("picture %d has digest %x, want %x", i, x.Digest(i), want)
		}
	}
	if len(x.blocks) != 3 || len(x.blocks[1].digests) > 0 {
		t.Errorf("%d blocks, want 3, the second without digests", len(x.blocks))
	}
	var small storage
	require.NoError(t, Compact(&small, x))
	if got := opened(t, small.Bytes).Digest(3); got != (Digest{2}) {
		t.Errorf("a compacted index has digest %x", got)
	}
	last := x.begin.end - aligned(headSize+int64(len(Digest{}))) // the digest block of d
	for _, forged := range []struct {
		count, size int
		want        error
	}{{1, 32, nil}, {0, 0, ErrDamaged}, {2, 32, ErrDamaged}, {2, 64, ErrDamaged}, {1, 31, ErrDamaged}} {
		file := bytes.Clone(s.Bytes)
		h := header{kind: kindDigests, count: forged.count, light: int64(forged.size), size: int64(forged.size), sum: checksum(file[last+headSize:][:forged.size])}
		copy(file[last:], h.encode())
		if _, err := Open(file); !errors.Is(err, forged.want) {
			t.Errorf("%d digests of one picture in %d bytes: error %v, want %v", forged.count, forged.size, err, forged.want)
		}
	}
}

// TestMove: an index with another source keeps its pictures, and takes more. A failed write changes nothing.
func TestMove(t *testing.T) {
	_, sets := readGolden(t)
	s := storage{}
	w := require.Value(Create(&s, about()))(t)
	require.NoError(t, w.Move("/first")) // before the catalog is written
	require.NoError(t, errors.Join(w.AddFile("a", "", Digest{1}, sets[0]), w.CommitAll()))
	for k, want := range []string{"/first", "/second"} {
		x := opened(t, s.Bytes)
		if x.Catalog().Source != want || x.Size() != 1 || x.Digest(0) != (Digest{1}) {
			t.Errorf("move %d: source %s, %d pictures", k, x.Catalog().Source, x.Size())
		}
		s.writes, s.fails = 0, 1
		if err := w.Move("/never"); !errors.Is(err, errBroken) {
			t.Errorf("error %v", err)
		}
		s.fails = 0
		require.NoError(t, w.Move("/second"))
	}
	w = Extend(&s, opened(t, s.Bytes), about())
	require.NoError(t, errors.Join(w.Add("b", "", sets[1]), w.Close()))
	var small storage
	require.NoError(t, Compact(&small, opened(t, s.Bytes)))
	if x := opened(t, small.Bytes); x.Catalog().Source != "/second" || x.Size() != 2 {
		t.Errorf("compacted: source %s, %d pictures", x.Catalog().Source, x.Size())
	}
}

// storage is a Store in memory whose writes can fail.
type storage struct {
	Buffer
	writes int // attempted
	fails  int // the first write that fails; 0 means never
	half   bool
}

var errBroken = errors.New("disk broken")

func (s *storage) WriteAt(b []byte, at int64) (int, error) {
	s.writes++
	if s.fails == 0 || s.writes < s.fails {
		return s.Buffer.WriteAt(b, at)
	}
	if !s.half {
		return 0, errBroken
	}
	n, err := s.Buffer.WriteAt(b[:len(b)/2], at)
	return n, errors.Join(err, io.ErrShortWrite)
}
