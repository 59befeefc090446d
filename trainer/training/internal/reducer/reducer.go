package reducer

import (
	"time"

	"github.com/deepemd/deepemd/trainer/cluster"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// bucketBytes is how many bytes of gradients are collected before they are summed: small
// ones travel together, since each sum costs the time of a message at least.
const bucketBytes = 4 << 20

// Reducer replaces the gradients of parameters by their sums over the ranks of a group. A step
// is calls of Ready, in the same order on every rank, and one of Wait.
type Reducer struct {
	group  cluster.Group // a duplicate, for the background alone
	params []*optim.Param
	half   *half // nil for float32

	sent    map[*optim.Param]bool
	bucket  []*optim.Param
	size    int // of the bucket, values
	queue   chan []*optim.Param
	under   int        // buckets under way
	summed  chan error // one a bucket
	staging []float32

	// Waited is how long Wait has waited in all, Busy how long buckets were being summed,
	// and Values how many gradients were.
	Waited, Busy time.Duration
	Values       int
}

// New returns a reducer of the gradients of params; asHalf has them travel as bfloat16. Every
// rank calls it. Close ends it.
//
// # Errors
//
// Those of the group.
func New(g cluster.Group, params []*optim.Param, asHalf bool) (*Reducer, error) {
	own, err := g.Duplicate()
	if err != nil {
		return nil, err
	}
	r := &Reducer{
		group: own, params: params, sent: make(map[*optim.Param]bool, len(params)),
		// Room for all buckets of a step: Ready never waits.
		queue: make(chan []*optim.Param, len(params)), summed: make(chan error, len(params)),
	}
	if asHalf {
		r.half = newHalf(own, params)
	}
	go r.work()
	return r, nil
}

// Close ends what the reducer does in the background.
func (r *Reducer) Close() { close(r.queue) }

// Ready takes parameters whose gradients are finished. They change from now on until Wait
// returns.
func (r *Reducer) Ready(params ...*optim.Param) {
	for _, p := range params {
		r.sent[p] = true
		r.bucket = append(r.bucket, p)
		if r.size += len(p.Grad); 4*r.size >= bucketBytes {
			r.send()
		}
	}
}

func (r *Reducer) send() {
	if len(r.bucket) == 0 {
		return
	}
	r.Values += r.size
	r.queue <- r.bucket
	r.under++
	r.bucket, r.size = nil, 0
}

// Wait returns when the gradients of all parameters are summed, those that nobody called
// Ready for among them.
func (r *Reducer) Wait() (err error) {
	began := time.Now()
	for _, p := range r.params {
		if !r.sent[p] {
			r.Ready(p)
		}
	}
	r.send()
	for ; r.under > 0; r.under-- {
		if e := <-r.summed; err == nil {
			err = e
		}
	}
	clear(r.sent)
	r.Waited += time.Since(began)
	return err
}

// work sums buckets until there are no more.
func (r *Reducer) work() {
	for bucket := range r.queue {
		began := time.Now()
		err := r.sum(bucket)
		r.Busy += time.Since(began) // Wait reads it after what is sent now
		r.summed <- err
	}
}

// sum replaces the gradients of a bucket by their sums.
func (r *Reducer) sum(bucket []*optim.Param) error {
	if r.half != nil {
		return r.half.sum(bucket)
	}
	if len(bucket) == 1 {
		return r.group.SumFloat32(bucket[0].Grad)
	}
	r.staging = r.staging[:0]
	for _, p := range bucket {
		r.staging = append(r.staging, p.Grad...)
	}
	err := r.group.SumFloat32(r.staging)
	rest := r.staging
	for _, p := range bucket {
		rest = rest[copy(p.Grad, rest):]
	}
	return err
}

// Unsent returns what rounding has left out so far of this rank's gradients, one slice a
// parameter, which the next step adds: a part of the run's state. It is nil for float32.
func (r *Reducer) Unsent() [][]float32 {
	if r.half == nil {
		return nil
	}
	all := make([][]float32, len(r.params))
	for i, p := range r.params {
		all[i] = r.half.unsent[p]
	}
	return all
}
