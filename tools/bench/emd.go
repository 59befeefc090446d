package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// emdSizes are the set sizes of the paper's embedders, and larger ones; emdCount is the number of
// problems of a measurement.
var emdSizes = []int{9, 16, 25, 49, 100}

const emdCount = 50

// emd times the exact solver on problems of DeepEMD.
func emd(b *bench) error {
	opencv := b.startPython("opencv_peer.py", "OpenCV")
	defer opencv.stop()
	lists := map[int][]*solver.Problem{}
	for _, n := range emdSizes {
		lists[n] = solvertest.Cosines(n, emdCount, 1)
	}
	if opencv != nil {
		if err := opencv.send(map[string]any{"problems": lists}); err != nil {
			return err
		}
	}
	for _, n := range emdSizes {
		if opencv != nil {
			if err := sameOptimum(opencv, n, lists[n]); err != nil {
				return err
			}
		}
		note := func(ms float64) string { return fmt.Sprintf("%.0f problems/s", emdCount/ms*1e3) }
		if err := b.against(fmt.Sprintf("n = %d", n), solving(lists[n]), note, opencv.measure(n)); err != nil {
			return err
		}
	}
	return nil
}

// solving returns the side that solves problems with our exact solver.
func solving(list []*solver.Problem) measurement {
	var s solver.Simplex
	return func() (float64, error) {
		return timed(func() error {
			for _, p := range list {
				if _, err := s.Solve(p); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// sameOptimum returns an error unless the peer finds the same optima. cv::EMD computes in float32 and
// scales weights to a sum of 1.
func sameOptimum(opencv *program, n int, list []*solver.Problem) error {
	a, err := opencv.call(n)
	if err != nil {
		return err
	}
	var s solver.Simplex
	mean := 0.0
	for _, p := range list {
		solution, err := s.Solve(p)
		if err != nil {
			return err
		}
		mean += solution.Objective / floats.Sum(p.Supply) / float64(len(list))
	}
	if math.Abs(mean-a.Optimum) > 1e-3*math.Abs(mean) {
		return fmt.Errorf("n = %d: mean optimum %g, %s has %g", n, mean, opencv.name, a.Optimum)
	}
	return nil
}
