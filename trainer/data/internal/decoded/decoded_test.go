package decoded

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/bombs"
)

// picture is picture i of a set: i+1 pixels wide, each sample telling its place.
func picture(i int) *imaging.Image {
	img := &imaging.Image{Width: i + 1, Height: 2}
	img.Pix = make([]uint8, 3*img.Width*img.Height)
	for j := range img.Pix {
		img.Pix[j] = uint8(7*i + j)
	}
	return img
}

// give gives the pictures of a set in which every tenth, from the fourth, cannot be
// decoded.
func give(i int) (*imaging.Image, error) {
	if i%10 == 3 {
		return nil, errors.New("broken")
	}
	return picture(i), nil
}

var of = Fingerprint{1, 2, 3}

// build builds a file of 150 pictures.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "deep", "er", "set.pixels")
	done := 0
	absent, err := Builder{Threads: 3, Progress: func(n, total int) { done = n }}.Build(context.Background(), path, of, 150, give)
	if err != nil || absent != 15 || done != 150 {
		t.Fatalf("%d absent, %d done, %v", absent, done, err)
	}
	return path
}

func check(t *testing.T, f *File) {
	t.Helper()
	for i := range f.Len() {
		img, err := f.Picture(i)
		if i%10 == 3 {
			if !errors.Is(err, ErrAbsent) {
				t.Errorf("picture %d, which is broken: %v", i, err)
			}
			continue
		}
		if want := picture(i); err != nil || img.Width != want.Width || img.Height != want.Height || !bytes.Equal(img.Pix, want.Pix) {
			t.Fatalf("picture %d is %v, %v", i, img, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	path := build(t)
	f, err := Open(path, of)
	if err != nil {
		t.Fatal(err)
	}
	if f.Len() != 150 {
		t.Errorf("%d pictures", f.Len())
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { check(t, f) })
	}
	wait.Wait()

	// Without mapping it is the same.
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	check(t, &File{entries: f.entries, window: plain{file}})
	if err := file.Close(); err != nil {
		t.Error(err)
	}

	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := f.Picture(0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a closed file gives %v", err)
	}
	names(t, path)
}

// names fails when something else than the given files lies beside the first.
func names(t *testing.T, path string, others ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]bool{filepath.Base(path): true}
	for _, other := range others {
		allowed[filepath.Base(other)] = true
	}
	for _, e := range entries {
		if !allowed[e.Name()] {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	path := build(t)
	if _, err := Open(path, Fingerprint{9}); !errors.Is(err, ErrStale) {
		t.Errorf("other pictures: %v", err)
	}
	if _, err := Open(path+"x", of); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent file: %v", err)
	}
	if _, err := Open(filepath.Dir(path), of); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(content []byte) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write([]byte("a person's own file, of whatever"))
	if _, err := Open(path, of); !errors.Is(err, ErrForeign) {
		t.Errorf("another file: %v", err)
	}
	// Whatever byte of header or index is damaged, and wherever the file is cut off,
	// it is noticed; of pixels, when they are asked for.
	index := len(whole) - entrySize*150
	for _, at := range []int{8, 11, 12, 16, 47, 48, 55, 56, 60, 63, index, index + 9, len(whole) - 1} {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 4
		write(damaged)
		if f, err := Open(path, of); err == nil {
			f.Close()
			t.Errorf("damage at byte %d of %d is not noticed", at, len(whole))
		}
	}
	for _, n := range []int{0, 1, 7, 8, 63, 64, 65, index, len(whole) - 1} {
		write(whole[:n])
		if f, err := Open(path, of); err == nil {
			f.Close()
			t.Errorf("a file cut off at %d of %d is not noticed", n, len(whole))
		}
	}
	damaged := bytes.Clone(whole)
	damaged[headerSize] ^= 4
	write(damaged)
	f, err := Open(path, of)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Picture(0); !errors.Is(err, ErrDamaged) {
		t.Errorf("damaged pixels: %v", err)
	}
	if _, err := f.Picture(1); err != nil {
		t.Errorf("the picture beside damaged pixels: %v", err)
	}
}

// A file that is cut off while it is mapped is an error and no crash.
func TestCutOffWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.pixels")
	large := &imaging.Image{Width: 200, Height: 200, Pix: make([]uint8, 120000)}
	if _, err := (Builder{}).Build(context.Background(), path, of, 3, func(int) (*imaging.Image, error) { return large, nil }); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, of)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, 1000); err != nil {
		t.Skip("an open file cannot be cut off here:", err)
	}
	if _, err := f.Picture(2); err == nil {
		t.Error("the pixels of a file that was cut off were read")
	}
}

// narrow is a disk with little room.
type narrow struct {
	*os.File
	room int
}

func (n *narrow) Write(p []byte) (int, error) {
	if len(p) > n.room {
		k, _ := n.File.Write(p[:n.room])
		n.room = 0
		return k, &fs.PathError{Op: "write", Path: n.Name(), Err: syscall.ENOSPC}
	}
	n.room -= len(p)
	return n.File.Write(p)
}

