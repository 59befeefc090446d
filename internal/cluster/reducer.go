package cluster

import "time"

// bucketBytes is how many bytes of gradients are collected before they are summed: small
// ones travel together, since each sum costs the time of a message at least.
const bucketBytes = 4 << 20

// Reducer replaces gradients by their sums over the ranks of a group while the ranks compute:
// finished gradients go into buckets, which are summed in the background, one after the other,
// as in Li et al., "PyTorch Distributed: Experiences on Accelerating Data Parallel Training"
// (2020). They may travel as bfloat16, at half the bytes, with error feedback. A step is calls
// of Ready, in the same order on every rank, and one of Wait.
type Reducer struct {
	group     Group // a duplicate, for the background alone
	gradients [][]float32
	numbers   map[*float32]int // of gradients, by their first values
	half      *half            // nil for float32

	sent    []bool // by number
	bucket  []int  // numbers of gradients
	size    int    // of the bucket, values
	queue   chan []int
	under   int        // buckets under way
	summed  chan error // one a bucket
	staging []float32

	// Waited is how long Wait has waited in all, Busy how long buckets were being summed,
	// and Values how many gradients were.
	Waited, Busy time.Duration
	Values       int
}

// NewReducer returns a reducer of gradients, none of them empty, which stay where they are;
// asHalf makes them travel as bfloat16. Every rank calls it. Close ends it.
//
// # Errors
//
// Those of the group.
func NewReducer(g Group, gradients [][]float32, asHalf bool) (*Reducer, error) {
	own, err := g.Duplicate()
	if err != nil {
		return nil, err
	}
	r := &Reducer{
		group: own, gradients: gradients, numbers: make(map[*float32]int, len(gradients)), sent: make([]bool, len(gradients)),
		// Room for all buckets of a step: Ready never waits.
		queue: make(chan []int, len(gradients)), summed: make(chan error, len(gradients)),
	}
	for i, g := range gradients {
		r.numbers[&g[0]] = i
	}
	if asHalf {
		r.half = newHalf(own, gradients)
	}
	go r.work()
	return r, nil
}

// Close ends what the reducer does in the background.
func (r *Reducer) Close() { close(r.queue) }

// Ready takes a finished gradient. It changes from now on until Wait returns.
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
	r.Values += r.size
	r.queue <- r.bucket
	r.under++
	r.bucket, r.size = nil, 0
}

// Wait returns when all gradients are summed, also those without a call of Ready.
func (r *Reducer) Wait() (err error) {
	began := time.Now()
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

// Unsent returns what rounding has left out so far of this rank's gradients, one slice a
// gradient, which the next step adds: a part of the run's state. It is nil for float32.
func (r *Reducer) Unsent() [][]float32 {
	if r.half == nil {
		return nil
	}
	return r.half.unsent
}
