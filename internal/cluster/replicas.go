package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
)

// Replicas keeps the state of a training run alike on the ranks of a group. Whenever they meet,
// which is at every step or, with local SGD, after some, all ranks hold the same state to the
// bit. A group of one has nothing to do.
type Replicas struct {
	Group
	options Options
	tensors Tensors
	reducer *Reducer // nil where nothing is summed at a step
	failed  error    // of SumStatistics, which layers have no way to return

	Saved  int           // ranks of the checkpoint
	Unsent [][][]float32 // [Saved ranks][parameters], on rank 0: what a checkpoint holds of bfloat16
}

// Tensors are the slices of a run, in the same order on all ranks.
type Tensors struct {
	Values, Gradients [][]float32 // of the parameters
	Statistics        [][]float32 // running means and variances
}

// Options say what ranks exchange.
type Options struct {
	Half      bool // gradients travel as bfloat16
	Local     int  // steps that every rank takes by itself before they meet; 0 for none
	Own       bool // every rank normalises with the statistics of its own part of a batch
	Unchanged bool // the running statistics do not change
}

// NewReplicas returns the replicas of a run. Every rank calls it. Close ends them.
func NewReplicas(g Group, t Tensors, o Options) (*Replicas, error) {
	r := &Replicas{Group: g, options: o, tensors: t, Saved: g.Size()}
	if g.Size() == 1 || o.Local > 0 {
		return r, nil
	}
	var err error
	r.reducer, err = NewReducer(g, t.Gradients, o.Half)
	return r, err
}

// Close ends what happens in the background.
func (r *Replicas) Close() {
	if r.reducer != nil {
		r.reducer.Close()
	}
}

// Several reports whether there is more than one rank.
func (r *Replicas) Several() bool { return r.Size() > 1 }

// Leads reports whether this rank writes files.
func (r *Replicas) Leads() bool { return Leads(r.Group) }

// Together returns the context of work that ranks do together. They stop where they agree to,
// not in the midst of it.
func (r *Replicas) Together(ctx context.Context) context.Context {
	if !r.Several() {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// Any sets flags that are set on any rank.
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

// Noise is what a rank draws at a step: rank 0 what a process alone would.
func (r *Replicas) Noise(seed uint64, step int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(step)|uint64(r.Rank())<<40))
}

// Statistics returns the function that sums statistics of a normalisation over the ranks while
// they compute, or nil if every rank has its own. Sum returns its failure.
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

// Ready takes a finished gradient, which may be sent from now on.
func (r *Replicas) Ready(gradient []float32) {
	if r.reducer != nil {
		r.reducer.Ready(gradient)
	}
}

// Sum replaces the gradients of a step and the figures of its outcome by those of the whole batch.
// It returns by how much the gradients are to be scaled.
func (r *Replicas) Sum(outcome ...*float64) (scale float64, err error) {
	switch {
	case !r.Several():
		return 1, nil
	case r.options.Local > 0: // the rank's part is all that it learns from
		for _, v := range outcome {
			*v *= float64(r.Size())
		}
		return float64(r.Size()), nil
	}
	all := make([]float64, len(outcome))
	for i, v := range outcome {
		all[i] = *v
	}
	if err = errors.Join(r.failed, r.reducer.Wait()); err == nil {
		err = r.SumFloat64(all)
	}
	for i, v := range all {
		*outcome[i] = v
	}
	return 1, err
}

// Meet reports whether ranks are about to take the n-th step of an epoch together.
func (r *Replicas) Meet(n int) bool {
	return r.options.Local == 0 || !r.Several() || n%r.options.Local == 0
}

// Unite gives all ranks one state after the n-th step of an epoch of so many, where they have
// not: the means of their statistics or, with local SGD, now and then of everything, with further
// slices such as momentum. It reports whether values have changed.
func (r *Replicas) Unite(n, steps int, further ...[]float32) (changed bool, err error) {
	if !r.Several() {
		return false, nil
	}
	if local := r.options.Local; local > 0 {
		if n%local != 0 && n != steps {
			return false, nil
		}
		if err := r.mean(append(append([][]float32(nil), r.tensors.Values...), further...)); err != nil {
			return false, err
		}
		changed = true
	}
	return changed, r.MeanStatistics()
}

