package gallery

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/deepemd/deepemd/core/project"
)

// Errors of Open and of reading an Index, for errors.Is.
var (
	ErrForeign = errors.New("not an index of pictures")
	ErrVersion = errors.New("an index of another version of deepemd")
	ErrDamaged = errors.New("the index is cut off or damaged")
)

// An index file is, little-endian throughout:
//
//	preamble   magic [8], version u32, zero u32
//	nodes      of each picture: scale f32, then [nodes, channels] half floats, which
//	           are its nodes divided by the scale, a power of two
//	globals    [pictures, channels] f32, see Global
//	sums       of each picture's nodes, CRC u32
//	catalogue  JSON, see Catalogue
//	trailer    length of the catalogue u64, pictures u32, nodes u32, channels u32,
//	           CRCs u32 of globals, sums and catalogue, version u32,
//	           CRC of the trailer until here u32, magic [8]
//
// It is written from its beginning to its end, so that a gallery of any size needs
// the memory of its globals. CRCs are of Castagnoli's polynomial.
const (
	magic        = "deepemdX"
	version      = 1
	preambleSize = 16
	trailerSize  = 48
)

// Limits for files.
const (
	maxPictures = 1 << 27
	maxNodes    = 1 << 16
	maxChannels = 1 << 14
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Catalogue says what an index holds and how it was made.
type Catalogue struct {
	// Network is whose embeddings these are, with the embedder that made them.
	Network project.Network `json:"network"`
	// Preprocess is how pictures reached it.
	Preprocess project.Preprocess `json:"preprocess"`
	// Source says where the pictures lay, such as the path of their folder or archive.
	Source string `json:"source"`
	// Names, [pictures], are the pictures' paths in it; Classes, [pictures], their
	// classes, empty where they have none.
	Names   []string `json:"names"`
	Classes []string `json:"classes,omitempty"`
	// Summarized says that the global features are made of the pictures' summaries.
	Summarized bool `json:"summarized,omitempty"`
}

// Class is that of picture i, empty where pictures have none.
func (c *Catalogue) Class(i int) string {
	if c.Classes == nil {
		return ""
	}
	return c.Classes[i]
}

// shape are the numbers that determine all places in a file.
type shape struct{ pictures, nodes, channels int }

// record is the size of a picture's nodes.
func (s shape) record() int { return 4 + 2*s.nodes*s.channels }

func (s shape) globals() int64   { return preambleSize + int64(s.pictures)*int64(s.record()) }
func (s shape) sums() int64      { return s.globals() + 4*int64(s.pictures)*int64(s.channels) }
func (s shape) catalogue() int64 { return s.sums() + 4*int64(s.pictures) }

// trailer is the end of a file.
type trailer struct {
	shape
	catalogueSize                     int64
	globalsSum, sumsSum, catalogueSum uint32
}

func preamble() []byte {
	b := append(make([]byte, 0, preambleSize), magic...)
	return binary.LittleEndian.AppendUint64(b, version)
}

func (t trailer) encode() []byte {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, trailerSize), uint64(t.catalogueSize))
	for _, v := range []uint32{uint32(t.pictures), uint32(t.nodes), uint32(t.channels), t.globalsSum, t.sumsSum, t.catalogueSum, version} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = binary.LittleEndian.AppendUint32(b, checksum(b))
	return append(b, magic...)
}

// parsePreamble checks the beginning of a file.
func parsePreamble(raw []byte) error {
	if len(raw) < len(magic) || string(raw[:len(magic)]) != magic {
		return ErrForeign
	}
	if len(raw) < preambleSize {
		return damaged()
	}
	if v := binary.LittleEndian.Uint64(raw[8:]); v != version {
		return fmt.Errorf("%w: it has version %d, this one reads %d: index the pictures again", ErrVersion, v, version)
	}
	return nil
}

// parseTrailer reads the end of a file of size bytes.
func parseTrailer(raw []byte, size int64) (t trailer, err error) {
	if len(raw) != trailerSize || string(raw[trailerSize-len(magic):]) != magic {
		return t, damaged()
	}
	signed := raw[:trailerSize-len(magic)-4]
	if checksum(signed) != binary.LittleEndian.Uint32(raw[len(signed):]) {
		return t, damaged()
	}
	u32 := func(i int) uint32 { return binary.LittleEndian.Uint32(raw[8+4*i:]) }
	long := binary.LittleEndian.Uint64(raw)
	if u32(0) > maxPictures || u32(1) > maxNodes || u32(2) > maxChannels || u32(0) == 0 || u32(1) == 0 || u32(2) == 0 || long > math.MaxInt32 {
		return t, damaged()
	}
	t = trailer{
		shape:         shape{int(u32(0)), int(u32(1)), int(u32(2))},
		catalogueSize: int64(long), globalsSum: u32(3), sumsSum: u32(4), catalogueSum: u32(5),
	}
	if t.catalogue()+t.catalogueSize+trailerSize != size {
		return t, damaged()
	}
	return t, nil
}

// parseCatalogue reads the catalogue of a file of a shape.
func parseCatalogue(raw []byte, s shape) (*Catalogue, error) {
	var c Catalogue
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, fmt.Errorf("%w (its catalogue: %w): index the pictures again", ErrDamaged, err)
	}
	n := c.Network
	if len(c.Names) != s.pictures || c.Classes != nil && len(c.Classes) != s.pictures || n.Nodes != s.nodes || n.Channels != s.channels {
		return nil, damaged()
	}
	if err := n.Embedder.Complete().Validate(); err != nil {
		return nil, fmt.Errorf("%w (its catalogue: %w): index the pictures again", ErrDamaged, err)
	}
	return &c, nil
}

func damaged() error { return fmt.Errorf("%w: index the pictures again", ErrDamaged) }
