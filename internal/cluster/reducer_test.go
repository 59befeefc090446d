package cluster

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// gradients returns a rank's gradients at a step: a large one that fills a bucket, and small ones.
func gradients(rank, step int) [][]float32 {
	r := rand.New(rand.NewPCG(uint64(rank), uint64(step)))
	var all [][]float32
	for _, n := range []int{7, 1, bucketBytes/4 + 5, 100, 33} {
		g := make([]float32, n)
		for k := range g {
			g[k] = float32(r.NormFloat64())
		}
		all = append(all, g)
	}
	return all
}

// sums returns the expected sums of n ranks at a step.
func sums(n, step int) [][]float64 {
	var all [][]float64
	for rank := range n {
		for i, gradient := range gradients(rank, step) {
			if rank == 0 {
				all = append(all, make([]float64, len(gradient)))
			}
			for k, g := range gradient {
				all[i][k] += float64(g)
			}
		}
	}
	return all
}

// TestSums: every gradient becomes its sum, with identical bits on all ranks and any order of
// Ready. bfloat16 rounding errors carry over to the next step: sums over several steps stay as
// close as for a single one.
func TestSums(t *testing.T) {
	const steps = 6
	for _, asHalf := range []bool{false, true} {
		for _, n := range []int{2, 3} {
			totals := make([][]float64, 5)
			digests := make([][][]float32, n)
			errs := make([]error, n)
			var wait sync.WaitGroup
			for rank, g := range InProcess(n) {
				wait.Go(func() {
					mine := gradients(rank, 0)
					r, err := NewReducer(g, mine, asHalf)
					if err != nil {
						errs[rank] = err
						return
					}
					defer r.Close()
					for step := range steps {
						for i, g := range gradients(rank, step) {
							copy(mine[i], g)
						}
						for _, i := range []int{4, 3, 2} {
							r.Ready(mine[i])
						}
						errs[rank] = errors.Join(errs[rank], r.Wait())
						digests[rank] = append(digests[rank], slices.Clone(mine[2]))
						if rank > 0 {
							continue
						}
						for i, g := range mine {
							if asHalf && slices.ContainsFunc(g, func(v float32) bool { return math.Float32bits(v)<<16 != 0 }) {
								errs[rank] = errors.Join(errs[rank], fmt.Errorf("step %d: sums that are not bfloat16", step))
							}
							if step == 0 {
								totals[i] = make([]float64, len(g))
							}
							for k, v := range g {
								totals[i][k] += float64(v)
							}
						}
					}
					if (r.Unsent() != nil) != asHalf {
						errs[rank] = fmt.Errorf("as bfloat16: %v, with something unsent: %v", asHalf, r.Unsent() != nil)
					}
				})
			}
			wait.Wait()
			require.NoError(t, errors.Join(errs...))
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

// TestCheckEqual: all ranks name the first that has other values than rank 0.
func TestCheckEqual(t *testing.T) {
	for other, want := range map[float32]string{2: "", 2.5: "rank 1 has other weights"} {
		err := on(InProcess(3), func(g Group) error {
			values := [][]float32{{1}, {2, 3}}
			if g.Rank() == 1 {
				values[1][0] = other
			}
			r := Replicas{Group: g, tensors: Tensors{Values: values}}
			if err := r.CheckEqual("has other weights"); (err == nil) != (want == "") || err != nil && err.Error() != want {
				return fmt.Errorf("rank %d: %v, want %q", g.Rank(), err, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestNoise: every step and every rank has its own random numbers, and rank 0 has the numbers of a
// single process.
func TestNoise(t *testing.T) {
	seen := map[uint64]bool{}
	single := Replicas{Group: Single{}}
	for rank, g := range InProcess(3) {
		r := Replicas{Group: g}
		for step := range 3 {
			first := r.Noise(1, step).Uint64()
			if seen[first] || rank == 0 && first != single.Noise(1, step).Uint64() {
				t.Errorf("rank %d, step %d: other random numbers than expected", rank, step)
			}
			seen[first] = true
		}
	}
}

// TestDivide: any number of ranks together resumes exactly the rounding errors of a checkpoint.
func TestDivide(t *testing.T) {
	for _, saved := range []int{2, 3} {
		for _, now := range []int{2, 3, 5} {
			err := on(InProcess(now), func(g Group) error {
				values := []float32{0, 0}
				r, err := NewReplicas(g, Tensors{Values: [][]float32{values}, Gradients: [][]float32{values}}, Options{Half: true})
				if err != nil {
					return err
				}
				defer r.Close()
				if err := errors.Join(r.Resume(0), r.Resume(1<<40)); err == nil || strings.Count(err.Error(), "damaged") != 2 {
					return fmt.Errorf("impossible numbers of ranks: %w", err)
				}
				if err := r.Resume(saved); err != nil {
					return err
				}
				want := []float32{0, 0}
				for rank, of := range r.Unsent {
					of[0][0], of[0][1] = float32(rank+1), float32(-rank)
					want[0], want[1] = want[0]+of[0][0], want[1]+of[0][1]
				}
				if note := r.Divide(); (note == "") != (saved == now) {
					return fmt.Errorf("the note is %q", note)
				}
				got := slices.Clone(r.reducer.Unsent()[0])
				if err := g.SumFloat32(got); err != nil {
					return err
				}
				if !slices.Equal(got, want) {
					return fmt.Errorf("the ranks resume %v, want %v", got, want)
				}
				return nil
			})
			if err != nil {
				t.Errorf("%d ranks, then %d: %v", saved, now, err)
			}
		}
	}
}
