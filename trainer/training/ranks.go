package training

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"github.com/deepemd/deepemd/trainer/cluster"
	"github.com/deepemd/deepemd/trainer/training/backbone"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
	"github.com/deepemd/deepemd/trainer/training/internal/reducer"
	"github.com/deepemd/deepemd/trainer/training/optim"
	"github.com/deepemd/deepemd/trainer/training/runfolder"
)

// ranks are how a run is shared. Whenever they meet, which is at every step or, with local
// SGD, after some, all ranks hold the same state to the bit.
type ranks struct {
	group    cluster.Group
	settings *Settings
	params   []*optim.Param
	norms    []*layer.BatchNorm
	apart    bool             // whether every rank takes steps of its own: local SGD
	reducer  *reducer.Reducer // nil where nothing is summed at a step
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
	if s.Statistics == Synchronised {
		for _, bn := range r.norms {
			bn.Sum = r.sumStatistics
		}
	}
	var err error
	r.reducer, err = reducer.New(r.group, r.params, s.Gradients == backbone.BFloat16)
	if err == nil {
		t.Learner.Announce(r.reducer.Ready)
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
func (r *ranks) sum(o *Outcome) (scale float64, err error) {
	switch {
	case r.group.Size() == 1:
		return 1, nil
	case r.apart: // the rank's part is all that it learns from
		n := float64(r.group.Size())
		o.Loss, o.Accuracy, o.Rotation = n*o.Loss, n*o.Accuracy, n*o.Rotation
		return n, nil
	}
	err = errors.Join(r.failed, r.reducer.Wait())
	all := []float64{o.Loss, o.Accuracy, o.Rotation}
	if err == nil {
		err = r.group.SumFloat64(all)
	}
	o.Loss, o.Accuracy, o.Rotation = all[0], all[1], all[2]
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
	for _, values := range t.optimizer.Memory() {
		all = append(all, values...)
	}
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
	if r.group.Size() == 1 || r.settings.FreezeStatistics || r.settings.Statistics == Synchronised {
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

// checkSame returns an error, on all ranks, where one has other weights than rank 0.
func (t *Trainer) checkSame(otherwise string) error {
	r := t.ranks
	if r.group.Size() == 1 {
		return nil
	}
	digest := crc32.NewIEEE()
	var buffer []byte
	for _, p := range r.params {
		buffer = buffer[:0]
		for _, v := range p.Value {
			buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(v))
		}
		digest.Write(buffer)
	}
	all, err := cluster.All(r.group, digest.Sum32())
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

// state adds to a checkpoint what runs of several ranks need besides.
func (r *ranks) state(s *runfolder.State) {
	s.LaterNumber("ranks", &r.saved)
	for rank, of := range r.unsent {
		for i, p := range r.params {
			s.Slice(fmt.Sprintf("%s.unsent.%d", p.Name, rank), of[i])
		}
	}
}

// collect has rank 0 know what the ranks have not yet sent of their gradients, for a checkpoint.
func (r *ranks) collect() error {
	r.saved = r.group.Size()
	if r.reducer == nil || r.reducer.Unsent() == nil {
		return nil
	}
	var raw []byte
	for _, values := range r.reducer.Unsent() {
		for _, v := range values {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
	}
	all, err := r.group.Gather(raw)
	if err != nil || !r.leads() {
		return err
	}
	r.allot()
	for rank, raw := range all {
		for _, values := range r.unsent[rank] {
			for i := range values {
				values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			}
			raw = raw[4*len(values):]
		}
	}
	return nil
}

// allot makes room for what the ranks of a checkpoint have not sent.
func (r *ranks) allot() {
	r.unsent = make([][][]float32, r.saved)
	for rank := range r.unsent {
		for _, p := range r.params {
			r.unsent[rank] = append(r.unsent[rank], make([]float32, len(p.Grad)))
		}
	}
}

// read returns a checkpoint, which rank 0 reads for all.
func (r *ranks) read(path string) (raw []byte, err error) {
	var problem struct {
		Absent bool
		Text   string
	}
	if r.leads() {
		if raw, err = os.ReadFile(path); err != nil {
			problem.Absent, problem.Text = errors.Is(err, fs.ErrNotExist), err.Error()
		}
	}
	if told := cluster.Tell(r.group, &problem); told != nil {
		return nil, told
	}
	switch {
	case err != nil:
		return nil, err
	case problem.Absent:
		return nil, fs.ErrNotExist
	case problem.Text != "":
		return nil, errors.New(problem.Text)
	}
	return cluster.Leader(r.group, raw)
}

// resume makes ready for the state of a checkpoint.
func (r *ranks) resume(raw []byte) error {
	r.saved = 1
	probe := runfolder.NewState()
	probe.LaterNumber("ranks", &r.saved)
	if err := probe.Decode(raw); err != nil {
		return err
	}
	if r.saved < 1 || r.saved > 1<<20 {
		return fmt.Errorf("a checkpoint of %d ranks: it is damaged", r.saved)
	}
	if r.settings.Gradients == backbone.BFloat16 && r.saved > 1 {
		r.allot()
	}
	return nil
}

// divide gives this rank its part of what a checkpoint holds, and notes what is otherwise with
// another number of ranks than it was written by.
func (r *ranks) divide(note func(string)) error {
	before, now := r.saved, r.group.Size()
	if r.reducer != nil {
		// What matters is the sum of what was not sent: with another number of ranks, rank 0
		// sends all of it.
		for rank, of := range r.unsent {
			if rank == r.group.Rank() || before != now && r.leads() {
				for i, mine := range r.reducer.Unsent() {
					for k, v := range of[i] {
						mine[k] += v
					}
				}
			}
		}
	}
	r.unsent, r.saved = nil, now
	if before == now {
		return nil
	}
	said := "sums are rounded otherwise, so that weights differ in their last digits from those of an uninterrupted run"
	switch {
	case r.settings.LocalSGD > 0:
		said = "with local_sgd the steps are others than before"
	case r.settings.Statistics == EachRank && !r.settings.FreezeStatistics && len(r.norms) > 0:
		said = `with statistics = "rank" each rank's pictures, and with them the statistics, are others than before, but for those of episodes`
	}
	note(fmt.Sprintf("the checkpoint was written by %d ranks, and %d go on: %s", before, now, said))
	return nil
}
