package imaging

import (
	"archive/zip"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/golden"
)

// What is expected here was made by Pillow: see testdata/generate.py.

const wantSuffix = ".want.png"

func TestDecodeEqualsPillow(t *testing.T) {
	wants, err := filepath.Glob("testdata/pictures/*" + wantSuffix)
	if err != nil || len(wants) < 50 {
		t.Fatalf("%d fixtures (%v): run testdata/generate.py", len(wants), err)
	}
	for _, path := range wants {
		picture := strings.TrimSuffix(path, wantSuffix)
		t.Run(filepath.Base(picture), func(t *testing.T) {
			got, err := Decode(readFile(t, picture))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, got, readRGB(t, path))
		})
	}
}

// TestDecodeDataSets decodes pictures of the shared data sets, every stepth in the
// order of names.
func TestDecodeDataSets(t *testing.T) {
	const step = 150 // STEP of generate.py
	for _, set := range []struct{ name, ending string }{
		{"tiny-imagenet", ".jpg"},
		{"cifar100", ".webp"},
	} {
		t.Run(set.name, func(t *testing.T) {
			sums := strings.Fields(string(readFile(t, "testdata/"+set.name+".txt")))
			archive, err := zip.OpenReader(golden.Path(t, "datasets/"+set.name+".zip"))
			if err != nil {
				t.Fatal(err)
			}
			defer archive.Close()
			var files []*zip.File
			for _, f := range archive.File {
				if strings.HasSuffix(f.Name, set.ending) {
					files = append(files, f)
				}
			}
			slices.SortFunc(files, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
			if want := (len(files) + step - 1) / step; len(sums) != want {
				t.Fatalf("%d checksums for every %dth of %d files, want %d", len(sums), step, len(files), want)
			}
			for i, want := range sums {
				f := files[i*step]
				m, err := Decode(readZipped(t, f))
				if err != nil {
					t.Errorf("%s: %v", f.Name, err)
				} else if got := checksum(m); got != want {
					t.Errorf("%s: checksum %s, Pillow's pixels have %s", f.Name, got, want)
				}
			}
		})
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readZipped(t testing.TB, f *zip.File) []byte {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readRGB reads an opaque PNG without the room's own decoder.
func readRGB(t testing.TB, path string) *Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	m := newImage(p.Bounds().Dx(), p.Bounds().Dy())
	for i := range m.Width * m.Height {
		c := color.RGBAModel.Convert(p.At(i%m.Width, i/m.Width)).(color.RGBA)
		copy(m.Pix[3*i:], []uint8{c.R, c.G, c.B})
	}
	return m
}

// compare fails the test with the first difference and the extent of all.
func compare(t testing.TB, got, want *Image) {
	t.Helper()
	if got.Width != want.Width || got.Height != want.Height {
		t.Fatalf("picture of %d×%d, want %d×%d", got.Width, got.Height, want.Width, want.Height)
	}
	differ, largest, first := 0, 0, -1
	for i := range want.Pix {
		d := int(got.Pix[i]) - int(want.Pix[i])
		if d == 0 {
			continue
		}
		if differ++; first < 0 {
			first = i
		}
		largest = max(largest, d, -d)
	}
	if differ > 0 {
		at := image.Pt(first/3%want.Width, first/3/want.Width)
		t.Errorf("%d of %d samples differ by up to %d; at %v: %v, want %v", differ, len(want.Pix), largest, at,
			got.Pix[first/3*3:][:3], want.Pix[first/3*3:][:3])
	}
}

func checksum(m *Image) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(m.Pix)) }
