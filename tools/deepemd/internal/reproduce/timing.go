package reproduce

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/emdlayer"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// Timing is a layer's processor time on one thread for timedPairs pairs of images.
type Timing struct {
	timedCell
	ForwardMS  float64 `json:"forwardMilliseconds"`
	BackwardMS float64 `json:"backwardMilliseconds,omitempty"` // 0 for inference
	Date       string  `json:"date"`
	Commit     string  `json:"commit,omitempty"` // of the program
}

type timedCell struct {
	Solver   string `json:"solver"` // the key of its layer
	Side     int    `json:"side"`   // of the map, which has Side·Side nodes
	Channels int    `json:"channels"`
}

// timedPairs is the number of pairs, as in the paper.
const timedPairs = 50

// The measured sizes, as in the paper.
var (
	timedSides    = []int{3, 4, 5}
	timedChannels = []int{256, 512, 1024, 2048}
)

// timedLayer is a solver of the transport problem. make is nil for inference, which has no backward
// pass.
type timedLayer struct {
	key, label string
	make       func() solver.Layer
}

var timedLayers = []timedLayer{
	{"simplex", "Simplex, inference", nil},
	{"held", "Simplex, flow held constant", func() solver.Layer { return &solver.ConstantFlow{} }},
	{"interior-l2", "Interior point, L2", func() solver.Layer { return &solver.Interior{} }},
	{"interior-qp", "Interior point, QP", func() solver.Layer { return &solver.Interior{Form: solver.QP} }},
	{"sinkhorn", "Sinkhorn, entropy 0.01", func() solver.Layer { return &solver.Sinkhorn{} }},
}

// A time is the median of the runs in timedFor, at least timedLeast.
const (
	timedFor      = 300 * time.Millisecond
	timedLeast    = 3
	timedVeryLong = time.Second
)

// started is the reference of the clock on systems without processor times.
var started = time.Now()

// Time measures the missing times of the EMD layer, or all of them if again is set. It returns the
// errors of solvers and of writing, and the context's.
func (l *Lab) Time(ctx context.Context, again bool) error {
	for c, layer := range timedCells() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !again && l.Store.FindTiming(c) != nil {
			continue
		}
		t := &Timing{timedCell: c, Date: l.date(), Commit: l.Commit}
		if err := t.measure(layer); err != nil {
			return fmt.Errorf("%s, %d×%d nodes of %d channels: %w", layer.label, c.Side, c.Side, c.Channels, err)
		}
		if err := l.Store.PutTiming(t); err != nil {
			return err
		}
	}
	return nil
}

func (t *Timing) measure(layer timedLayer) error {
	pairs := syntheticPairs(t.Side*t.Side, t.Channels)
	if layer.make == nil {
		var matcher match.Matcher
		forward, _, err := medians(func() (forward, backward time.Duration, err error) {
			began := processorTime()
			for _, p := range pairs {
				if _, err := matcher.Score(p[0], p[1]); err != nil {
					return 0, 0, err
				}
			}
			return processorTime() - began, 0, nil
		})
		t.ForwardMS = forward
		return err
	}
	scores := make([]emdlayer.Score, len(pairs))
	for i := range scores {
		scores[i].Layer = layer.make()
	}
	n := t.Side * t.Side
	query, support := make([]float32, n*t.Channels), make([]float32, n*t.Channels)
	var err error
	t.ForwardMS, t.BackwardMS, err = medians(func() (forward, backward time.Duration, err error) {
		began := processorTime()
		for i, p := range pairs {
			if _, err := scores[i].Forward(p[0].Data, p[1].Data, n, n, t.Channels); err != nil {
				return 0, 0, err
			}
		}
		halfway := processorTime()
		for i := range pairs {
			if err := scores[i].Backward(query, support, 1); err != nil {
				return 0, 0, err
			}
		}
		return halfway - began, processorTime() - halfway, nil
	})
	return err
}

// medians returns the median times of run in milliseconds. It ignores the first call, unless that
// takes very long.
func medians(run func() (forward, backward time.Duration, err error)) (forward, backward float64, err error) {
	f, b, err := run()
	if err != nil || f+b > timedVeryLong {
		return milli(f), milli(b), err
	}
	var forwards, backwards []float64
	for began := time.Now(); len(forwards) < timedLeast || time.Since(began) < timedFor; {
		f, b, err := run()
		if err != nil {
			return 0, 0, err
		}
		forwards, backwards = append(forwards, milli(f)), append(backwards, milli(b))
	}
	slices.Sort(forwards)
	slices.Sort(backwards)
	return forwards[len(forwards)/2], backwards[len(backwards)/2], nil
}

// timedCells returns the cells of the table of times in the order of its rows, with their layers.
func timedCells() iter.Seq2[timedCell, timedLayer] {
	return func(yield func(timedCell, timedLayer) bool) {
		for _, layer := range timedLayers {
			for _, side := range timedSides {
				for _, channels := range timedChannels {
					if !yield(timedCell{layer.key, side, channels}, layer) {
						return
					}
				}
			}
		}
	}
}

// writeTimes writes the times of the EMD layer.
func (r *Report) writeTimes(text *strings.Builder) {
	writeHead(text, "solver", "map", "C", "paper", "here, forward", "paper / here", "here, backward")
	var latest *Timing
	for c, layer := range timedCells() {
		paper, forward, ratio, backward := "–", "", "", ""
		theirs := r.Paper.Times[c]
		if theirs > 0 {
			paper = milliseconds(theirs)
		}
		if ours := r.Lab.Store.FindTiming(c); ours != nil {
			forward = milliseconds(ours.ForwardMS)
			if latest == nil || ours.Date >= latest.Date {
				latest = ours
			}
			if ours.BackwardMS > 0 {
				backward = milliseconds(ours.BackwardMS)
			}
			if theirs > 0 {
				ratio = fmt.Sprintf("%.0f", theirs/ours.ForwardMS)
			}
		}
		fmt.Fprintf(text, "| %s | %d×%d | %d | %s | %s | %s | %s |\n", layer.label, c.Side, c.Side, c.Channels, paper, forward, ratio, backward)
	}
	if latest != nil {
		fmt.Fprintf(text, "\nLast %s. The paper measured on other machines, with OpenCV for the simplex method and QPTH for the interior point\nmethod. It does not state whether its 10 queries are all queries, as here, or 10 of each class.\n", measured(latest.Date, latest.Commit))
	}
}

func milli(d time.Duration) float64 { return d.Seconds() * 1000 }

// syntheticPairs returns artificial pairs of images with n nodes each.
func syntheticPairs(n, channels int) [][2]*embed.Set {
	pairs := make([][2]*embed.Set, timedPairs)
	for i := range pairs {
		query, support := solvertest.Nodes(n, channels, uint64(i+1))
		for side, nodes := range [][][]float64{query, support} {
			set := &embed.Set{N: n, C: channels}
			for _, node := range nodes {
				for _, v := range node {
					set.Data = append(set.Data, float32(v))
				}
			}
			pairs[i][side] = set
		}
	}
	return pairs
}
