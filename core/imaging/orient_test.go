package imaging

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
)

// TestOrient orients a picture of three by two pixels: A B C over D E F.
func TestOrient(t *testing.T) {
	stored := letters("ABC", "DEF")
	for orientation, want := range map[int]*Image{
		0: stored,
		1: stored,
		2: letters("CBA", "FED"),
		3: letters("FED", "CBA"),
		4: letters("DEF", "ABC"),
		5: letters("AD", "BE", "CF"),
		6: letters("DA", "EB", "FC"),
		7: letters("FC", "EB", "DA"),
		8: letters("CF", "BE", "AD"),
		9: stored,
	} {
		t.Run(fmt.Sprint(orientation), func(t *testing.T) { compare(t, Orient(stored, orientation), want) })
	}
}

// letters returns a picture with one pixel per letter.
func letters(rows ...string) *Image {
	m := &Image{Width: len(rows[0]), Height: len(rows)}
	for _, row := range rows {
		for _, letter := range []byte(row) {
			m.Pix = append(m.Pix, letter, letter+100, letter/2)
		}
	}
	return m
}

// exifOf returns an Exif structure with one entry.
func exifOf(entry string) []byte {
	return []byte("II*\x00\x08\x00\x00\x00\x01\x00" + entry + "\x00\x00\x00\x00")
}

func TestOrientation(t *testing.T) {
	six := exifOf("\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00")
	for _, c := range []struct {
		name string
		exif []byte
		want int
	}{
		{"none", nil, 1},
		{"little-endian", six, 6},
		{"with prefix", append([]byte("Exif\x00\x00"), six...), 6},
		{"big-endian", []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x08\x00\x00"), 8},
		{"behind another entry", []byte("II*\x00\x08\x00\x00\x00\x02\x00" +
			"\x0f\x01\x02\x00\x04\x00\x00\x00abc\x00" + "\x12\x01\x03\x00\x01\x00\x00\x00\x03\x00\x00\x00"), 3},
		{"out of range", exifOf("\x12\x01\x03\x00\x01\x00\x00\x00\x09\x00\x00\x00"), 1},
		{"zero", exifOf("\x12\x01\x03\x00\x01\x00\x00\x00\x00\x00\x00\x00"), 1},
		{"of another type", exifOf("\x12\x01\x02\x00\x01\x00\x00\x00\x06\x00\x00\x00"), 1},
		{"not TIFF", bytes.Repeat([]byte("x"), 40), 1},
		{"cut in its entry", six[:20], 1},
		{"directory beyond the end", []byte("II*\x00\xff\xff\xff\xff\x01\x00\x00\x00"), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := orientation(c.exif); got != c.want {
				t.Errorf("orientation %d, want %d", got, c.want)
			}
		})
	}
}

func FuzzOrientation(f *testing.F) {
	f.Add(exifOf("\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, exif []byte) {
		bombs.Budget(t, 1<<20, 1, len(exif), func() {
			if v := orientation(exif); v < 1 || v > 8 {
				t.Errorf("orientation %d", v)
			}
		})
	})
}
