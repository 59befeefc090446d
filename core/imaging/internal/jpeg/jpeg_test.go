package jpeg

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// The tests of package imaging compare pixels with libjpeg's; these tests share their fixtures.
const pictures = "../../testdata/pictures/"

func read(t testing.TB, name string) []byte {
	t.Helper()
	data := require.Value(os.ReadFile(pictures + name))(t)
	return data
}

func decode(data []byte) ([]uint8, error) {
	d, err := Open(data)
	if err != nil {
		return nil, err
	}
	return d.Decode()
}

// file assembles a JPEG file from segments.
func file(segments ...string) []byte {
	return []byte("\xff\xd8" + join(segments))
}

func join(parts []string) (all string) {
	for _, p := range parts {
		all += p
	}
	return all
}

// Segments of the smallest gray picture: 8×8 pixels, whose DC difference and AC coefficients are
// coded by the code 0.
const (
	frame8   = "\xff\xc0\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x11\x00"
	frame8p  = "\xff\xc2\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x11\x00"
	tableDC  = "\xff\xc4\x00\x14\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	tableAC  = "\xff\xc4\x00\x14\x10\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	scanAll  = "\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
	scanDC   = "\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00"
	scanBit1 = "\xff\xda\x00\x08\x01\x01\x00\x00\x00\x01"
	scanBit0 = "\xff\xda\x00\x08\x01\x01\x00\x00\x00\x10"
	scanBit2 = "\xff\xda\x00\x08\x01\x01\x00\x00\x00\x02"
	skipBit1 = "\xff\xda\x00\x08\x01\x01\x00\x00\x00\x20"
	end      = "\xff\xd9"
)

var tableQ = "\xff\xdb\x00\x43\x00" + string(bytes.Repeat([]byte{1}, 64))

// scanOf returns the scan of one component.
func scanOf(id string) string { return "\xff\xda\x00\x08\x01" + id + "\x00\x00\x3f\x00" }

