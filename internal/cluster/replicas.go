package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
)

// Replicas keeps the state of a training run identical on the ranks of a group: after every step, all
// ranks have the same state to the bit. A group of one has nothing to do.
type Replicas struct {
	Group
	options Options
	tensors Tensors
	reducer *Reducer // nil for a single rank
	failed  error    // error of a layer's sum, which layers cannot return

	Saved  int
	Unsent [][][]float32 // [Saved ranks][parameters], on rank 0: rounding errors for a checkpoint
}

// Tensors are the state of a run, in the same order on all ranks.
type Tensors struct {
	Values, Gradients [][]float32 // of the parameters
	Statistics        [][]float32 // running means and variances
}

// Options determine the communication of ranks.
type Options struct {
	Half      bool // send gradients as bfloat16
	Own       bool // every rank normalizes with the statistics of its part of a batch
	Unchanged bool // running statistics are constant
}

// NewReplicas returns the replicas of a run. Every rank must call it, and Close ends them.
func NewReplicas(g Group, t Tensors, o Options) (*Replicas, error) {
	r := &Replicas{Group: g, options: o, tensors: t, Saved: g.Size()}
	if g.Size() == 1 {
		return r, nil
	}
	var err error
	r.reducer, err = NewReducer(g, t.Gradients, o.Half)
	return r, err
}

// Close ends the background work.
func (r *Replicas) Close() {
	if r.reducer != nil {
		r.reducer.Close()
	}
}

// Several reports whether there is more than one rank.
func (r *Replicas) Several() bool { return r.Size() > 1 }

// IsFirst reports whether this rank writes files.
func (r *Replicas) IsFirst() bool { return IsFirst(r.Group) }

// Together returns the context of collective work, which ranks end only by agreement.
func (r *Replicas) Together(ctx context.Context) context.Context {
	if !r.Several() {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// Any sets each flag that is set on any rank.
func (r *Replicas) Any(flags ...*bool) error {
	counts := make([]float64, len(flags))
	for i, set := range flags {
		if *set {
			counts[i] = 1
		}
	}
	err := r.SumFloat64(counts)
	for i, n := range counts {
		*flags[i] = n > 0
	}
	return err
}

// Noise returns a rank's random generator for a step. Rank 0 has that of a single process.
func (r *Replicas) Noise(seed uint64, step int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(step)|uint64(r.Rank())<<40))
}

// Statistics returns a function that sums a normalization's statistics over the ranks during the
// computation, or nil if every rank uses its own. Sum returns its errors.
func (r *Replicas) Statistics() func(values []float64) {
	if r.reducer == nil || r.options.Own {
		return nil
	}
	return func(values []float64) {
		if r.failed == nil {
			r.failed = r.SumFloat64(values)
		}
	}
}

// Ready accepts a finished gradient for sending.
func (r *Replicas) Ready(gradient []float32) {
	if r.reducer != nil {
		r.reducer.Ready(gradient)
	}
}

// Sum replaces the gradients of a step and the figures of its outcome by the sums over the whole
// batch.
func (r *Replicas) Sum(outcome ...*float64) error {
	if !r.Several() {
		return nil
	}
	all := make([]float64, len(outcome))
	for i, v := range outcome {
		all[i] = *v
	}
	err := errors.Join(r.failed, r.reducer.Wait())
	if err == nil {
		err = r.SumFloat64(all)
	}
	for i, v := range all {
		*outcome[i] = v
	}
	return err
}

// MeanStatistics averages the running statistics over the ranks, unless they are identical.
func (r *Replicas) MeanStatistics() error {
	if !r.Several() || r.options.Unchanged || !r.options.Own {
		return nil
	}
	sums := slices.Concat(r.tensors.Statistics...)
	if err := r.SumFloat32(sums); err != nil {
		return err
	}
	n := float32(r.Size())
	for _, values := range r.tensors.Statistics {
		for i := range values {
			values[i] = sums[i] / n
		}
		sums = sums[len(values):]
	}
	return nil
}

// CheckEqual returns an error, on all ranks, if a rank has other values than rank 0.
func (r *Replicas) CheckEqual(otherwise string) error {
	if !r.Several() {
		return nil
	}
	digest := crc32.NewIEEE()
	for _, values := range r.tensors.Values {
		_ = binary.Write(digest, binary.LittleEndian, values) // a digest takes everything
	}
	all, err := AllGather(r.Group, digest.Sum32())
	if err != nil {
		return err
	}
	for rank, sum := range all {
		if sum != all[0] {
			return fmt.Errorf("rank %d %s", rank, otherwise)
		}
	}
	return nil
}

// Collect sets Unsent on rank 0 to the rounding errors of all ranks, for a checkpoint. The ranks take
// turns: the others add zeros, so that no rank but the first holds the values of all.
func (r *Replicas) Collect() error {
	r.Saved, r.Unsent = r.Size(), nil
	if r.reducer == nil {
		return nil
	}
	for rank := range r.Size() {
		var of [][]float32
		for _, values := range r.reducer.Unsent() {
			part := make([]float32, len(values))
			if rank == r.Rank() {
				copy(part, values)
			}
			if err := r.SumFloat32(part); err != nil {
				return err
			}
			of = append(of, part)
		}
		if r.IsFirst() && of != nil {
			r.Unsent = append(r.Unsent, of)
		}
	}
	return nil
}

// Resume prepares Unsent for a checkpoint of saved ranks.
func (r *Replicas) Resume(saved int) error {
	if saved < 1 || saved > 1<<20 {
		return fmt.Errorf("a checkpoint of %d ranks: it is damaged", saved)
	}
	if r.Saved = saved; r.options.Half && saved > 1 {
		r.Unsent = make([][][]float32, saved)
		for rank := range r.Unsent {
			r.Unsent[rank] = zerosLike(r.tensors.Gradients)
		}
	}
	return nil
}

// Divide gives this rank its part of Unsent. It returns a note about the effects of a different
// number of ranks than in the checkpoint, or "".
func (r *Replicas) Divide() (note string) {
	before, now := r.Saved, r.Size()
	if r.reducer != nil {
		// Only the sum of the rounding errors matters: with a different number of ranks, rank 0
		// adds all of them.
		for rank, of := range r.Unsent {
			if before == now && rank == r.Rank() || before != now && r.IsFirst() {
				for i, mine := range r.reducer.Unsent() {
					for k, v := range of[i] {
						mine[k] += v
					}
				}
			}
		}
	}
	r.Unsent, r.Saved = nil, now
	if before == now {
		return ""
	}
	said := "sums are rounded otherwise, so that weights differ in their last digits from those of an uninterrupted run"
	if r.options.Own && !r.options.Unchanged && len(r.tensors.Statistics) > 0 {
		said = `with statistics = "rank" each rank's pictures, and with them the statistics, are others than before`
	}
	return fmt.Sprintf("ranks that wrote the checkpoint: %d, ranks now: %d; %s", before, now, said)
}
