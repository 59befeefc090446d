package cluster

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
)

// half sums gradients that travel as bfloat16, with error feedback (Karimireddy et al., "Error
// Feedback Fixes SignSGD and other Gradient Compression Schemes", 2019): what rounding leaves
// out is kept, and added to the gradient of the next step.
//
// Every rank sums one part of a bucket. It receives that part of all ranks, adds it up in
// float32 in the order of the ranks, and sends the rounded sum to all; what that leaves out
// it keeps as if it were of its own gradient. A rank sends 2·2·(N−1)/N bytes a value,
// half of what an all-reduce of float32 sends, and all ranks have the same bits.
type half struct {
	group             Group
	gradients, unsent [][]float32

	values, kept, left []float32
	send, got, part    []byte
}

func newHalf(g Group, gradients [][]float32) *half {
	h := &half{group: g, gradients: gradients}
	for _, g := range gradients {
		h.unsent = append(h.unsent, make([]float32, len(g)))
	}
	return h
}

// sum replaces the gradients of a bucket by their sums.
func (h *half) sum(bucket []int) error {
	n, ranks := 0, h.group.Size()
	for _, i := range bucket {
		n += len(h.gradients[i])
	}
	each := (n + ranks - 1) / ranks // values of a part
	n = each * ranks
	h.values, h.kept = slices.Grow(h.values[:0], n)[:n], slices.Grow(h.kept[:0], n)[:n]
	h.send, h.got = slices.Grow(h.send[:0], 2*n)[:2*n], slices.Grow(h.got[:0], 2*n)[:2*n]
	h.left, h.part = slices.Grow(h.left[:0], each)[:each], slices.Grow(h.part[:0], 2*each)[:2*each]
	values := h.values
	for _, i := range bucket {
		gradient := h.gradients[i]
		rest, to := h.unsent[i][:len(gradient)], values[:len(gradient)]
		for k, g := range gradient {
			to[k] = g + rest[k]
		}
		values = values[len(gradient):]
	}
	clear(values) // what fills up the last part

	round(h.send, h.kept, h.values)
	if err := h.group.Exchange(h.got, h.send); err != nil {
		return err
	}
	sums := h.values[:each]
	clear(sums)
	for rank := range ranks {
		add(sums, h.got[2*each*rank:][:2*each])
	}
	round(h.part, h.left, sums)
	mine := h.kept[h.group.Rank()*each:][:each]
	for i, v := range h.left {
		mine[i] += v
	}
	if err := h.group.Join(h.got, h.part); err != nil {
		return err
	}

	kept, got := h.kept, h.got
	for _, i := range bucket {
		gradient := h.gradients[i]
		kept = kept[copy(h.unsent[i], kept):]
		clear(gradient)
		add(gradient, got[:2*len(gradient)])
		got = got[2*len(gradient):]
	}
	return nil
}

// round writes values as bfloat16, and what that leaves out of them.
func round(to []byte, left, values []float32) {
	to, left = to[:2*len(values)], left[:len(values)]
	for i, v := range values {
		bits := kernel.RoundBFloat16(v)
		binary.LittleEndian.PutUint16(to[2*i:], uint16(bits))
		left[i] = v - math.Float32frombits(bits<<16)
	}
}

// add adds values that are written as bfloat16.
func add(sums []float32, from []byte) {
	from = from[:2*len(sums)]
	for i := range sums {
		sums[i] += math.Float32frombits(uint32(binary.LittleEndian.Uint16(from[2*i:])) << 16)
	}
}
