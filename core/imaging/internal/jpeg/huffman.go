package jpeg

import "fmt"

// lookupBits is the maximum length of codes in the lookup table. Longer codes are rare and searched
// length by length.
const lookupBits = 9

// huffman decodes the symbols of one Huffman table.
type huffman struct {
	lookup [1 << lookupBits]uint16 // by the next bits: code length<<8 | symbol, 0 for longer codes
	// For each code length, limit is the largest code + 1, shifted up to 16 bits; first is the
	// difference between a symbol's index and its code. Figure F.15 calls them MAXCODE, MINCODE and
	// VALPTR.
	limit   [17]int32
	first   [17]int32
	symbols [256]uint8
}

// huffmanTables reads Huffman tables (section B.2.4.2).
func (d *Decoder) huffmanTables(p []byte) error {
	for len(p) > 0 {
		if len(p) < 17 {
			return FormatError("Huffman table of wrong length")
		}
		class, id := p[0]>>4, p[0]&15
		if class > 1 || id > 3 {
			return FormatError(fmt.Sprintf("Huffman table %d of class %d", id, class))
		}
		counts := p[1:17]
		total := 0
		for _, c := range counts {
			total += int(c)
		}
		if total > 256 || len(p) < 17+total {
			return FormatError("Huffman table of wrong length")
		}
		symbols := p[17 : 17+total]
		p = p[17+total:]
		h, err := newHuffman(counts, symbols)
		if err != nil {
			return err
		}
		if class == 1 {
			d.ac[id] = h
			continue
		}
		for _, s := range symbols {
			if s > 15 {
				return FormatError(fmt.Sprintf("DC difference of %d bits", s))
			}
		}
		d.dc[id] = h
	}
	return nil
}

// newHuffman returns the decoder of a table with counts[l-1] codes of length l (annex C).
func newHuffman(counts, symbols []byte) (*huffman, error) {
	h := new(huffman)
	copy(h.symbols[:], symbols)
	code, index := int32(0), int32(0)
	for l := 1; l <= 16; l++ {
		h.first[l] = index - code
		for range counts[l-1] {
			if code >= 1<<l {
				return nil, FormatError("Huffman table with more codes than its lengths allow")
			}
			if l <= lookupBits {
				from := code << (lookupBits - l)
				for i := range int32(1) << (lookupBits - l) {
					h.lookup[from+i] = uint16(l)<<8 | uint16(symbols[index])
				}
			}
			code++
			index++
		}
		h.limit[l] = code << (16 - l)
		code <<= 1
	}
	return h, nil
}

// symbol reads one Huffman code. At least 16 bits remain available.
func (r *bitReader) symbol(h *huffman) uint8 {
	if r.n < 32 {
		r.fill()
	}
	if e := h.lookup[r.acc>>(64-lookupBits)]; e != 0 {
		length := int(e >> 8)
		r.acc <<= length
		r.n -= length
		return uint8(e)
	}
	return r.longSymbol(h)
}

// longSymbol reads a code longer than lookupBits.
func (r *bitReader) longSymbol(h *huffman) uint8 {
	next := int32(r.acc >> 48)
	for l := lookupBits + 1; l <= 16; l++ {
		if next < h.limit[l] {
			code := r.bits(l)
			return h.symbols[code+h.first[l]]
		}
	}
	r.corrupt = true
	return 0
}
