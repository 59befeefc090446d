package onnx

import (
	"encoding/binary"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is a protocol buffer that is put together field by field. What it
// holds is kept in pieces, so that a model's weights are not copied for every
// message that they are nested in. Field numbers, where it is used, are those of
// onnx.proto.
type message struct {
	pieces [][]byte
	size   int
}

func (m *message) append(piece []byte) {
	m.pieces = append(m.pieces, piece)
	m.size += len(piece)
}

// integer adds a field of type int32, int64 or enum.
func (m *message) integer(field protowire.Number, v int) {
	m.append(protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), uint64(v)))
}

// float adds a field of type float.
func (m *message) float(field protowire.Number, v float32) {
	m.append(protowire.AppendFixed32(protowire.AppendTag(nil, field, protowire.Fixed32Type), math.Float32bits(v)))
}

// text adds a field of type string, or one of bytes.
func (m *message) text(field protowire.Number, s string) {
	m.append(protowire.AppendString(protowire.AppendTag(nil, field, protowire.BytesType), s))
}

// floats adds a field of type bytes that holds values as little endian float32.
func (m *message) floats(field protowire.Number, values []float32) {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	m.length(field, len(raw))
	m.append(raw)
}

// message adds a field that is a message, which must not change any more.
func (m *message) message(field protowire.Number, inner *message) {
	m.length(field, inner.size)
	m.pieces = append(m.pieces, inner.pieces...)
	m.size += inner.size
}

// length adds the beginning of a field of so many bytes.
func (m *message) length(field protowire.Number, size int) {
	m.append(protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.BytesType), uint64(size)))
}

// WriteTo implements [io.WriterTo].
func (m *message) WriteTo(w io.Writer) (int64, error) {
	var written int64
	for _, piece := range m.pieces {
		n, err := w.Write(piece)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}
