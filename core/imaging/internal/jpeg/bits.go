package jpeg

import "encoding/binary"

// bitReader reads the bits of entropy-coded data, most significant first, without stuffed zero
// bytes (section B.1.1.5). It stops before the next marker and returns zeros from there; if padded
// exceeds n, some were used.
type bitReader struct {
	data []byte
	pos  int // next byte; the marker's 0xff at the end

	acc    uint64 // unused bits, left-aligned, then zeros
	n      int    // number of valid bits in acc, including padding
	padded int    // number of padding bits

	corrupt bool // sticky: an unknown code, or a coefficient after the last
}

// fill provides at least 32 bits: a Huffman code of up to 16 and the up to 16 bits after it.
func (r *bitReader) fill() {
	if r.n >= 32 {
		return
	}
	if r.pos+4 <= len(r.data) {
		if x := binary.BigEndian.Uint32(r.data[r.pos:]); (^x-0x01010101)&x&0x80808080 == 0 {
			r.acc |= uint64(x) << (32 - r.n)
			r.n += 32
			r.pos += 4
			return
		}
	}
	for r.n <= 56 {
		b, ok := r.nextByte()
		if !ok {
			r.padded += 8
		}
		r.acc |= uint64(b) << (56 - r.n)
		r.n += 8
	}
}

// nextByte returns one byte of data, or false at a marker or the end.
func (r *bitReader) nextByte() (byte, bool) {
	if r.pos >= len(r.data) {
		return 0, false
	}
	b := r.data[r.pos]
	if b != 0xff {
		r.pos++
		return b, true
	}
	for i := r.pos + 1; i < len(r.data); i++ {
		switch r.data[i] {
		case 0x00: // stuffed
			r.pos = i + 1
			return 0xff, true
		case 0xff: // a fill byte
		default:
			return 0, false
		}
	}
	return 0, false
}

// bits removes and returns k bits, 0 ≤ k ≤ 16, that fill has provided.
func (r *bitReader) bits(k int) int32 {
	v := int32(r.acc >> 48 >> (16 - k))
	r.acc <<= k
	r.n -= k
	return v
}

func (r *bitReader) bit() bool {
	if r.n < 1 {
		r.fill()
	}
	return r.bits(1) != 0
}

// extend returns the value of k bits (figure F.12): positive in the upper half of the range,
// negative in the lower half.
func extend(v int32, k int) int32 {
	if k > 0 && v < 1<<(k-1) {
		v += -1<<k + 1
	}
	return v
}