func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.pixels")
	if err := os.WriteFile(path, []byte("the old file"), 0o644); err != nil {
		t.Fatal(err)
	}
	const side, count = 100, 400 // 12 MB
	img := &imaging.Image{Width: side, Height: side, Pix: make([]uint8, 3*side*side)}
	b := Builder{create: func(path string) (sink, error) {
		file, err := os.Create(path)
		return &narrow{file, 5 << 20}, err
	}}
	_, err := b.Build(context.Background(), path, of, count, func(int) (*imaging.Image, error) { return img, nil })
	var full *FullError
	if !errors.As(err, &full) || full.Need < 11e6 || full.Need > 13e6 || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a full disk gives %v", err)
	}
	if text := err.Error(); !strings.Contains(text, "need about 12 MB, the disk is full: make room, or name another place") || !strings.Contains(text, path) {
		t.Errorf("a full disk says %s", text)
	}
	if old, err := os.ReadFile(path); err != nil || string(old) != "the old file" {
		t.Errorf("the old file is %q, %v", old, err)
	}
	names(t, path)

	// A disk that is known to be too small is not filled at all.
	if _, known := free(t.TempDir()); known {
		b := Builder{Expected: 1 << 60, create: func(string) (sink, error) { t.Error("writing began"); return nil, nil }}
		if _, err := b.Build(context.Background(), path, of, count, give); !errors.As(err, &full) || full.Free < 0 || !strings.Contains(err.Error(), "are free") {
			t.Errorf("too small a disk gives %v", err)
		}
	}
}

// Large pictures are not held by the dozen: of 48 MB each, eleven at a time.
func TestFewLargePicturesAtATime(t *testing.T) {
	w := writer{count: 1000}
	if n := w.ahead(4); n != 4 {
		t.Errorf("%d pictures are decoded first, want one a thread", n)
	}
	for _, c := range []struct{ side, want int }{{32, chunk}, {1000, chunk}, {4000, 11}, {8192, 2}} {
		if err := w.add(io.Discard, &imaging.Image{Width: c.side, Height: c.side, Pix: make([]uint8, 3*c.side*c.side)}); err != nil {
			t.Fatal(err)
		}
		if n := w.ahead(4); n != c.want {
			t.Errorf("after one of %d×%d pixels %d are decoded at a time, want %d", c.side, c.side, n, c.want)
		}
	}
	w.entries = make([]entry, 999)
	if n := w.ahead(4); n != 1 {
		t.Errorf("%d are decoded of the one that is left", n)
	}
}

func TestInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.pixels")
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Builder{Threads: 1}.Build(ctx, path, of, 1000, func(i int) (*imaging.Image, error) {
		if i == 500 {
			cancel()
		}
		return picture(i % 20), nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	names(t, path)
}

// What a writer that was killed has left is removed by the next one, what another
// one is writing now is not.
func TestAbandonedFilesAreRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.pixels")
	old, fresh, other := path+".00000001"+partial, path+".00000002"+partial, filepath.Join(filepath.Dir(path), "notes"+partial)
	for _, name := range []string{old, fresh, other} {
		if err := os.WriteFile(name, []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-2 * abandoned)
	for _, name := range []string{old, other} {
		if err := os.Chtimes(name, past, past); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := (Builder{}).Build(context.Background(), path, of, 5, give); err != nil {
		t.Fatal(err)
	}
	names(t, path, fresh, other)
	for _, name := range []string{fresh, other} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

func FuzzParseHeader(f *testing.F) {
	h := header{pictures: 2, index: headerSize + 60, fingerprint: of, indexSum: 7}
	f.Add(h.encode(), int64(headerSize+60+2*entrySize))
	f.Add([]byte(magic), int64(8))
	f.Fuzz(func(t *testing.T, raw []byte, size int64) {
		var h header
		var err error
		bombs.Budget(t, 1<<20, 1, len(raw), func() { h, err = parseHeader(raw, size) })
		if err == nil && (!bytes.Equal(h.encode(), raw[:headerSize]) || int64(h.index)+entrySize*int64(h.pictures) != size) {
			t.Errorf("a file of %d bytes was accepted with %+v", size, h)
		}
	})
}

// FuzzParseIndex has headers of every form with the right sums.
func FuzzParseIndex(f *testing.F) {
	f.Add(encodeIndex([]entry{{headerSize, 2, 5, 9}, {headerSize + 30, 0, 0, 0}}), uint64(headerSize+60))
	f.Add(encodeIndex([]entry{{1 << 63, 1 << 31, 1 << 31, 0}}), uint64(1<<62))
	f.Fuzz(func(t *testing.T, index []byte, end uint64) {
		h := header{pictures: uint32(len(index) / entrySize), index: end, indexSum: sum(index)}
		size := int64(end) + int64(len(index))
		if got, err := parseHeader(h.encode(), size); err == nil && got != h {
			t.Fatalf("%+v was read as %+v", h, got)
		} else if err != nil {
			return
		}
		var entries []entry
		var err error
		bombs.Budget(t, 1<<20, 64, len(index), func() { entries, err = parseIndex(index, h) })
		if err != nil {
			return
		}
		for _, e := range entries {
			if last := e.offset + uint64(e.size()); e.offset < headerSize || last > end {
				t.Errorf("a picture at %d to %d of %d bytes was accepted", e.offset, last, end)
			}
		}
		if !bytes.Equal(encodeIndex(entries), index) {
			t.Error("the index changed on its way")
		}
	})
}