func TestSmallestPicture(t *testing.T) {
	for name, data := range map[string][]byte{
		"sequential":              file(tableQ, frame8, tableDC, tableAC, scanAll, "\x3f", end),
		"without end marker":      file(tableQ, frame8, tableDC, tableAC, scanAll, "\x3f"),
		"stray bytes":             file("\x00\x01", tableQ, frame8, "\x00\xff\x00", tableDC, tableAC, scanAll, "\x3f", end),
		"unknown segments":        file("\xff\xfe\x00\x05abc", "\xff\xe7\x00\x02", tableQ, frame8, tableDC, tableAC, scanAll, "\x3f", end),
		"progressive":             file(tableQ, frame8p, tableDC, scanDC, "\x7f", end),
		"progressive, two passes": file(tableQ, frame8p, tableDC, scanBit1, "\x7f", scanBit0, "\x7f", end),
		"scans in reverse": file(tableQ, "\xff\xc0\x00\x11\x08\x00\x08\x00\x08\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00", tableDC, tableAC,
			scanOf("\x03"), "\x3f", scanOf("\x02"), "\x3f", scanOf("\x01"), "\x3f", end),
	} {
		t.Run(name, func(t *testing.T) {
			pix := require.Value(decode(data))(t)
			if want := bytes.Repeat([]byte{128}, 3*64); !bytes.Equal(pix, want) {
				t.Errorf("pixels %v, want 128 all over", pix)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	format, unsupported := FormatError(""), UnsupportedError("")
	rest := join([]string{tableDC, tableAC, scanAll, "\x3f", end})
	for _, c := range []struct {
		name string
		data []byte
		want any
	}{
		{"nothing", nil, format},
		{"PNG", []byte("\x89PNG\r\n\x1a\n"), format},
		{"start marker only", file(), ErrTruncated},
		{"no scan", file(tableQ, frame8, end), format},
		{"no frame", file(tableQ, rest), format},
		{"two frames", file(frame8, frame8, rest), format},
		{"frame too short", file("\xff\xc0\x00\x07\x08\x00\x08\x00\x08"), format},
		{"frame cut", file("\xff\xc0\x00\x0b\x08"), ErrTruncated},
		{"length below two", file("\xff\xdb\x00\x01"), format},
		{"two components", file("\xff\xc0\x00\x0e\x08\x00\x08\x00\x08\x02\x01\x11\x00\x02\x11\x00"), unsupported},
		{"components of one name", file("\xff\xc0\x00\x11\x08\x00\x08\x00\x08\x03\x01\x11\x00\x01\x11\x00\x02\x11\x00"), format},
		{"no sampling", file("\xff\xc0\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x01\x00"), format},
		{"sampling by halves", file("\xff\xc0\x00\x11\x08\x00\x08\x00\x08\x03\x01\x31\x00\x02\x21\x00\x03\x11\x00"), unsupported},
		{"16 bits", file("\xff\xc0\x00\x0b\x10\x00\x08\x00\x08\x01\x01\x11\x00"), unsupported},
		{"arithmetic", file("\xff\xc9\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x11\x00"), unsupported},
		{"conditioning", file("\xff\xcc\x00\x02"), unsupported},
		{"hierarchical", file("\xff\xc5\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x11\x00"), unsupported},
		{"no quantization table", file(frame8, rest), format},
		{"quantization table cut", file("\xff\xdb\x00\x05\x00\x01\x01"), format},
		{"quantization table 4", file("\xff\xdb\x00\x05\x04\x01\x01"), format},
		{"no Huffman tables", file(tableQ, frame8, scanAll, "\x3f", end), format},
		{"no AC table", file(tableQ, frame8, tableDC, scanAll, "\x3f", end), format},
		{"Huffman table cut", file("\xff\xc4\x00\x05\x00\x01\x01"), format},
		{"three codes of one bit", file("\xff\xc4\x00\x16\x00\x03" + string(make([]byte, 18))), format},
		{"difference of 16 bits", file("\xff\xc4\x00\x14\x00\x01" + string(make([]byte, 15)) + "\x10"), format},
		{"restart interval of one byte", file("\xff\xdd\x00\x03\x01"), format},
		{"scan of another component", file(tableQ, frame8, tableDC, tableAC, "\xff\xda\x00\x08\x01\x02\x00\x00\x3f\x00\x3f", end), format},
		{"scan of two components", file(tableQ, frame8, tableDC, tableAC, "\xff\xda\x00\x0a\x02\x01\x00\x01\x00\x00\x3f\x00\x3f", end), format},
		{"scan header too short", file(tableQ, frame8, tableDC, tableAC, "\xff\xda\x00\x03\x01"), format},
		{"no data", file(tableQ, frame8, tableDC, tableAC, scanAll), ErrTruncated},
		{"no data before the end", file(tableQ, frame8, tableDC, tableAC, scanAll, end), ErrTruncated},
		{"no data before a segment", file(tableQ, frame8, tableDC, tableAC, scanAll, tableQ, end), format},
		{"code of no symbol", file(tableQ, frame8, tableDC, tableAC, scanAll, "\x80\x00", end), format},
		{"progressive, same scan twice", file(tableQ, frame8p, tableDC, scanDC, "\x7f", scanDC, "\x7f", end), format},
		{"progressive, refined twice", file(tableQ, frame8p, tableDC, scanBit1, "\x7f", scanBit0, "\x7f", scanBit0, "\x7f", end), format},
		{"progressive, refinement first", file(tableQ, frame8p, tableDC, scanBit0, "\x7f", end), format},
		{"progressive, two bits refined at once", file(tableQ, frame8p, tableDC, scanBit2, "\x7f", skipBit1, "\x7f", end), format},
		{"progressive, DC with AC", file(tableQ, frame8p, tableDC, tableAC, scanAll, "\x3f", end), format},
		{"progressive, no end", file(tableQ, frame8p, tableDC, scanDC, "\x7f"), ErrTruncated},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decode(c.data)
			switch want := c.want.(type) {
			case FormatError:
				if !errors.As(err, &want) {
					t.Errorf("%v, want a FormatError", err)
				}
			case UnsupportedError:
				if !errors.As(err, &want) {
					t.Errorf("%v, want an UnsupportedError", err)
				}
			default:
				if err != want {
					t.Errorf("%v, want %v", err, want)
				}
			}
		})
	}
}

// TestDamaged changes each byte: Decode must not panic, and a picture must have the right size.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"420.jpg", "progressive-420.jpg", "restarts-420.jpg", "cmyk.jpg"} {
		data := read(t, name)
		for i := range data {
			for _, v := range []byte{0x00, 0xff, data[i] ^ 0x10} {
				damaged := bytes.Clone(data)
				damaged[i] = v
				d, err := Open(damaged)
				if err != nil || d.Width*d.Height > 1<<16 {
					continue
				}
				if pix, err := d.Decode(); err == nil && len(pix) != 3*d.Width*d.Height {
					t.Fatalf("%s, byte %d: %d samples for %d×%d pixels", name, i, len(pix), d.Width, d.Height)
				}
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	paths, err := filepath.Glob(pictures + "*.jpg")
	if err != nil || len(paths) == 0 {
		f.Fatalf("%d fixtures (%v)", len(paths), err)
	}
	for _, path := range paths {
		f.Add(read(f, filepath.Base(path)))
	}
	f.Add(file(tableQ, frame8, tableDC, tableAC, scanAll, "\x3f", end))
	f.Add(file(tableQ, frame8p, tableDC, scanBit1, "\x7f", scanBit0, "\x7f", end))
	f.Add(bombs.JPEG(256, 14))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Open(data)
		if err != nil || d.Width*d.Height > 1<<16 {
			return
		}
		var pix []uint8
		// The memory for 1<<16 pixels, and the tables in the file.
		bombs.Budget(t, 4<<20, 256, len(data), func() { pix, err = d.Decode() })
		if (err == nil) != (len(pix) == 3*d.Width*d.Height) {
			t.Errorf("%d samples for %d×%d pixels, error %v", len(pix), d.Width, d.Height, err)
		}
	})
}
