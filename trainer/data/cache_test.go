package data

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/trainer/data/internal/decoded"
)

// wide is the PNG file of a picture of width×height pixels in shades of a colour.
func wide(t testing.TB, width, height int, shade uint8) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		img.Set(i%width, i/width, color.RGBA{shade, uint8(i % width), uint8(i / width), 255})
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// forbidDecoding makes a set fail where it decodes.
func forbidDecoding(s *Set) {
	s.decode = func([]byte) (*imaging.Image, error) { return nil, errors.New("decoded again") }
}

// cached opens a set, makes it keep its pictures, and returns it with what it said.
func cached(t *testing.T, path, where string, change ...func(s *Set)) (*Set, string) {
	t.Helper()
	s := open(t, path)
	for _, c := range change {
		c(s)
	}
	said, err := s.UseCache(context.Background(), Cache{Where: where, Classes: s.Classes(), Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s, said
}

// same fails unless a set gives the pictures that another one gives, without
// decoding them.
func same(t *testing.T, s, plain *Set) {
	t.Helper()
	forbidDecoding(s)
	for _, class := range plain.Classes() {
		for _, p := range plain.Pictures(class) {
			want, err := plain.Image(p.Name)
			if err != nil {
				continue // of the broken one
			}
			got, err := s.Image(p.Name)
			if err != nil || got.Width != want.Width || got.Height != want.Height || !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: %v, want as decoded", p.Name, err)
			}
		}
	}
}

func TestKeepInAFile(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	set := animals(t)
	for _, path := range []string{writeFolder(t, set), writeZip(t, set)} {
		s, said := cached(t, path, CacheFile)
		if !strings.Contains(said, "written to ") || !strings.Contains(said, "(1 of 6 cannot be decoded)") || !strings.Contains(said, filepath.Join("deepemd", strings.TrimSuffix(s.Name(), ".zip")+"-")) {
			t.Errorf("the first run says %q", said)
		}
		same(t, s, open(t, path))
		if _, err := s.Image("owl/broken"); err == nil || !strings.Contains(err.Error(), "decoded again") {
			t.Errorf("a broken picture: %v", err)
		}
		if s, said = cached(t, path, CacheFile, forbidDecoding); !strings.Contains(said, "read from") {
			t.Errorf("the second run says %q", said)
		}
		same(t, s, open(t, path))
		if _, said = cached(t, path, CacheFile, func(s *Set) { s.LimitSide(1 << 20) }); !strings.Contains(said, "written to") {
			t.Errorf("another bound says %q", said)
		}
	}
}

func TestKeepNoticesChanges(t *testing.T) {
	path, file := writeFolder(t, animals(t)), filepath.Join(t.TempDir(), "animals.pixels")
	cached(t, path, file)
	fox := filepath.Join(path, "train", "fox", "red_1.png")
	if err := os.WriteFile(fox, []byte(dot(t, 99)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(fox, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	s, said := cached(t, path, file)
	if img, err := s.Image("fox/red_1"); !strings.Contains(said, "the pictures have changed") || err != nil || img.Pix[0] != 99 {
		t.Errorf("a changed picture: %q, %v, %v", said, img, err)
	}
	if err := os.Truncate(file, 40); err != nil {
		t.Fatal(err)
	}
	s, said = cached(t, path, file)
	if !strings.Contains(said, "the file was damaged") {
		t.Errorf("a damaged file: %q", said)
	}
	same(t, s, open(t, path))

	// A file whose pixels are damaged while it is used costs time and nothing else.
	if err := os.WriteFile(file, make([]byte, 10), 0o666); err != nil {
		t.Fatal(err)
	}
	s.decode = imaging.Decode
	if img, err := s.Image("fox/red_1"); err != nil || img.Pix[0] != 99 {
		t.Errorf("a file that was damaged in use: %v, %v", img, err)
	}
}

func TestKeepElsewhere(t *testing.T) {
	path, folder := writeZip(t, animals(t)), t.TempDir()
	s, said := cached(t, path, folder)
	if !strings.Contains(said, filepath.Join(folder, "animals-")) {
		t.Errorf("a folder: %q", said)
	}
	same(t, s, open(t, path))
	for where, want := range map[string]string{CacheAuto: "kept in memory", "": "kept in memory", CacheMemory: "kept in memory", CacheNone: "not kept"} {
		s, said := cached(t, path, where)
		a, errA := s.Image("fox/red_1")
		b, errB := s.Image("fox/red_1")
		if !strings.Contains(said, want) || (a == b) != (where != CacheNone) || errA != nil || errB != nil {
			t.Errorf("%q says %q, the same picture: %v", where, said, a == b)
		}
	}

	own := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(own, []byte("my notes, not to be lost"), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := open(t, path).UseCache(context.Background(), Cache{Where: own}); !errors.Is(err, decoded.ErrForeign) || !strings.Contains(err.Error(), "name another file") {
		t.Errorf("a person's own file: %q, %v", said, err)
	}
	// A place where nothing can be written is said, and no error.
	s, said = cached(t, path, filepath.Join(own, "below.pixels"))
	a, _ := s.Image("fox/red_1")
	if b, _ := s.Image("fox/red_1"); !strings.Contains(said, "going on without") || a != b {
		t.Errorf("an impossible place: %q", said)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := open(t, path).UseCache(ctx, Cache{Where: filepath.Join(folder, "new"), Classes: []string{"fox"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestLimitSide(t *testing.T) {
	path := writeZip(t, map[string]string{"a/wide.png": wide(t, 100, 50, 9), "a/high.png": wide(t, 31, 64, 9), "a/small.png": wide(t, 8, 60, 9)})
	for _, where := range []string{CacheNone, CacheMemory, filepath.Join(t.TempDir(), "f")} {
		s, _ := cached(t, path, where, func(s *Set) { s.LimitSide(20) })
		for name, want := range map[string][2]int{"a/wide": {40, 20}, "a/high": {20, 41}, "a/small": {8, 60}} {
			if img, err := s.Image(name); err != nil || [2]int{img.Width, img.Height} != want {
				t.Errorf("%s in %s: %v, want %v", name, where, err, want)
			}
		}
	}
}
