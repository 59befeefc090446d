package fewshot

import (
	"math"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/kernel"
)

// Run is a range of consecutive examples of a class, from From to To−1. Its examples hardly differ: they
// may be frames of one film. With its neighbors among the others, a left-out example would be recognized
// too easily, so it is left out with its run.
type Run struct{ From, To int }

// sameRun is the largest distance of two consecutive examples in a run, as a share of the mean
// distance of two examples of different classes. The distance is one minus the cosine of the mean
// nodes. In films of hands, 90 to 99% of the distances are smaller; among photographs, drawings and
// spoken words, at most 5%.
const sameRun = 0.1

// Runs divides the examples of each class into runs, given the Direction of every example,
// [classes][examples].
func Runs(directions [][][]float32) [][]Run {
	centers := make([][]float32, len(directions))
	for c, class := range directions {
		centers[c] = make([]float32, len(class[0]))
		for _, d := range class {
			kernel.AddTimes(centers[c], 1/float32(len(class)), d)
		}
	}
	var between, pairs float64
	for c, a := range centers {
		for _, b := range centers[:c] {
			between, pairs = between+1-kernel.Dot(a, b), pairs+1
		}
	}
	runs := make([][]Run, len(directions))
	for c, class := range directions {
		from := 0
		for i := 1; i <= len(class); i++ {
			if i == len(class) || pairs > 0 && !((1-kernel.Dot(class[i-1], class[i]))*pairs < sameRun*between) {
				runs[c] = append(runs[c], Run{from, i})
				from = i
			}
		}
	}
	return runs
}

// Separate returns the parts of a class to leave out in turn: its runs, divided evenly where they are
// longer than half of the class, so that half remains, except for rounding. Of three examples, two remain.
func Separate(runs []Run) []Run {
	most := (runs[len(runs)-1].To + 1) / 2
	if most == 2 {
		most = runs[len(runs)-1].To / 2
	}
	parts := make([]Run, 0, len(runs)+1)
	for _, run := range runs {
		size := run.To - run.From
		n := (size + most - 1) / most
		for i := range n {
			parts = append(parts, Run{run.From + i*size/n, run.From + (i+1)*size/n})
		}
	}
	return parts
}

// Parts returns the parts of each class, given the Direction of every example.
func Parts(directions [][][]float32) [][]Run {
	parts := Runs(directions)
	for c, runs := range parts {
		parts[c] = Separate(runs)
	}
	return parts
}

// Direction returns the mean node of a set, scaled to length 1, or zero if it is very short.
func Direction(set *embed.Set) []float32 { return direction(make([]float32, set.C), set) }

// direction is Direction with the memory of the result.
func direction(mean []float32, set *embed.Set) []float32 {
	clear(mean)
	for n := range set.N {
		for c, v := range set.Node(n) {
			mean[c] += v
		}
	}
	var squares float64
	for _, v := range mean {
		squares += float64(v) * float64(v)
	}
	if squares > leastSquares {
		scale := float32(1 / math.Sqrt(squares))
		for c := range mean {
			mean[c] *= scale
		}
	}
	return mean
}
