package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// Small files that claim to be large pictures are rejected without allocating memory.
func TestBombs(t *testing.T) {
	lossless := bombs.WebP(8192, 8192)
	twice := append(bombs.WebP(2048, 2048), lossless[12:]...)
	binary.LittleEndian.PutUint32(twice[4:], uint32(len(twice)-8))
	lossy := readFile(t, "testdata/pictures/lossy-2x3.webp")
	lossy = changed(lossy, bytes.Index(lossy, []byte("\x9d\x01\x2a"))+3, 0, 0x20, 0, 0x20)
	turned := bytes.Clone(readFile(t, "testdata/pictures/orientation-6.jpg"))
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"JPEG of many scans", bombs.JPEG(2048, 14), "too many scans): save it again"},
		{"JPEG, progressive, large", bombs.JPEG(8192, 2), "8192×8192 pixels in a file of"},
		{"WebP, lossless", lossless, "in a file of 36 bytes would take 706 MB to decode, the limit for it is 112 MB; scale it down first"},
		{"WebP, lossy", lossy, "8192×8192 pixels in a file of"},
		{"PNG of 16 bits", bombs.PNG(6000), "6000×6000 pixels"},
		{"JPEG, turned", madeLarge(turned, 5000, 4000), "5000×4000 pixels"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m *Image
			var err error
			took := bombs.Allocated(func() { m, err = Decode(c.data) })
			if m != nil || !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
			if took > 1<<20 {
				t.Errorf("%d bytes were allocated for a file of %d", took, len(c.data))
			}
		})
	}
	if m, err := Decode(twice); err != nil || m.Width != 2048 {
		t.Errorf("of two pictures in a WebP the first does not count: %v", err)
	}
}

// madeLarge returns a JPEG file with another size, padded to a plausible length.
func madeLarge(data []byte, width, height int) []byte {
	at := bytes.Index(data, []byte("\xff\xc0")) + 5
	data = bytes.Clone(data)
	binary.BigEndian.PutUint16(data[at:], uint16(height))
	binary.BigEndian.PutUint16(data[at+2:], uint16(width))
	return append(data, make([]byte, width*height/300)...)
}

// Ordinary pictures are within the limits.
func TestHonestPicturesAreAffordable(t *testing.T) {
	for _, c := range []struct {
		name          string
		fixture       string
		width, height int
		bytes         int
	}{
		{"a phone's of 50 megapixels, upright", "420.jpg", 8192, 6144, 3_000_000},
		{"a phone's of 50 megapixels, turned", "orientation-6.jpg", 8192, 6144, 3_000_000},
		{"a web site's photograph, progressive", "progressive-420.jpg", 6000, 4000, 900_000},
		{"a large one, progressive", "progressive-444.jpg", 8192, 8192, 12_000_000},
		{"a print's in four inks", "cmyk.jpg", 7000, 5000, 5_000_000},
	} {
		data := readFile(t, "testdata/pictures/"+c.fixture)
		at := max(bytes.Index(data, []byte("\xff\xc0")), bytes.Index(data, []byte("\xff\xc2"))) + 5
		binary.BigEndian.PutUint16(data[at:], uint16(c.height))
		binary.BigEndian.PutUint16(data[at+2:], uint16(c.width))
		p := require.Value(openJPEG(data))(t)
		need := p.memory
		if orientation(p.exif) != upright {
			need += 3 * int64(c.width) * int64(c.height)
		}
		if err := checkMemory(c.width, c.height, need, c.bytes); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if m, err := Decode(bombs.PNG(3000)); err != nil || m.Width != 3000 {
		t.Errorf("a black PNG of 3000×3000 pixels, 16 bits: %v", err)
	}
	page := []byte{0, 0, 4960 >> 8, 4960 & 255, 0, 0, 7016 >> 8, 7016 & 255, 1, 0, 0, 0, 0}
	if m, err := Decode(bombs.Chunks(page, bytes.NewReader(make([]byte, (1+4960/8)*7016)))); err != nil || m.Width != 4960 {
		t.Errorf("a page at 600 dots an inch, of 1 bit: %v", err)
	}
	if m, err := Decode(bombs.WebP(2400, 2400)); err != nil || m.Width != 2400 {
		t.Errorf("a black WebP of 2400×2400 pixels: %v", err)
	}
}

// Decoding takes at most the estimated memory.
func TestMemoryIsForetold(t *testing.T) {
	files := map[string][]byte{
		"large PNG": bombs.PNG(1000), "large WebP": bombs.WebP(1000, 1000), "large JPEG": bombs.JPEG(1024, 1),
	}
	paths := require.Value(filepath.Glob("testdata/pictures/*"))(t)
	for _, path := range paths {
		if !strings.HasSuffix(path, wantSuffix) {
			files[path] = readFile(t, path)
		}
	}
	for name, data := range files {
		p, err := open(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		took := bombs.Allocated(func() { _, err = Decode(data) })
		if turned := orientation(p.exif); turned != upright {
			p.memory += 3 * int64(p.width) * int64(p.height)
		}
		const tables = 512 << 10 // of Huffman and of deflate's window
		if err != nil || took > p.memory+tables {
			t.Errorf("%s: %d bytes were allocated, %d foretold (%v)", name, took, p.memory, err)
		}
	}
}

func TestPicturesInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSemaphore(10)
		var large, small atomic.Bool
		queue := func(part int64, taken *atomic.Bool) {
			go func() {
				s.acquire(part)
				taken.Store(true)
			}()
			synctest.Wait()
		}
		s.acquire(6)
		queue(8, &large)
		queue(1, &small) // fits, but must wait its turn
		if large.Load() || small.Load() {
			t.Fatalf("8 of 10 are taken beside 6: %v; 1, behind 8: %v", large.Load(), small.Load())
		}
		s.release(6)
		synctest.Wait()
		if !large.Load() || !small.Load() {
			t.Errorf("8 and 1 of 10 are taken: %v, %v; want both", large.Load(), small.Load())
		}
		s.release(9)
		if s.taken != 0 {
			t.Errorf("%d is taken, want 0", s.taken)
		}
	})
}

// Decoding waits for memory.
func TestDecodingWaits(t *testing.T) {
	data := readFile(t, "testdata/pictures/420.jpg")
	synctest.Test(t, func(t *testing.T) {
		inFlight.acquire(maxMemory)
		done := false
		go func() {
			if _, err := Decode(data); err != nil {
				t.Error(err)
			}
			done = true
		}()
		synctest.Wait()
		if done {
			t.Error("a picture was decoded while there was no room for it")
		}
		inFlight.release(maxMemory)
		synctest.Wait()
		if !done {
			t.Error("a picture still waits while there is room for it")
		}
	})
	for _, bad := range [][]byte{data[:len(data)/2], bombs.WebP(8192, 8192)} {
		if _, err := Decode(bad); err == nil {
			t.Error("a bad file is decoded")
		}
	}
	if inFlight.taken != 0 {
		t.Errorf("%d bytes are taken for good", inFlight.taken)
	}
}
