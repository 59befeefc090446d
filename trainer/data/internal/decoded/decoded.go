// Package decoded keeps decoded pictures in one file, for sets that are too large
// for memory: decoding costs more than reading pixels, and every epoch of training
// asks for every picture.
//
// A file is written once by [Builder.Build], whole or not at all, and mapped into
// memory by [Open] where the system can. It belongs to what its fingerprint stands
// for and to nothing else. What it holds is checked when it is read, so that a file
// that was damaged costs time and never a run.
package decoded

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/deepemd/deepemd/core/imaging"
)

// Fingerprint stands for the pictures that a file was made of, in their order.
type Fingerprint [sha256.Size]byte

// Errors of Open and of [File.Picture], to be told apart with errors.Is.
var (
	ErrStale   = errors.New("made of other pictures, or by another version")
	ErrDamaged = errors.New("damaged")
	ErrForeign = errors.New("not a file of decoded pictures")
	ErrAbsent  = errors.New("a picture that could not be decoded")
)

// A file is, little-endian throughout:
//
//	header  magic [8], version u32, pictures u32, fingerprint [32],
//	        offset of the index u64, its CRC u32, CRC of the header until here u32
//	pixels  of one picture after the other, RGB, rows from the top
//	index   for each picture: offset u64, width u32, height u32, CRC of its pixels u32
//
// and ends with the index. A picture that could not be decoded has no width and no
// height. CRCs are of Castagnoli's polynomial, which processors compute.
const (
	magic      = "deepemdP"
	version    = 1
	headerSize = 64
	entrySize  = 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// header is the beginning of a file.
type header struct {
	pictures    uint32
	fingerprint Fingerprint
	index       uint64 // its offset
	indexSum    uint32
}

// entry is the place of a picture.
type entry struct {
	offset        uint64
	width, height uint32
	sum           uint32
}

// size is the number of bytes of the picture's pixels.
func (e entry) size() int { return 3 * int(e.width) * int(e.height) }

func (h header) encode() []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, h.pictures)
	b = append(b, h.fingerprint[:]...)
	b = binary.LittleEndian.AppendUint64(b, h.index)
	b = binary.LittleEndian.AppendUint32(b, h.indexSum)
	return binary.LittleEndian.AppendUint32(b, sum(b))
}

// parseHeader reads the header of a file of size bytes from its beginning.
func parseHeader(raw []byte, size int64) (h header, err error) {
	if len(raw) >= len(magic) && string(raw[:len(magic)]) != magic || len(raw) < len(magic) && len(raw) > 0 {
		return h, ErrForeign
	}
	if len(raw) < headerSize {
		return h, ErrDamaged
	}
	raw = raw[:headerSize]
	if binary.LittleEndian.Uint32(raw[8:]) != version {
		return h, ErrStale
	}
	if sum(raw[:headerSize-4]) != binary.LittleEndian.Uint32(raw[headerSize-4:]) {
		return h, ErrDamaged
	}
	h.pictures = binary.LittleEndian.Uint32(raw[12:])
	copy(h.fingerprint[:], raw[16:])
	h.index = binary.LittleEndian.Uint64(raw[48:])
	h.indexSum = binary.LittleEndian.Uint32(raw[56:])
	if h.index < headerSize || h.index > math.MaxInt64 || int64(h.index) > size || size-int64(h.index) != entrySize*int64(h.pictures) {
		return h, ErrDamaged
	}
	return h, nil
}

func encodeIndex(entries []entry) []byte {
	b := make([]byte, 0, entrySize*len(entries))
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint64(b, e.offset)
		b = binary.LittleEndian.AppendUint32(b, e.width)
		b = binary.LittleEndian.AppendUint32(b, e.height)
		b = binary.LittleEndian.AppendUint32(b, e.sum)
	}
	return b
}

// parseIndex reads the index that a header announces.
func parseIndex(raw []byte, h header) ([]entry, error) {
	if len(raw) != entrySize*int(h.pictures) || sum(raw) != h.indexSum {
		return nil, ErrDamaged
	}
	entries := make([]entry, h.pictures)
	for i := range entries {
		b := raw[entrySize*i:]
		e := entry{
			offset: binary.LittleEndian.Uint64(b),
			width:  binary.LittleEndian.Uint32(b[8:]),
			height: binary.LittleEndian.Uint32(b[12:]),
			sum:    binary.LittleEndian.Uint32(b[16:]),
		}
		pixels := uint64(e.width) * uint64(e.height)
		if (e.width == 0) != (e.height == 0) || pixels > imaging.MaxPixels || e.offset < headerSize || e.offset > h.index || 3*pixels > h.index-e.offset {
			return nil, fmt.Errorf("%w: the place of picture %d makes no sense", ErrDamaged, i)
		}
		entries[i] = e
	}
	return entries, nil
}
