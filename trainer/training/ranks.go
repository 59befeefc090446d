package training

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// ranks are how a run is shared. Whenever they meet, which is at every step or, with local
// SGD, after some, all ranks hold the same state to the bit.
type ranks struct {
	group    cluster.Group
	settings *learn.Settings
	params   []*backbone.Param
	norms    []*backbone.BatchNorm
	apart    bool             // whether every rank takes steps of its own: local SGD
	reducer  *cluster.Reducer // nil where nothing is summed at a step
	failed   error            // of sums of statistics, which layers have no way to return

	saved  int           // ranks of the checkpoint
	unsent [][][]float32 // [saved ranks][params], on rank 0: what a checkpoint holds of bfloat16
}

// newRanks prepares the learner of a trainer for its group.
func newRanks(t *Trainer) (*ranks, error) {
	s := t.Settings
	r := &ranks{
		group: cluster.Or(t.Group), settings: s, params: t.Learner.Params(), norms: t.Learner.Backbone().Norms(),
	}
	r.saved = r.group.Size()
	if r.group.Size() == 1 {
		return r, nil
	}
	if r.apart = s.LocalSGD > 0; r.apart {
		return r, nil
	}
	if s.Statistics == learn.Synchronised {
		for _, bn := range r.norms {
			bn.Sum = r.sumStatistics
		}
	}
	var err error
	gradients := make([][]float32, len(r.params))
	for i, p := range r.params {
		gradients[i] = p.Grad
	}
	r.reducer, err = cluster.NewReducer(r.group, gradients, s.Gradients == backbone.BFloat16)
	if err == nil {
		t.Learner.Announce(func(finished ...*backbone.Param) {
			for _, p := range finished {
				r.reducer.Ready(p.Grad)
			}
		})
	}
	return r, err
}

func (r *ranks) close() {
	if r.reducer != nil {
		r.reducer.Close()
	}
}

// until is how long what ranks do together may go on. They stop where they agree to, not in
// the midst of it.
func (r *ranks) until(ctx context.Context) context.Context {
	if r.group.Size() == 1 {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// Exchanged is what the ranks of a run have exchanged of gradients.
type Exchanged struct {
	Values int           // gradients that were summed
	Busy   time.Duration // in which they were, in the background
	Waited time.Duration // in which nothing but that was left to do
}

// Exchanged is what was exchanged so far; zero for a process alone and with local SGD. It is for
// the goroutine of Run, such as Watch.Step.
func (t *Trainer) Exchanged() Exchanged {
	if t.ranks == nil || t.ranks.reducer == nil {
		return Exchanged{}
	}
	r := t.ranks.reducer
	return Exchanged{r.Values, r.Busy, r.Waited}
}

// leads reports whether this rank writes files.
func (r *ranks) leads() bool { return cluster.Leads(r.group) }

// noise is what a rank draws at a step: rank 0 what a process alone would.
func (r *ranks) noise(seed uint64, step int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(step)|uint64(r.group.Rank())<<40))
}

// sumStatistics sums for a batch normalisation. A failure is returned at the end of the step.
func (r *ranks) sumStatistics(values []float64) {
	if r.failed == nil {
		r.failed = r.group.SumFloat64(values)
	}
}

// sum replaces the gradients of a step and its outcome by those of the whole batch. It returns
// by how much the gradients are to be scaled.
func (r *ranks) sum(o *learn.Outcome) (scale float64, err error) {
	switch {
	case r.group.Size() == 1:
		return 1, nil
	case r.apart: // the rank's part is all that it learns from
		n := float64(r.group.Size())
		o.Loss, o.Accuracy, o.Rotation, o.Cosine = n*o.Loss, n*o.Accuracy, n*o.Rotation, n*o.Cosine
		return n, nil
	}
	err = errors.Join(r.failed, r.reducer.Wait())
	all := []float64{o.Loss, o.Accuracy, o.Rotation, o.Cosine}
	if err == nil {
		err = r.group.SumFloat64(all)
	}
	o.Loss, o.Accuracy, o.Rotation, o.Cosine = all[0], all[1], all[2], all[3]
	return 1, err
}

// meets reports whether ranks are about to take the n-th step of an epoch together.
func (r *ranks) meets(n int) bool { return !r.apart || n%r.settings.LocalSGD == 0 }

// unite gives all ranks one state after the n-th step of an epoch of so many, where they have
// not: the means of their statistics or, with local SGD, now and then of everything.
func (t *Trainer) unite(n, steps int) error {
	r := t.ranks
	switch {
	case r.group.Size() == 1:
		return nil
	case !r.apart:
		return r.meanStatistics()
	case n%r.settings.LocalSGD != 0 && n != steps:
		return nil
	}
	var all [][]float32
	for _, p := range r.params {
		all = append(all, p.Value)
	}
	all = append(all, t.optimizer.Velocity()...)
	if t.average != nil {
		all = append(all, t.average.Values()...)
	}
	if err := r.mean(all...); err != nil {
		return err
	}
	for _, p := range r.params {
		if p.Changed != nil {
			p.Changed()
		}
	}
	return r.meanStatistics()
}

// meanStatistics replaces the running statistics by their means over the ranks, unless they
// are the same ones.
func (r *ranks) meanStatistics() error {
	if r.group.Size() == 1 || r.settings.FreezeStatistics || r.settings.Statistics == learn.Synchronised {
		return nil
	}
	var all [][]float32
	for _, bn := range r.norms {
		all = append(all, bn.Mean, bn.Variance)
	}
	return r.mean(all...)
}

// mean replaces slices by their means over the ranks. Their order is the same on all of them.
func (r *ranks) mean(all ...[]float32) error {
	const most = 1 << 22 // values of one sum
	var together []float32
	n := float32(r.group.Size())
	for len(all) > 0 {
		together = together[:0]
		count := 0
		for count == 0 || count < len(all) && len(together)+len(all[count]) <= most {
			together = append(together, all[count]...)
			count++
		}
		if err := r.group.SumFloat32(together); err != nil {
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
