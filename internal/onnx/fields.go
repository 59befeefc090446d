package onnx

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is one of a message's fields.
type field struct {
	number protowire.Number
	kind   protowire.Type
	value  uint64 // of numbers of any width
	bytes  []byte // of texts, messages and packed numbers
}

// each passes the fields of a message on in their order, until one is refused.
func each(message []byte, take func(f field) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return damaged(n)
		}
		message = message[n:]
		f := field{number: number, kind: kind}
		switch kind {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(message)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(message)
			f.value = uint64(v)
		case protowire.Fixed64Type:
			f.value, n = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return damaged(n)
		}
		message = message[n:]
		if err := take(f); err != nil {
			return err
		}
	}
	return nil
}

func damaged(n int) error {
	return fmt.Errorf("no ONNX model, or half of one: %w", protowire.ParseError(n))
}

// integers appends the numbers of a repeated field of varints, packed or single.
func (f field) integers(to []int) ([]int, error) {
	if f.kind == protowire.VarintType {
		return append(to, int(f.value)), nil
	}
	for rest := f.bytes; len(rest) > 0; {
		v, n := protowire.ConsumeVarint(rest)
		if n < 0 {
			return nil, damaged(n)
		}
		to, rest = append(to, int(v)), rest[n:]
	}
	return to, nil
}

// floats appends the numbers of a repeated field of floats, packed or single.
func (f field) floats(to []float32) ([]float32, error) {
	if f.kind == protowire.Fixed32Type {
		return append(to, math.Float32frombits(uint32(f.value))), nil
	}
	for rest := f.bytes; len(rest) > 0; {
		v, n := protowire.ConsumeFixed32(rest)
		if n < 0 {
			return nil, damaged(n)
		}
		to, rest = append(to, math.Float32frombits(v)), rest[n:]
	}
	return to, nil
}
