package imaging

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color/palette"
	"image/gif"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// tiffWith returns a TIFF file of one strip with the given tags and values. Tag 258 is 1 for one bit, or 3
// for three samples of 8 bits.
func tiffWith(strip string, tags ...uint32) []byte {
	file := binary.LittleEndian.AppendUint16([]byte("II*\x00\x08\x00\x00\x00"), uint16(len(tags)/2))
	end := uint32(8 + 2 + 6*len(tags) + 4)
	for i := 0; i < len(tags); i += 2 {
		kind, count, value := uint16(4), uint32(1), tags[i+1]
		switch {
		case tags[i] == 258 && value == 3:
			kind, count, value = 3, 3, end
		case tags[i] == 273:
			value = end + 6
		}
		file = binary.LittleEndian.AppendUint16(file, uint16(tags[i]))
		file = binary.LittleEndian.AppendUint16(file, kind)
		file = binary.LittleEndian.AppendUint32(file, count)
		file = binary.LittleEndian.AppendUint32(file, value)
	}
	return append(file, "\x00\x00\x00\x00\x08\x00\x08\x00\x08\x00"+strip...)
}

func TestDecodeErrors(t *testing.T) {
	jpeg := readFile(t, "testdata/pictures/420.jpg")
	progressive := readFile(t, "testdata/pictures/progressive-420.jpg")
	restarts := readFile(t, "testdata/pictures/restarts-420.jpg")
	pngFile := readFile(t, "testdata/pictures/rgb.png")
	lossless := readFile(t, "testdata/pictures/lossless.webp")
	lossy := readFile(t, "testdata/pictures/lossy.webp")
	huge := changed(jpeg, bytes.Index(jpeg, []byte("\xff\xc0"))+5, 0xff, 0xff, 0xff, 0xff)

	for _, c := range []struct {
		name string
		data []byte
		kind error
		says string
	}{
		{"empty", nil, ErrFormat, "the file is empty"},
		{"short", []byte("hello"), ErrFormat, "only 5 B"},
		{"text", []byte("hello, is this a picture?"), ErrFormat, `begins with "hello, is th"`},
		{"noise", bytes.Repeat([]byte{0x00, 0xfe}, 20), ErrFormat, "save it as"},
		{"GIF: no frame", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00"), ErrCorrupt, "gif"},
		{"BMP: header", []byte("BM\x00\x00\x00\x00"), ErrTruncated, "BMP"},
		{"TIFF: nothing in it", []byte("II*\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00"), ErrCorrupt, "tiff"},
		{"TIFF: a raw file", []byte("II*\x00\x08\x00\x00\x00\x01\x00\xfe\x00\x04\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"), ErrFormat, "raw file"},
		{"TIFF: planes", tiffWith("\x01\x02\x03", 256, 1, 257, 1, 258, 3, 259, 1, 262, 2, 273, 0, 277, 3, 278, 1, 279, 1, 284, 2), ErrUnsupported, "separate planes"},
		{"TIFF: a fax with aligned rows", tiffWith("\x00\x00\x00\x00", 256, 8, 257, 1, 258, 1, 259, 3, 262, 0, 273, 0, 277, 1, 278, 1, 279, 4, 292, 4), ErrUnsupported, "fax"},
		{"TIFF: half a fax", tiffWith("\x00\x00\x00\x00", 256, 8, 257, 1, 258, 1, 259, 3, 262, 0, 273, 0, 277, 1, 278, 1, 279, 4), ErrCorrupt, "ccitt"},
		{"HEIC", []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), ErrFormat, "HEIC"},
		{"web page", []byte("<!DOCTYPE html><title>404</title>"), ErrFormat, "a web page"},

		{"JPEG: two bytes", jpeg[:2], ErrTruncated, "copy it again"},
		{"JPEG: half", jpeg[:len(jpeg)/2], ErrTruncated, "JPEG"},
		{"JPEG: four fifths, with end marker", append(bytes.Clone(jpeg[:len(jpeg)*4/5]), 0xff, 0xd9), ErrTruncated, ""},
		{"JPEG: progressive, half", progressive[:len(progressive)/2], ErrTruncated, ""},
		{"JPEG: progressive, no end marker", progressive[:len(progressive)-2], ErrTruncated, ""},
		{"JPEG: huge", huge, ErrTooLarge, "65535×65535"},
		{"JPEG: large but empty", changed(jpeg, bytes.Index(jpeg, []byte("\xff\xc0"))+5, 0x1f, 0xff, 0x1f, 0xff), ErrTruncated, ""},
		{"JPEG: no pixels", changed(jpeg, bytes.Index(jpeg, []byte("\xff\xc0"))+5, 0, 0), ErrCorrupt, "37×0"},
		{"JPEG: 12 bits", changed(jpeg, bytes.Index(jpeg, []byte("\xff\xc0"))+4, 12), ErrUnsupported, "precision of 12 bits"},
		{"JPEG: arithmetic", changed(jpeg, bytes.Index(jpeg, []byte("\xff\xc0"))+1, 0xc9), ErrUnsupported, "arithmetic coding"},
		{"JPEG: lossless", changed(jpeg, bytes.Index(jpeg, []byte("\xff\xc0"))+1, 0xc3), ErrUnsupported, "lossless"},
		{"JPEG: a restart marker lost", bytes.Replace(restarts, []byte("\xff\xd0"), nil, 1), ErrCorrupt, "restart marker"},

		{"PNG: signature", pngFile[:8], ErrTruncated, "PNG"},
		{"PNG: half", pngFile[:len(pngFile)/2], ErrTruncated, "PNG"},
		{"PNG: changed byte", changed(pngFile, len(pngFile)/2, ^pngFile[len(pngFile)/2]), ErrCorrupt, "save it again"},
		{"PNG: huge", pngHeader(t, 50000, 50000), ErrTooLarge, "50000×50000"},
		{"PNG: large but empty", pngHeader(t, 8000, 8000), ErrTruncated, ""},

		{"WebP: header", lossless[:12], ErrTruncated, "WebP"},
		{"WebP: lossless, half", lossless[:len(lossless)/2], ErrTruncated, ""},
		{"WebP: lossy, half", lossy[:len(lossy)/2], ErrTruncated, ""},
		{"WebP: nothing in it", []byte("RIFF\x04\x00\x00\x00WEBP"), ErrCorrupt, "no picture"},
		{"WebP: an empty animation", []byte("RIFF\x0c\x00\x00\x00WEBPANMF\x00\x00\x00\x00"), ErrCorrupt, "no picture"},
		{"WebP: of another frame", changed(lossy, 20, lossy[20]|1), ErrCorrupt, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Decode(c.data)
			if m != nil || !errors.Is(err, c.kind) {
				t.Fatalf("%v, want an error of kind %q", err, c.kind)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %q does not say %q", err, c.says)
			}
		})
	}
}

