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
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// Pillow made the expected results: see testdata/generate.py.

const wantSuffix = ".want.png"

func TestDecodeEqualsPillow(t *testing.T) {
	wants, err := filepath.Glob("testdata/pictures/*" + wantSuffix)
	if err != nil || len(wants) < 50 {
		t.Fatalf("%d fixtures (%v): run testdata/generate.py", len(wants), err)
	}
	for _, path := range wants {
		picture := strings.TrimSuffix(path, wantSuffix)
		t.Run(filepath.Base(picture), func(t *testing.T) {
			got := require.Value(Decode(readFile(t, picture)))(t)
			compare(t, got, readRGB(t, path))
		})
	}
}

// TestDecodeDataSets compares pictures of the shared datasets with Pillow's.
func TestDecodeDataSets(t *testing.T) {
	for _, set := range []string{"tiny-imagenet", "cifar100"} {
		t.Run(set, func(t *testing.T) {
			archive := require.Value(zip.OpenReader(require.Shared(t, "datasets/"+set+".zip")))(t)
			defer archive.Close()
			files := map[string]*zip.File{}
			for _, f := range archive.File {
				files[f.Name] = f
			}
			for line := range strings.Lines(string(readFile(t, "testdata/"+set+".txt"))) {
				name, want, _ := strings.Cut(strings.TrimSpace(line), " ")
				if files[name] == nil {
					t.Errorf("%s.zip lacks %s", set, name)
					continue
				}
				m, err := Decode(readZipped(t, files[name]))
				if err != nil {
					t.Errorf("%s: %v", name, err)
				} else if got := checksum(m); got != want {
					t.Errorf("%s: checksum %s, Pillow's pixels have %s", name, got, want)
				}
			}
		})
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data := require.Value(os.ReadFile(path))(t)
	return data
}

func readZipped(t testing.TB, f *zip.File) []byte {
	t.Helper()
	r := require.Value(f.Open())(t)
	defer r.Close()
	data := require.Value(io.ReadAll(r))(t)
	return data
}

// readRGB reads an opaque PNG with the standard library.
func readRGB(t testing.TB, path string) *Image {
	t.Helper()
	f := require.Value(os.Open(path))(t)
	defer f.Close()
	p := require.Value(png.Decode(f))(t)
	m := newImage(p.Bounds().Dx(), p.Bounds().Dy())
	for i := range m.Width * m.Height {
		c := color.RGBAModel.Convert(p.At(i%m.Width, i/m.Width)).(color.RGBA)
		copy(m.Pix[3*i:], []uint8{c.R, c.G, c.B})
	}
	return m
}

// compare reports the first difference and the extent of all.
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
