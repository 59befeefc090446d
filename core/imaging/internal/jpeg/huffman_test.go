package jpeg

import (
	"fmt"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestHuffman encodes and decodes symbols with codes of every length.
func TestHuffman(t *testing.T) {
	counts := make([]byte, 16)
	var symbols []byte
	for l := range counts { // 0, 10, 110, …: one code of each length
		counts[l] = 1
		symbols = append(symbols, byte(200+l))
	}
	h := require.Value(newHuffman(counts, symbols))(t)
	message := []byte{200, 215, 201, 208, 209, 210, 200, 214, 215, 215, 200}
	bits := ""
	for _, s := range message {
		for range s - 200 {
			bits += "1"
		}
		bits += "0"
	}
	r := bitReader{data: packed(bits)}
	var got []byte
	for range message {
		got = append(got, r.symbol(h))
	}
	if !slices.Equal(got, message) || r.corrupt || r.overrun() {
		t.Errorf("%v, want %v (corrupt %v, overrun %v)", got, message, r.corrupt, r.overrun())
	}
	r = bitReader{data: packed("1111111111111111")}
	if r.symbol(h); !r.corrupt {
		t.Error("a code of no symbol was read")
	}
}

// packed converts a string of binary digits to stuffed bytes.
func packed(digits string) (data []byte) {
	for len(digits)%8 != 0 {
		digits += "1"
	}
	for ; digits != ""; digits = digits[8:] {
		var b byte
		fmt.Sscanf(digits[:8], "%b", &b)
		if data = append(data, b); b == 0xff {
			data = append(data, 0)
		}
	}
	return data
}

func TestBitReader(t *testing.T) {
	r := bitReader{data: []byte{0x12, 0xff, 0x00, 0x34, 0xff, 0xff, 0x00, 0x56, 0xff, 0xd9, 0x78}}
	for i, want := range []int32{0x12, 0xff, 0x34, 0xff, 0x56} {
		r.fill()
		if got := r.take(8); got != want || r.overrun() {
			t.Fatalf("byte %d is %#x (overrun %v), want %#x", i, got, r.overrun(), want)
		}
	}
	if r.pos != 8 {
		t.Errorf("stands at %d, want 8, where the marker is", r.pos)
	}
	if r.fill(); r.take(1) != 0 || !r.overrun() || !r.ended() {
		t.Error("read on behind the end marker")
	}
}

func TestExtend(t *testing.T) {
	for _, c := range []struct {
		bits int32
		size int
		want int32
	}{{0, 0, 0}, {0, 1, -1}, {1, 1, 1}, {0, 3, -7}, {3, 3, -4}, {4, 3, 4}, {7, 3, 7}, {0, 15, -32767}} {
		if got := extend(c.bits, c.size); got != c.want {
			t.Errorf("%d bits %b mean %d, want %d", c.size, c.bits, got, c.want)
		}
	}
}
