package training

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// A checkpoint of several ranks is that of one, and what each has not yet sent of gradients in
// bfloat16. Rank 0 reads and writes it for all.

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
func (r *ranks) state(s *checkpoint) {
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
	probe := newCheckpoint()
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
	case r.settings.Statistics == learn.EachRank && !r.settings.FreezeStatistics && len(r.norms) > 0:
		said = `with statistics = "rank" each rank's pictures, and with them the statistics, are others than before, but for those of episodes`
	}
	note(fmt.Sprintf("the checkpoint was written by %d ranks, and %d go on: %s", before, now, said))
	return nil
}
