package onnx_test

import (
	"encoding/binary"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/deepemd/deepemd/internal/require"
)

// fields are a message's fields by number, as protocol buffers lay them out:
// uint64 for a varint, uint32 for 32 bits, []byte for what has a length.
type fields map[protowire.Number][]any

// parse reads a message.
func parse(t *testing.T, raw []byte) fields {
	t.Helper()
	m := fields{}
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			t.Fatalf("no tag: %v", protowire.ParseError(n))
		}
		raw = raw[n:]
		var value any
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(raw)
		case protowire.Fixed32Type:
			value, n = protowire.ConsumeFixed32(raw)
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(raw)
		default:
			t.Fatalf("field %d is of type %v", number, kind)
		}
		if n < 0 {
			t.Fatalf("field %d: %v", number, protowire.ParseError(n))
		}
		m[number] = append(m[number], value)
		raw = raw[n:]
	}
	return m
}

// messages returns the messages of a field.
func (m fields) messages(t *testing.T, number protowire.Number) []fields {
	t.Helper()
	var all []fields
	for _, v := range m[number] {
		all = append(all, parse(t, v.([]byte)))
	}
	return all
}

// message returns the one message of a field.
func (m fields) message(t *testing.T, number protowire.Number) fields {
	t.Helper()
	all := m.messages(t, number)
	if len(all) != 1 {
		t.Fatalf("field %d occurs %d times, want once", number, len(all))
	}
	return all[0]
}

func (m fields) texts(number protowire.Number) []string {
	var all []string
	for _, v := range m[number] {
		all = append(all, string(v.([]byte)))
	}
	return all
}

func (m fields) text(number protowire.Number) string {
	if all := m.texts(number); len(all) == 1 {
		return all[0]
	}
	return ""
}

func (m fields) integers(number protowire.Number) []int {
	var all []int
	for _, v := range m[number] {
		all = append(all, int(v.(uint64)))
	}
	return all
}

func (m fields) integer(number protowire.Number) int {
	if all := m.integers(number); len(all) == 1 {
		return all[0]
	}
	return 0
}

// parsedNode is a NodeProto.
type parsedNode struct {
	operator, name  string
	inputs, outputs []string
	attributes      map[string]any // float32 or []int
}

func parseNode(t *testing.T, m fields) parsedNode {
	t.Helper()
	n := parsedNode{operator: m.text(4), name: m.text(3), inputs: m.texts(1), outputs: m.texts(2), attributes: map[string]any{}}
	for _, a := range m.messages(t, 5) {
		switch kind := a.integer(20); kind {
		case 1: // FLOAT
			n.attributes[a.text(1)] = math.Float32frombits(a[2][0].(uint32))
		case 7: // INTS
			n.attributes[a.text(1)] = a.integers(8)
		default:
			t.Fatalf("%s: attribute %s is of type %d", n.name, a.text(1), kind)
		}
	}
	return n
}

// parsedTensor is a TensorProto.
type parsedTensor struct {
	shape  []int
	values []float32
}

func parseTensor(t *testing.T, m fields) parsedTensor {
	t.Helper()
	p := parsedTensor{shape: m.integers(1)}
	raw := m[9][0].([]byte)
	if m.integer(2) != 1 || len(raw)%4 != 0 {
		t.Fatalf("%s: element type %d, %d bytes, want float32", m.text(8), m.integer(2), len(raw))
	}
	p.values = make([]float32, len(raw)/4)
	require.Value(binary.Decode(raw, binary.LittleEndian, p.values))(t)
	return p
}

// dimensions returns the shape of a ValueInfoProto of float32: int for a fixed
// extent, string for an open one.
func dimensions(t *testing.T, m fields) []any {
	t.Helper()
	tensor := m.message(t, 2).message(t, 1)
	if tensor.integer(1) != 1 {
		t.Fatalf("%s: element type %d, want float32", m.text(1), tensor.integer(1))
	}
	var all []any
	for _, d := range tensor.message(t, 2).messages(t, 1) {
		if name := d.text(2); name != "" {
			all = append(all, name)
		} else {
			all = append(all, d.integer(1))
		}
	}
	return all
}
