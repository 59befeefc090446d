package reducer

import (
	"encoding/binary"
	"math"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/trainer/cluster"
	"github.com/deepemd/deepemd/trainer/training/optim"
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
	group  cluster.Group
	unsent map[*optim.Param][]float32

	values, kept    []float32
	send, got, part []byte
}

func newHalf(g cluster.Group, params []*optim.Param) *half {
	h := &half{group: g, unsent: make(map[*optim.Param][]float32, len(params))}
	for _, p := range params {
		h.unsent[p] = make([]float32, len(p.Grad))
	}
	return h
}

// sum replaces the gradients of a bucket by their sums.
func (h *half) sum(bucket []*optim.Param) error {
	h.values = h.values[:0]
	for _, p := range bucket {
		rest := h.unsent[p]
		for i, g := range p.Grad {
			h.values = append(h.values, g+rest[i])
		}
	}
	ranks := h.group.Size()
	each := (len(h.values) + ranks - 1) / ranks // values of a part
	h.values = append(h.values, make([]float32, each*ranks-len(h.values))...)
	h.kept = append(h.kept[:0], h.values...)
	h.send, h.got = resize(h.send, 2*len(h.values)), resize(h.got, 2*len(h.values))
	h.part = resize(h.part, 2*each)

	round(h.send, h.kept, h.values)
	if err := h.group.Exchange(h.got, h.send); err != nil {
		return err
	}
	sums := h.values[:each]
	clear(sums)
	for rank := range ranks {
		add(sums, h.got[2*each*rank:][:2*each])
	}
	left := make([]float32, each)
	round(h.part, left, sums)
	for i, v := range left {
		h.kept[h.group.Rank()*each+i] += v
	}
	if err := h.group.Join(h.got, h.part); err != nil {
		return err
	}

	kept, got := h.kept, h.got
	for _, p := range bucket {
		rest := h.unsent[p]
		kept = kept[copy(rest, kept):]
		clear(p.Grad)
		add(p.Grad, got[:2*len(p.Grad)])
		got = got[2*len(p.Grad):]
	}
	return nil
}

// round writes values as bfloat16, and what that leaves out of them.
func round(to []byte, left, values []float32) {
	for i, v := range values {
		bits := kernel.RoundBFloat16(v)
		binary.LittleEndian.PutUint16(to[2*i:], uint16(bits))
		left[i] = v - math.Float32frombits(bits<<16)
	}
}

// add adds values that are written as bfloat16.
func add(sums []float32, from []byte) {
	for i := range sums {
		sums[i] += math.Float32frombits(uint32(binary.LittleEndian.Uint16(from[2*i:])) << 16)
	}
}

func resize(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
