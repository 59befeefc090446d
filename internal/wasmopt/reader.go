package wasmopt

import "encoding/binary"

// reader takes a module's values off its front.
type reader struct{ rest []byte }

func (r *reader) byte() (byte, error) {
	if len(r.rest) == 0 {
		return 0, errCut
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b, nil
}

// number reads an unsigned number of up to 32 bits.
func (r *reader) number() (int, error) {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 || n > 1<<32-1 {
		return 0, errCut
	}
	r.rest = r.rest[length:]
	return int(n), nil
}

// readSigned reads the signed number of up to 32 bits at the beginning of code, in LEB128.
func readSigned(code []byte) (int, error) {
	r := reader{code}
	return r.signed()
}

// signed reads a signed number of up to 32 bits.
func (r *reader) signed() (n int, err error) {
	for shift := 0; shift < 35; shift += 7 {
		b, err := r.byte()
		if err != nil {
			return 0, err
		}
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				n -= 1 << (shift + 7)
			}
			return n, nil
		}
	}
	return 0, errCut
}

// counted reads bytes that follow their number.
func (r *reader) counted() ([]byte, error) {
	n, err := r.number()
	if err != nil {
		return nil, err
	}
	if n > len(r.rest) {
		return nil, errCut
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b, nil
}