func TestDecodeLimit(t *testing.T) {
	for _, name := range []string{"420.jpg", "lossless.webp", "lossy.webp"} {
		data := readFile(t, "testdata/pictures/"+name)
		if _, err := DecodeWithin(data, 37*27-1); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v, want ErrTooLarge", name, err)
		}
		if _, err := DecodeWithin(data, 37*27); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecodeTruncated truncates files of every kind at every position: Decode may return a picture
// only if no picture data is missing.
func TestDecodeTruncated(t *testing.T) {
	for _, name := range []string{"420.jpg", "progressive-420.jpg", "restarts-gray.jpg", "separate-scans.jpg",
		"orientation-6.jpg", "cmyk.jpg", "palette-16.png", "gray-alpha.png", "lossless.webp", "lossy-alpha.webp"} {
		t.Run(name, func(t *testing.T) {
			data := readFile(t, "testdata/pictures/"+name)
			want := require.Value(Decode(data))(t)
			for n := range data {
				m, err := Decode(data[:n])
				switch {
				case err == nil && checksum(m) != checksum(want):
					t.Fatalf("%d of %d bytes decode to another picture", n, len(data))
				case err == nil && n < len(data)-22: // checksums, PNG's end, and the last bits of deflate
					t.Fatalf("%d of %d bytes decode", n, len(data))
				}
			}
		})
	}
}

// An animation is its first frame on a white canvas.
func TestDecodeAnimatedWebP(t *testing.T) {
	still := readFile(t, "testdata/pictures/lossy-2x3.webp")
	frame := require.Value(Decode(still))(t)
	animation := func(x, y, width, height int) []byte {
		u24 := func(v int) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16)} }
		chunk := func(kind string, body ...[]byte) []byte {
			all := slices.Concat(body...)
			return append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(all))), all...)
		}
		body := slices.Concat([]byte("WEBP"), chunk("VP8X", []byte{2, 0, 0, 0}, u24(width-1), u24(height-1)),
			chunk("ANMF", u24(x/2), u24(y/2), u24(1), u24(2), make([]byte, 4), still[12:]))
		return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
	}
	for _, c := range []struct{ x, y, width, height int }{{2, 4, 4, 7}, {0, 0, 2, 5}, {0, 0, 3, 3}, {0, 0, 2, 3}} {
		got := require.Value(Decode(animation(c.x, c.y, c.width, c.height)))(t)
		want := &Image{Width: c.width, Height: c.height, Pix: bytes.Repeat([]byte{255}, 3*c.width*c.height)}
		for row := range 3 {
			copy(want.Pix[3*((c.y+row)*want.Width+c.x):], frame.Pix[3*2*row:][:3*2])
		}
		compare(t, got, want)
	}
	for _, size := range [][2]int{{3, 7}, {4, 6}} {
		if _, err := Decode(animation(2, 4, size[0], size[1])); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "outside") {
			t.Errorf("a canvas of %v: error %v", size, err)
		}
	}
}

