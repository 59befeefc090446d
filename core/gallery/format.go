package gallery

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/project"
)

// Errors of Open and Index, for errors.Is.
var (
	ErrForeign = errors.New("not an index of pictures")
	ErrVersion = errors.New("an index written by another version of deepemd")
	ErrDamaged = errors.New("the index is cut off or damaged")
)

// An index file is little-endian:
//
//	preamble   64 bytes: see preamble
//	blocks     each at a multiple of 64 bytes: a 64-byte header, see header, and its data
//
// There are five kinds of block:
//
//	head       length of a catalog u32, the catalog as JSON; centroids [count, C] f32,
//	           levels [4] f32 of the codebook. It is the first block, and occurs once.
//	pictures   light: global descriptors [count, C padded] i8, their scales [count] f32,
//	           CRCs of the records [count] u32, ends of the names [count] u32, ends of the
//	           classes [count] u32, names, classes; then the records [count], see codebook
//	deletions  numbers of pictures [count] u32, counted through all blocks
//	digests    SHA-256 [count, 32] of the files of the pictures in the block before; optional
//	source     new Source of the catalog; count is 1
//
// A file only grows. A writer first appends the data of blocks, then updates the preamble, which
// has the end of the last block. If a writer is interrupted, the old preamble is still valid, and
// the next writer overwrites the bytes after its end. CRCs use Castagnoli's polynomial.
const (
	magic      = "deepemdX"
	version    = 2
	headSize   = 64 // of the preamble and of a block's header
	levelCount = 4
)

// Limits for files.
const (
	maxPictures  = 1 << 27
	maxNodes     = 1 << 12
	maxChannels  = 1 << 14
	maxCentroids = 1 << 8
)

// Kinds of blocks.
const (
	kindHead uint32 = 1 + iota
	kindPictures
	kindDeletions
	kindDigests
	kindSource
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Catalog describes how an index was made.
type Catalog struct {
	// Network made the embeddings, with its embedder.
	Network project.Network `json:"network"`
	// Preprocess is the preprocessing of pictures for the network.
	Preprocess project.Preprocess `json:"preprocess"`
	// Source is the location of the pictures, such as the path of their folder or archive.
	Source string `json:"source"`
	// Summarized reports that global descriptors are the pictures' summaries.
	Summarized bool `json:"summarized,omitempty"`
	// Sound reports that the pictures are spectrograms of recordings.
	Sound bool `json:"sound,omitempty"`
}

// preamble is the beginning of an index file.
type preamble struct {
	end      int64 // of the last block
	pictures int   // including deleted ones
	complete bool  // all pictures of the source were added
}

func (p preamble) encode() []byte {
	b := append(make([]byte, 0, headSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	flag := uint32(0)
	if p.complete {
		flag = 1
	}
	b = binary.LittleEndian.AppendUint32(b, flag)
	b = binary.LittleEndian.AppendUint64(b, uint64(p.end))
	b = binary.LittleEndian.AppendUint32(b, uint32(p.pictures))
	return withCRC(b)
}

// withCRC pads a header and appends its CRC.
func withCRC(b []byte) []byte {
	b = append(b, make([]byte, headSize-4-len(b))...)
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

// validCRC reports whether the CRC of a header is correct.
func validCRC(b []byte) bool {
	return checksum(b[:headSize-4]) == binary.LittleEndian.Uint32(b[headSize-4:])
}

// parsePreamble parses the beginning of a file.
func parsePreamble(file []byte) (p preamble, err error) {
	if len(file) < len(magic) || string(file[:len(magic)]) != magic {
		return p, ErrForeign
	}
	if len(file) < headSize {
		return p, damaged()
	}
	if v := binary.LittleEndian.Uint32(file[8:]); v != version {
		return p, fmt.Errorf("%w: it has version %d, this one reads %d: index the pictures again", ErrVersion, v, version)
	}
	end := binary.LittleEndian.Uint64(file[16:])
	p = preamble{complete: file[12] == 1, end: int64(end), pictures: int(binary.LittleEndian.Uint32(file[24:]))}
	if !validCRC(file[:headSize]) || end > uint64(len(file)) || end < headSize || p.pictures > maxPictures {
		return p, damaged()
	}
	return p, nil
}

// header is the beginning of a block.
type header struct {
	kind  uint32
	count int
	light int64 // bytes after the header that Open checks
	size  int64 // all bytes after the header
	sum   uint32
}

func (h header) encode() []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, headSize), h.kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(h.count))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.light))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.size))
	b = binary.LittleEndian.AppendUint32(b, h.sum)
	return withCRC(b)
}

// parseBlock parses the first block of file. rest begins at the next block.
func parseBlock(file []byte) (h header, light, heavy, rest []byte, err error) {
	if len(file) < headSize || !validCRC(file[:headSize]) {
		return h, nil, nil, nil, damaged()
	}
	lightSize, size := binary.LittleEndian.Uint64(file[8:]), binary.LittleEndian.Uint64(file[16:])
	room := uint64(len(file) - headSize)
	if lightSize > size || size > room {
		return h, nil, nil, nil, damaged()
	}
	h = header{
		kind: binary.LittleEndian.Uint32(file), count: int(binary.LittleEndian.Uint32(file[4:])),
		light: int64(lightSize), size: int64(size), sum: binary.LittleEndian.Uint32(file[24:]),
	}
	light, heavy = file[headSize:][:lightSize], file[headSize:][lightSize:size]
	if checksum(light) != h.sum {
		return h, nil, nil, nil, damaged()
	}
	return h, light, heavy, file[min(uint64(len(file)), uint64(aligned(headSize+int64(size)))):], nil
}

// aligned rounds n up to the start of a block.
func aligned(n int64) int64 { return (n + headSize - 1) / headSize * headSize }

// encodeHead returns the data of the head block.
func encodeHead(c Catalog, book *codebook) ([]byte, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	b = append(b, text...)
	for _, v := range slices.Concat(book.centroids, book.levels[:]) {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b, nil
}

// parseHead parses the data of the head block, which has the given number of centroids.
func parseHead(b []byte, centroids int) (*Catalog, *codebook, error) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, damaged()
	}
	text, numbers := b[4:][:binary.LittleEndian.Uint32(b)], b[4:][binary.LittleEndian.Uint32(b):]
	var c Catalog
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, nil, fmt.Errorf("%w (its catalog: %w): index the pictures again", ErrDamaged, err)
	}
	n := c.Network
	if n.Nodes < 1 || n.Nodes > maxNodes || n.Channels < 1 || n.Channels > maxChannels || centroids < 1 || centroids > maxCentroids ||
		len(numbers) != 4*(centroids*n.Channels+levelCount) {
		return nil, nil, damaged()
	}
	if err := n.Embedder.Complete().Validate(); err != nil {
		return nil, nil, fmt.Errorf("%w (its catalog: %w): index the pictures again", ErrDamaged, err)
	}
	book := &codebook{channels: n.Channels, centroids: make([]float32, centroids*n.Channels)}
	if !floats(book.centroids, numbers) || !floats(book.levels[:], numbers[4*len(book.centroids):]) {
		return nil, nil, damaged()
	}
	return &c, book.prepared(), nil
}

func floats(dst []float32, raw []byte) bool {
	sum := float32(0) // 0 or NaN
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		sum += dst[i] - dst[i]
	}
	return sum == 0
}

func damaged() error { return fmt.Errorf("%w: index the pictures again", ErrDamaged) }
