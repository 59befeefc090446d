package reducer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/trainer/cluster"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// gradients are those of a rank at a step: a large parameter, for a bucket of its own, and
// small ones.
func gradients(rank, step int) []*optim.Param {
	r := rand.New(rand.NewPCG(uint64(rank), uint64(step)))
	var params []*optim.Param
	for i, n := range []int{7, 1, bucketBytes/4 + 5, 100, 33} {
		p := &optim.Param{Name: fmt.Sprint(i), Grad: make([]float32, n)}
		for k := range p.Grad {
			p.Grad[k] = float32(r.NormFloat64())
		}
		params = append(params, p)
	}
	return params
}

// sums are those that n ranks should have at a step.
func sums(n, step int) [][]float64 {
	var all [][]float64
	for rank := range n {
		for i, p := range gradients(rank, step) {
			if rank == 0 {
				all = append(all, make([]float64, len(p.Grad)))
			}
			for k, g := range p.Grad {
				all[i][k] += float64(g)
			}
		}
	}
	return all
}

// TestSums: every gradient becomes its sum, the same bits on all ranks, whoever is told of
// it. What rounding to bfloat16 leaves out of one step is in the next ones: the sums over
// steps stay as close as those of a single one.
func TestSums(t *testing.T) {
	const steps = 6
	for _, asHalf := range []bool{false, true} {
		for _, n := range []int{2, 3} {
			totals := make([][]float64, 5)    // over steps
			digests := make([][][]float32, n) // of the large parameter
			errs := make([]error, n)
			var wait sync.WaitGroup
			for rank, g := range cluster.InProcess(n) {
				wait.Go(func() {
					params := gradients(rank, 0)
					r, err := New(g, params, asHalf)
					if err != nil {
						errs[rank] = err
						return
					}
					defer r.Close()
					for step := range steps {
						for i, p := range gradients(rank, step) {
							copy(params[i].Grad, p.Grad)
						}
						r.Ready(params[4], params[3])
						r.Ready(params[2])
						errs[rank] = errors.Join(errs[rank], r.Wait())
						digests[rank] = append(digests[rank], slices.Clone(params[2].Grad))
						if rank > 0 {
							continue
						}
						for i, p := range params {
							if step == 0 {
								totals[i] = make([]float64, len(p.Grad))
							}
							for k, v := range p.Grad {
								totals[i][k] += float64(v)
							}
						}
					}
					if r.Values != steps*(7+1+bucketBytes/4+5+100+33) || (r.Unsent() != nil) != asHalf {
						errs[rank] = fmt.Errorf("%d values were summed", r.Values)
					}
				})
			}
			wait.Wait()
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			for rank := range n {
				if !slices.EqualFunc(digests[rank], digests[0], slices.Equal) {
					t.Errorf("%d ranks: rank %d has other sums than rank 0", n, rank)
				}
			}
			within := 1e-5
			if asHalf {
				within = 0.05 // of sums of about 2, with 8 bits
			}
			want := make([][]float64, 5)
			for step := range steps {
				for i, sum := range sums(n, step) {
					if step == 0 {
						want[i] = make([]float64, len(sum))
					}
					for k, v := range sum {
						want[i][k] += v
					}
				}
			}
			worst := 0.0
			for i := range want {
				for k, v := range want[i] {
					worst = max(worst, math.Abs(v-totals[i][k]))
				}
			}
			if worst > within {
				t.Errorf("%d ranks, as bfloat16 %v: a sum over %d steps is off by %g", n, asHalf, steps, worst)
			}
		}
	}
}