// Every filter of the opacity of WebP gives the values of package webp.
func TestAlphaFilters(t *testing.T) {
	data := readFile(t, "testdata/pictures/lossy-alpha.webp")
	at := bytes.Index(data, []byte("ALPH")) + 8
	size := binary.LittleEndian.Uint32(data[at-4:])
	for filter := range byte(4) {
		data[at] = data[at]&^(3<<2) | filter<<2
		want := require.Value(webp.Decode(bytes.NewReader(data)))(t).(*image.NYCbCrA)
		got, err := alphaPlane(data[at:][:size], want.Rect.Dx(), want.Rect.Dy())
		if err != nil || !bytes.Equal(got, want.A) {
			t.Errorf("filter %d: %v, %v\nwant %v", filter, got, err, want.A)
		}
	}
	if raw, err := alphaPlane([]byte{0, 1, 2, 3, 4, 5, 6}, 2, 3); err != nil || !bytes.Equal(raw, []byte{1, 2, 3, 4, 5, 6}) {
		t.Errorf("raw values: %v, %v", raw, err)
	}
	for _, damaged := range [][]byte{nil, {0, 1, 2, 3, 4, 5}, {1, 0}, {2, 0}} {
		if got, err := alphaPlane(damaged, 2, 3); err == nil {
			t.Errorf("%v gives %v", damaged, got)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, name := range []string{"420.jpg", "rgb.png", "lossy.webp"} {
		if !Sniff(readFile(t, "testdata/pictures/"+name)[:16]) {
			t.Errorf("%s is no picture", name)
		}
	}
	for data, want := range map[string]bool{
		"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36": true, "GIF89a\x01\x00": true, "II*\x00\x08\x00": true, "MM\x00*\x00\x00": true,
		"BM, a text": false, "BM": false, "RIFF\x04\x00\x00\x00WAVE": false, "RIFF": false, "RIFX\x04\x00\x00\x00WEBP": false, "": false, "\xff\xd8": false,
	} {
		if got := Sniff([]byte(data)); got != want {
			t.Errorf("%q is a picture: %v, want %v", data, got, want)
		}
	}
}

func TestFlattenRGBA(t *testing.T) {
	got := &Image{Width: 1, Height: 2, Pix: make([]uint8, 6)}
	FlattenRGBA(got.Pix, []byte{1, 2, 3, 0, 5, 6, 7, 128})
	compare(t, got, &Image{Width: 1, Height: 2, Pix: []uint8{255, 255, 255, 130, 130, 131}})
}

func TestCrop(t *testing.T) {
	m := pattern(5, 4)
	for _, r := range [][4]int{{1, 2, 3, 2}, {4, 3, 1, 1}} {
		got := Crop(m, r[0], r[1], r[2], r[3])
		for i := range got.Pix {
			x, y, c := i/3%r[2], i/3/r[2], i%3
			if want := m.Pix[3*(5*(y+r[1])+x+r[0])+c]; got.Pix[i] != want {
				t.Fatalf("pixel (%d, %d): %d, want %d", x, y, got.Pix[i], want)
			}
		}
	}
	for _, r := range [][4]int{{-1, 0, 2, 2}, {0, -1, 2, 2}, {0, 0, 0, 1}, {0, 0, 1, 0}, {3, 0, 3, 1}, {0, 3, 1, 2}} {
		mustPanic(t, func() { Crop(m, r[0], r[1], r[2], r[3]) })
	}
}

func FuzzDecode(f *testing.F) {
	pictures := require.Value(filepath.Glob("testdata/pictures/*"))(f)
	for _, path := range pictures {
		if !strings.HasSuffix(path, wantSuffix) {
			f.Add(readFile(f, path))
		}
	}
	small := image.NewPaletted(image.Rect(0, 0, 5, 4), palette.Plan9)
	for _, encode := range []func(io.Writer) error{
		func(w io.Writer) error { return gif.Encode(w, small, nil) },
		func(w io.Writer) error { return bmp.Encode(w, small) },
		func(w io.Writer) error {
			return tiff.Encode(w, small, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
		},
	} {
		var file bytes.Buffer
		require.NoError(f, encode(&file))
		f.Add(file.Bytes())
	}
	f.Add(bombs.JPEG(256, 14))
	f.Add(bombs.PNG(256))
	f.Add(bombs.WebP(256, 256))
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 16
		var m *Image
		var err error
		// One byte of a lossless WebP can begin a tree of several hundred lengths.
		bombs.Budget(t, 4<<20, 4096, len(data), func() { m, err = DecodeWithin(data, limit) })
		switch {
		case err == nil && (m.Width < 1 || m.Height < 1 || m.Width*m.Height > limit || len(m.Pix) != 3*m.Width*m.Height):
			t.Errorf("picture of %d×%d with %d samples", m.Width, m.Height, len(m.Pix))
		case err != nil && m != nil:
			t.Errorf("a picture and an error: %v", err)
		case err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrTruncated) &&
			!errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrTooLarge):
			t.Errorf("error of no kind: %v", err)
		}
	})
}

