package gallery

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/weights"
)

// Writer writes an index, picture after picture. In memory it keeps only the global
// features and the pictures' names.
type Writer struct {
	w         io.Writer
	catalogue Catalogue
	shape     shape
	raw       []byte // a picture's nodes
	globals   []byte
	sums      []byte
}

// NewWriter begins an index on w, such as a new file. The writer fills in the
// catalogue's names, classes and numbers of nodes and channels.
func NewWriter(w io.Writer, catalogue Catalogue) (*Writer, error) {
	catalogue.Names, catalogue.Classes = nil, nil
	_, err := w.Write(preamble())
	return &Writer{w: w, catalogue: catalogue}, err
}

// Add adds a picture, with its class or "" for none.
//
// It returns an error for a set that cannot be matched or is flat, or whose nodes or channels
// differ in number from the first one's, and those of writing.
func (x *Writer) Add(name, class string, set *embed.Set) error {
	if err := set.Check(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s := &x.shape
	if s.pictures == 0 {
		s.nodes, s.channels = set.N, set.C
		x.catalogue.Summarized = set.Summary != nil
		x.raw = make([]byte, s.record())
	}
	if set.N != s.nodes || set.C != s.channels {
		return fmt.Errorf("%s: %d nodes of %d channels, %s has %d of %d: an index holds pictures that were embedded alike",
			name, set.N, set.C, x.catalogue.Names[0], s.nodes, s.channels)
	}
	if (set.Summary != nil) != x.catalogue.Summarized {
		return fmt.Errorf("%s: %w", name, errSummaries)
	}
	if s.pictures == maxPictures {
		return fmt.Errorf("%s: more than %d pictures: make several indexes", name, maxPictures)
	}
	feature := make([]float32, set.C)
	if err := Global(feature, set); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if set.Flat() {
		return fmt.Errorf("%s: %w", name, embed.ErrFlat)
	}
	encodeNodes(x.raw, set.Data)
	if _, err := x.w.Write(x.raw); err != nil {
		return err
	}
	for _, v := range feature {
		x.globals = binary.LittleEndian.AppendUint32(x.globals, math.Float32bits(v))
	}
	x.sums = binary.LittleEndian.AppendUint32(x.sums, checksum(x.raw))
	x.catalogue.Names, x.catalogue.Classes = append(x.catalogue.Names, name), append(x.catalogue.Classes, class)
	s.pictures++
	return nil
}

// Len is the number of pictures that were added.
func (x *Writer) Len() int { return x.shape.pictures }

// Close ends the index; w stays open.
//
// It returns an error for an index without pictures, and those of writing.
func (x *Writer) Close() error {
	if x.shape.pictures == 0 {
		return errors.New("no pictures to index")
	}
	c := &x.catalogue
	c.Network.Nodes, c.Network.Channels = x.shape.nodes, x.shape.channels
	named := false
	for _, class := range c.Classes {
		named = named || class != ""
	}
	if !named {
		c.Classes = nil
	}
	catalogue, err := json.Marshal(c)
	if err != nil {
		return err
	}
	end := trailer{
		shape: x.shape, catalogueSize: int64(len(catalogue)),
		globalsSum: checksum(x.globals), sumsSum: checksum(x.sums), catalogueSum: checksum(catalogue),
	}
	for _, part := range [][]byte{x.globals, x.sums, catalogue, end.encode()} {
		if _, err := x.w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// encodeNodes writes a picture's nodes as half floats, after the power of two by
// which they were divided so that the largest lies between ½ and 1. Half floats
// keep eleven bits of a value, and of those below 2^-14 of the largest fewer.
func encodeNodes(dst []byte, values []float32) {
	var most float32
	for _, v := range values {
		most = max(most, float32(math.Abs(float64(v))))
	}
	_, exponent := math.Frexp(float64(most))
	exponent = min(max(exponent, -125), 127) // a scale that is a normal float32
	scale := math.Ldexp(1, exponent)
	binary.LittleEndian.PutUint32(dst, math.Float32bits(float32(scale)))
	for i, v := range values {
		binary.LittleEndian.PutUint16(dst[4+2*i:], weights.ToHalf(float32(float64(v)/scale)))
	}
}

// decodeNodes is the inverse of encodeNodes.
func decodeNodes(dst []float32, raw []byte) {
	scale := math.Float32frombits(binary.LittleEndian.Uint32(raw))
	raw = raw[4:]
	for i := range dst {
		dst[i] = scale * weights.FromHalf(binary.LittleEndian.Uint16(raw[2*i:]))
	}
}
