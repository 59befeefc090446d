package jpeg

import "encoding/binary"

// bitReader reads the bits of entropy-coded data, most significant first, with
// stuffed zero bytes removed (section B.1.1.5). It stops in front of the next
// marker and yields zeros from there; overrun tells that some were used.
type bitReader struct {
	data []byte
	pos  int // of the next byte to take; at the marker's 0xff once one is met

	acc    uint64 // bits not yet used, left-aligned, zeros behind them
	n      int    // how many of acc are valid, padding included
	padded int    // zero bits made up behind the end of the data

	corrupt bool // sticky: a code that no table has, or a coefficient past the last
}

// fill makes at least 32 bits available: a Huffman code of up to 16 and the
// up to 16 bits that follow it.
func (r *bitReader) fill() {
	if r.n >= 32 {
		return
	}
	if r.pos+4 <= len(r.data) {
		// Four bytes at once unless one of them is 0xff.
		if x := binary.BigEndian.Uint32(r.data[r.pos:]); (^x-0x01010101)&x&0x80808080 == 0 {
			r.acc |= uint64(x) << (32 - r.n)
			r.n += 32
			r.pos += 4
			return
		}
	}
	for r.n <= 56 {
		b, ok := r.next()
		if !ok {
			r.padded += 8
		}
		r.acc |= uint64(b) << (56 - r.n)
		r.n += 8
	}
}

// next takes one byte of data; false in front of a marker or at the end.
func (r *bitReader) next() (byte, bool) {
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
		case 0x00: // stuffed: the 0xff is data
			r.pos = i + 1
			return 0xff, true
		case 0xff: // a fill byte
		default:
			return 0, false
		}
	}
	return 0, false
}

// take removes and returns k bits, 0 ≤ k ≤ 16, which fill has made available.
func (r *bitReader) take(k int) int32 {
	v := int32(r.acc >> 48 >> (16 - k))
	r.acc <<= k
	r.n -= k
	return v
}

// bit reads one bit.
func (r *bitReader) bit() bool {
	if r.n < 1 {
		r.fill()
	}
	return r.take(1) != 0
}

// extend turns k bits read into the value that they stand for (figure F.12):
// the upper half of the range is positive, the lower half negative.
func extend(v int32, k int) int32 {
	if k > 0 && v < 1<<(k-1) {
		v += -1<<k + 1
	}
	return v
}

// overrun reports whether bits behind the end of the data were used.
func (r *bitReader) overrun() bool { return r.padded > r.n }

// ended reports whether the data themselves have ended, not only an interval of them.
func (r *bitReader) ended() bool {
	rest := r.data[r.pos:]
	return len(rest) < 2 || rest[1] == markerEOI
}