// MeanStatistics replaces the running statistics by their means over the ranks, unless they
// are the same ones.
func (r *Replicas) MeanStatistics() error {
	if !r.Several() || r.options.Unchanged || !r.options.Own {
		return nil
	}
	return r.mean(r.tensors.Statistics)
}

// mean replaces slices by their means over the ranks.
func (r *Replicas) mean(all [][]float32) error {
	const most = 1 << 22 // values of one sum
	var together []float32
	n := float32(r.Size())
	for len(all) > 0 {
		together = together[:0]
		count := 0
		for count == 0 || count < len(all) && len(together)+len(all[count]) <= most {
			together = append(together, all[count]...)
			count++
		}
		if err := r.SumFloat32(together); err != nil {
			return err
		}
		from := together
		for _, values := range all[:count] {
			for i := range values {
				values[i] = from[i] / n
			}
			from = from[len(values):]
		}
		all = all[count:]
	}
	return nil
}

// Same returns an error, on all ranks, where one has other values than rank 0.
func (r *Replicas) Same(otherwise string) error {
	if !r.Several() {
		return nil
	}
	digest := crc32.NewIEEE()
	for _, values := range r.tensors.Values {
		digest.Write(littleEndian(nil, values))
	}
	all, err := All(r.Group, digest.Sum32())
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

// Collect sets Unsent, on rank 0, to the gradients that the ranks have not yet sent, for a
// checkpoint.
func (r *Replicas) Collect() error {
	r.Saved = r.Size()
	if r.reducer == nil || r.reducer.Unsent() == nil {
		return nil
	}
	var raw []byte
	for _, values := range r.reducer.Unsent() {
		raw = littleEndian(raw, values)
	}
	all, err := r.Gather(raw)
	if err != nil || !r.Leads() {
		return err
	}
	r.allot()
	for rank, raw := range all {
		for _, values := range r.Unsent[rank] {
			for i := range values {
				values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			}
			raw = raw[4*len(values):]
		}
	}
	return nil
}

// littleEndian appends the bytes of values.
func littleEndian(raw []byte, values []float32) []byte {
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return raw
}

// Resume makes Unsent ready for a checkpoint of so many ranks.
func (r *Replicas) Resume(saved int) error {
	if saved < 1 || saved > 1<<20 {
		return fmt.Errorf("a checkpoint of %d ranks: it is damaged", saved)
	}
	if r.Saved = saved; r.options.Half && saved > 1 {
		r.allot()
	}
	return nil
}

// allot makes Unsent of the shape of the gradients of Saved ranks.
func (r *Replicas) allot() {
	r.Unsent = make([][][]float32, r.Saved)
	for rank := range r.Unsent {
		for _, g := range r.tensors.Gradients {
			r.Unsent[rank] = append(r.Unsent[rank], make([]float32, len(g)))
		}
	}
}

// Divide gives this rank its part of Unsent. It returns what is otherwise with another number
// of ranks than the checkpoint was written by, or "".
func (r *Replicas) Divide() (note string) {
	before, now := r.Saved, r.Size()
	if r.reducer != nil {
		// What matters is the sum of what was not sent: with another number of ranks, rank 0
		// sends all of it.
		for rank, of := range r.Unsent {
			if rank == r.Rank() || before != now && r.Leads() {
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
	switch {
	case r.options.Local > 0:
		said = "with local_sgd the steps are others than before"
	case r.options.Own && !r.options.Unchanged && len(r.tensors.Statistics) > 0:
		said = `with statistics = "rank" each rank's pictures, and with them the statistics, are others than before, but for those of episodes`
	}
	return fmt.Sprintf("the checkpoint was written by %d ranks, and %d go on: %s", before, now, said)
}
