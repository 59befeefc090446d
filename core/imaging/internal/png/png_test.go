package png

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// The tests of package imaging compare pixels with Pillow's; these tests share their fixtures.
const pictures = "../../testdata/pictures/*.png"

func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(pictures)
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d fixtures (%v)", len(paths), err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data := require.Value(os.ReadFile(path))(t)
		files[filepath.Base(path)] = data
	}
	return files
}

func decode(data []byte) ([]uint8, error) {
	d, err := Open(data)
	if err != nil {
		return nil, err
	}
	d.Convert = overWhite
	return d.Decode()
}

func overWhite(rgb, alpha []uint8) {
	for i, a := range alpha {
		for c := 3 * i; c < 3*i+3; c++ {
			rgb[c] = uint8((int(rgb[c])*int(a) + 255*(255-int(a)) + 127) / 255)
		}
	}
}

// standard decodes a file with image/png, over white.
func standard(data []byte) ([]uint8, error) {
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var pix []uint8
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			// The low byte of 16-bit samples is dropped first.
			var c color.NRGBA
			switch of := m.At(x, y).(type) {
			case color.NRGBA64:
				c = color.NRGBA{uint8(of.R >> 8), uint8(of.G >> 8), uint8(of.B >> 8), uint8(of.A >> 8)}
			default:
				c = color.NRGBAModel.Convert(of).(color.NRGBA)
			}
			for _, v := range []uint8{c.R, c.G, c.B} {
				over := float64(v)*float64(c.A)/255 + 255 - float64(c.A)
				pix = append(pix, uint8(math.Round(over)))
			}
		}
	}
	return pix, nil
}

// Small interlaced pictures, in which some passes have no pixels.
func TestInterlaced(t *testing.T) {
	for width := 1; width <= 10; width++ {
		for height := 1; height <= 10; height++ {
			data, want := interlacedFile(t, width, height)
			if standard, err := standard(data); err != nil || !bytes.Equal(standard, want) {
				t.Fatalf("the file of %d×%d is wrong: %v", width, height, err)
			}
			if got, err := decode(data); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d×%d: %v, or other pixels", width, height, err)
			}
		}
	}
}

// Files that end after the last row, continue after it, or have wrong checksums in ancillary
// chunks.
func TestRowsSuffice(t *testing.T) {
	want := require.Value(decode(bombs.PNG(9)))(t)
	whole := bombs.PNG(9)
	var plain, more bytes.Buffer
	unpacked := require.Value(zlib.NewReader(bytes.NewReader(whole[33+8:])))(t)
	require.Value(plain.ReadFrom(unpacked))(t)
	plain.WriteString("more rows than the picture has")
	header := whole[16:29]
	more.Write(bombs.Chunks(header, &plain))
	note := append([]byte("\x00\x00\x00\x03tEXta\x00b"), 1, 2, 3, 4)
	for name, data := range map[string][]byte{
		"more data":             more.Bytes(),
		"no end":                whole[:len(whole)-12],
		"no checksums":          whole[:len(whole)-12-4-4],
		"junk behind":           append(bytes.Clone(whole), "junk"...),
		"a note that is broken": slices.Insert(bytes.Clone(whole), 33, note...),
	} {
		if got, err := decode(data); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, or other pixels", name, err)
		}
	}
	if _, err := decode(whole[:len(whole)-12-4-4-3]); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("rows missing: %v", err)
	}
}

func TestErrors(t *testing.T) {
	good := fixtures(t)["rgb.png"]
	changed := func(at int, to ...byte) []byte {
		data := bytes.Clone(good)
		copy(data[at:], to)
		binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
		return data
	}
	format := FormatError("")
	for name, data := range map[string][]byte{
		"depth 3":          changed(24, 3),
		"palette of RGB 5": changed(25, 5),
		"no palette":       changed(25, 3),
		"method":           changed(26, 1),
		"interlaced twice": changed(28, 2),
		"negative":         changed(16, 0xff),
		"another header":   append(bytes.Clone(good[:33]), good[8:]...),
		"no header first":  append([]byte(Signature), good[33:]...),
	} {
		if _, err := decode(data); !errors.As(err, &format) {
			t.Errorf("%s: %v, want a FormatError", name, err)
		}
	}
}

// FuzzDecode compares the pixels with the standard library's, and bounds the memory.
func FuzzDecode(f *testing.F) {
	for _, data := range fixtures(f) {
		f.Add(data)
	}
	data, _ := interlacedFile(f, 9, 5)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if !bytes.HasPrefix(data, []byte(Signature)) {
			return
		}
		d, err := Open(data)
		if err == nil && (d.Width > 1<<8 || d.Height > 1<<8) {
			return
		}
		var pix []uint8
		if err == nil {
			d.Convert = overWhite
			bombs.Budget(t, 1<<20, 64, len(data), func() { pix, err = d.Decode() })
		}
		if config, e := png.DecodeConfig(bytes.NewReader(data)); e != nil || config.Width > 1<<8 || config.Height > 1<<8 {
			return
		}
		if want, e := standard(data); e == nil && (err != nil || !bytes.Equal(pix, want)) {
			t.Errorf("%d bytes of pixels, want %d (%v)", len(pix), len(want), err)
		}
	})
}

// interlacedFile returns an 8-bit gray picture and its pixels.
func interlacedFile(t testing.TB, width, height int) (file, pix []byte) {
	t.Helper()
	at := func(x, y int) byte { return byte(x*29 + y*53 + 7) }
	var rows bytes.Buffer
	for _, p := range interlaced {
		if p.x >= width {
			continue
		}
		for y := p.y; y < height; y += p.dy {
			rows.WriteByte(0)
			for x := p.x; x < width; x += p.dx {
				rows.WriteByte(at(x, y))
			}
		}
	}
	for y := range height {
		for x := range width {
			pix = append(pix, at(x, y), at(x, y), at(x, y))
		}
	}
	var plain bytes.Buffer
	require.NoError(t, png.Encode(&plain, image.NewGray(image.Rect(0, 0, width, height))))
	header := plain.Bytes()[8+8:][:13]
	header[12] = 1
	return bombs.Chunks(header, &rows), pix
}

func TestProfile(t *testing.T) {
	for body, want := range map[string]string{"name\x00\x00data": "data", "name\x00\x00": "", "name\x00": "", "name": "", "": ""} {
		var d Decoder
		if d.ancillary("iCCP", []byte(body)); string(d.Profile) != want {
			t.Errorf("the profile of %q is %q, want %q", body, d.Profile, want)
		}
	}
}
