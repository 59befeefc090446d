package cluster

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
)

// bucketBytes is the size of gradients that are summed together: each sum has the latency of a
// message.
const bucketBytes = 4 << 20

// Reducer sums gradients over the ranks of a group while the ranks compute. It collects finished
// gradients in buckets, which it sums in the background, as in Li et al., "PyTorch Distributed:
// Experiences on Accelerating Data Parallel Training" (2020). Gradients can be sent as bfloat16,
// half the bytes, with error feedback. A step consists of calls of Ready, in the same order on
// every rank, and one of Wait.
type Reducer struct {
	group     Group // a duplicate for the background
	gradients [][]float32
	numbers   map[*float32]int // index of a gradient by its first element
	half      *bfloat16Sum

	sent    []bool // by index
	bucket  []int  // indices of gradients
	size    int    // values in the bucket
	queue   chan []int
	under   int        // pending buckets
	summed  chan error // one result per bucket
	staging []float32
}

// NewReducer returns a reducer for gradients in fixed, non-empty slices; asHalf sends them as
// bfloat16. Every rank must call it, and Close ends it. It returns errors of the group.
func NewReducer(g Group, gradients [][]float32, asHalf bool) (*Reducer, error) {
	own, err := g.Duplicate()
	if err != nil {
		return nil, err
	}
	r := &Reducer{
		group: own, gradients: gradients, numbers: make(map[*float32]int, len(gradients)), sent: make([]bool, len(gradients)),
		// Capacity for all buckets of a step, so that Ready never waits.
		queue: make(chan []int, len(gradients)), summed: make(chan error, len(gradients)),
	}
	for i, g := range gradients {
		r.numbers[&g[0]] = i
	}
	if asHalf {
		r.half = &bfloat16Sum{group: own, gradients: gradients, unsent: zerosLike(gradients)}
	}
	go func() {
		for bucket := range r.queue {
			r.summed <- r.sum(bucket)
		}
	}()
	return r, nil
}

// Close ends the background goroutine.
func (r *Reducer) Close() { close(r.queue) }

// Ready accepts a finished gradient, which changes until Wait returns.
func (r *Reducer) Ready(gradient []float32) { r.ready(r.numbers[&gradient[0]]) }

func (r *Reducer) ready(number int) {
	r.sent[number] = true
	r.bucket = append(r.bucket, number)
	if r.size += len(r.gradients[number]); 4*r.size >= bucketBytes {
		r.send()
	}
}

func (r *Reducer) send() {
	if len(r.bucket) == 0 {
		return
	}
	r.queue <- r.bucket
	r.under++
	r.bucket, r.size = nil, 0
}

// Wait returns when all gradients are summed. It calls Ready for the remaining ones.
func (r *Reducer) Wait() (err error) {
	for i, sent := range r.sent {
		if !sent {
			r.ready(i)
		}
	}
	r.send()
	for ; r.under > 0; r.under-- {
		if e := <-r.summed; err == nil {
			err = e
		}
	}
	clear(r.sent)
	return err
}

func (r *Reducer) sum(bucket []int) error {
	if r.half != nil {
		return r.half.sum(bucket)
	}
	if len(bucket) == 1 {
		return r.group.SumFloat32(r.gradients[bucket[0]])
	}
	r.staging = r.staging[:0]
	for _, i := range bucket {
		r.staging = append(r.staging, r.gradients[i]...)
	}
	err := r.group.SumFloat32(r.staging)
	rest := r.staging
	for _, i := range bucket {
		rest = rest[copy(r.gradients[i], rest):]
	}
	return err
}

// Unsent returns the accumulated rounding errors of this rank's gradients, one slice per gradient,
// which the next step adds. They are part of the run's state. It is nil for float32.
func (r *Reducer) Unsent() [][]float32 {
	if r.half == nil {
		return nil
	}
	return r.half.unsent
}

// bfloat16Sum sums gradients as bfloat16 with error feedback (Karimireddy et al., "Error Feedback Fixes
// SignSGD and other Gradient Compression Schemes", 2019): the rounding error is added to the
// gradient of the next step.
//
// Every rank sums one part of a bucket. It receives the part from all ranks, adds it in float32 in
// the order of the ranks, and sends the rounded sum to all; it adds this rounding error to its own.
// A rank sends 2·2·(N−1)/N bytes per value, half of an all-reduce in float32, and all ranks get
// identical bits.
type bfloat16Sum struct {
	group             Group
	gradients, unsent [][]float32

	values, kept, left []float32
	send, got, part    []byte
}

func zerosLike(gradients [][]float32) (zeros [][]float32) {
	for _, g := range gradients {
		zeros = append(zeros, make([]float32, len(g)))
	}
	return zeros
}

func (h *bfloat16Sum) sum(bucket []int) error {
	n, ranks := 0, h.group.Size()
	for _, i := range bucket {
		n += len(h.gradients[i])
	}
	each := (n + ranks - 1) / ranks
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
	clear(values) // padding of the last part

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

func round(to []byte, left, values []float32) {
	to, left = to[:2*len(values)], left[:len(values)]
	for i, v := range values {
		bits := kernel.RoundBFloat16(v)
		binary.LittleEndian.PutUint16(to[2*i:], uint16(bits))
		left[i] = v - math.Float32frombits(bits<<16)
	}
}

func add(sums []float32, from []byte) {
	from = from[:2*len(sums)]
	for i := range sums {
		sums[i] += math.Float32frombits(uint32(binary.LittleEndian.Uint16(from[2*i:])) << 16)
	}
}