// changed returns data with other bytes at a position.
func changed(data []byte, at int, bytes ...byte) []byte {
	out := append([]byte(nil), data...)
	copy(out[at:], bytes)
	return out
}

// pngHeader returns the start of a PNG file with the given size.
func pngHeader(t *testing.T, width, height uint32) []byte {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 1, 1))))
	data := file.Bytes()
	binary.BigEndian.PutUint32(data[16:], width)
	binary.BigEndian.PutUint32(data[20:], height)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func ExampleDecode() {
	_, err := Decode([]byte("%PDF-1.7"))
	fmt.Println(err)
	fmt.Println(errors.Is(err, ErrFormat))
	// Output:
	// not a picture that can be read: it is a PDF; save it as JPEG, PNG or WebP
	// true
}

func ExamplePreprocess() {
	m := &Image{Width: 640, Height: 480, Pix: make([]uint8, 3*640*480)}
	p := Preprocess{Size: 84, Mean: [3]float32{0.485, 0.456, 0.406}, Std: [3]float32{0.229, 0.224, 0.225}}
	seen := p.Pixels(m)
	input := make([]float32, 84*84*3)
	p.Normalize(input, seen)
	fmt.Println(seen.Width, seen.Height, input[0])
	// Output: 84 84 -2.117904
}

// Programs leave the opacity of a BMP at zero. Browsers take such a picture as opaque.
func TestDecodeBMPWithoutOpacity(t *testing.T) {
	const version4 = 108
	file := binary.LittleEndian.AppendUint32([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00"), 14+version4)
	file = binary.LittleEndian.AppendUint32(file, version4)
	file = append(file, "\x02\x00\x00\x00\x01\x00\x00\x00\x01\x00\x20\x00"...) // 2×1 pixels of 32 bits
	file = append(file, make([]byte, 14+version4-len(file))...)
	for _, c := range []struct {
		opacity [2]uint8
		want    []uint8
	}{
		{[2]uint8{0, 0}, []uint8{3, 2, 1, 6, 5, 4}},
		{[2]uint8{0, 255}, []uint8{255, 255, 255, 6, 5, 4}},
	} {
		m := require.Value(Decode(append(bytes.Clone(file), 1, 2, 3, c.opacity[0], 4, 5, 6, c.opacity[1])))(t)
		if !bytes.Equal(m.Pix, c.want) {
			t.Errorf("opacity %v: %v, want %v", c.opacity, m.Pix, c.want)
		}
	}
}

// Browsers and Pillow enlarge the screen of a GIF for its first frame.
func TestDecodeGIFWithSmallScreen(t *testing.T) {
	var file bytes.Buffer
	frame := image.NewPaletted(image.Rect(0, 0, 5, 4), palette.Plan9[:8])
	frame.SetColorIndex(4, 3, 5)
	require.NoError(t, gif.EncodeAll(&file, &gif.GIF{Image: []*image.Paletted{frame}, Delay: []int{100}, LoopCount: 3, // with extensions
		Config: image.Config{Width: 5, Height: 4, ColorModel: frame.Palette}})) // and a palette of the screen
	want := require.Value(Decode(file.Bytes()))(t)
	for _, screen := range [][]byte{{0, 0, 0, 0}, {3, 0, 4, 0}, {5, 0, 1, 0}} {
		got, err := Decode(changed(file.Bytes(), 6, screen...))
		if err != nil || got.Width != 5 || got.Height != 4 || !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("screen %v: %v, error %v", screen, got, err)
		}
	}
}

// Faxes whose zeros are black, and whose zeros are white, as Pillow writes and reads them.
func TestDecodeFax(t *testing.T) {
	const directory = "09000001030001000000080000000101030001000000020000000201030001000000010000000301030001000000%s00000601030001000000%s0000" +
		"1101040001000000080000001601030001000000020000001701040001000000070000001c010300010000000100000000000000"
	for _, fax := range []struct{ name, strip, compression, zero string }{
		{"Group 4, zeros are black", "2e41020a00200200", "0400", "0100"},
		{"Group 3, zeros are black", "001720013531f000", "0300", "0100"},
		{"Group 4, zeros are white", "2e41020a00200200", "0400", "0000"},
	} {
		begin := "49492a0010000000" + fax.strip
		m, err := Decode(require.Value(hex.DecodeString(begin + fmt.Sprintf(directory, fax.compression, fax.zero)))(t))
		require.NoError(t, err)
		for i, v := range m.Pix {
			black := slices.Contains([]int{0, 1, 13}, i/3)
			if zero := fax.zero == "0100"; (v == 0) != (black == zero) || v != 0 && v != 255 {
				t.Errorf("%s: pixel %d is %d", fax.name, i/3, v)
			}
		}
	}
}
