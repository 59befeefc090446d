package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/cluster"
	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/augment"
	"github.com/deepemd/deepemd/trainer/training/backbone"
	"github.com/deepemd/deepemd/trainer/training/pretrain"
	"github.com/deepemd/deepemd/trainer/training/runfolder"
)

// picturesPerRank is the batch of each process.
const picturesPerRank = 32

// ranks measures what communication adds to a step: every process by itself, at the same
// time, and then together in several ways. They take turns.
func ranks(b *bench) error {
	together := func(*pretrain.Settings) {}
	modes := []struct {
		name   string
		group  cluster.Group
		change func(*pretrain.Settings)
	}{
		{"each process by itself", cluster.Alone{}, together},
		{"gradients as float32, statistics synchronised", b.group, together},
		{"gradients as float32, each rank's statistics", b.group, func(s *pretrain.Settings) { s.Statistics = training.EachRank }},
		{"gradients as bfloat16, each rank's statistics", b.group, func(s *pretrain.Settings) { s.Statistics, s.Gradients = training.EachRank, backbone.BFloat16 }},
		{"local SGD, the mean of weights every 16 steps", b.group, func(s *pretrain.Settings) { s.Statistics, s.LocalSGD = training.EachRank, 16 }},
	}
	if b.group.Size() == 1 {
		modes = modes[:1]
	}
	var runs []*paced
	defer func() {
		for _, r := range runs {
			r.stop()
		}
	}()
	var sides []side
	for _, m := range modes {
		r, err := newPaced(m.group, m.change)
		if err != nil {
			return err
		}
		runs, sides = append(runs, r), append(sides, func() (float64, error) {
			if err := b.group.Barrier(); err != nil {
				return 0, err
			}
			return r.step()
		})
	}
	times, err := b.compare(sides...)
	if err != nil {
		return err
	}
	for i, m := range modes {
		row := row{What: m.name, Ours: times[i], Unit: "ms"}
		if i > 0 {
			row.Note = fmt.Sprintf("%+.1f ms, ", times[i]-times[0])
		}
		row.Note += fmt.Sprintf("%.0f ms of processor time", slices.Sorted(slices.Values(runs[i].processor[1:]))[b.repetitions/2])
		if e, steps := runs[i].exchanged, float64(runs[i].steps); e.Values > 0 {
			row.Note += fmt.Sprintf("; %.1f M gradients summed in %.0f ms, %.0f of them waited for", float64(e.Values)/steps/1e6,
				e.Busy.Seconds()*1e3/steps, e.Waited.Seconds()*1e3/steps)
		}
		b.rows = append(b.rows, row)
	}
	return nil
}

// paced is a run of training that takes a step when it is told to.
type paced struct {
	turn      chan struct{}
	done      chan time.Time // when a step was done
	ended     chan error
	end       context.CancelFunc
	steps     int
	processor []float64 // milliseconds that each step took of it: other programs do not lengthen them
	exchanged training.Exchanged
}

// newPaced prepares a run of a process of the group.
func newPaced(g cluster.Group, change func(*pretrain.Settings)) (*paced, error) {
	s := pretrain.Defaults()
	s.Widths, s.RotationWeight, s.Precision, s.Average = resnettest.Full, 0, backbone.Float32, 0
	s.Stages = []training.Stage{{Epochs: 1000, Size: 32, Batch: picturesPerRank * g.Size()}}
	change(&s)
	if err := s.Check(); err != nil {
		return nil, err
	}
	set, err := noise(32)
	if err != nil {
		return nil, err
	}
	source, err := pretrain.NewPictures(set, set.Classes(), &s, augment.Policy{Pad: 0.125, Flip: true, Brightness: 0.2, Contrast: 0.2, Saturation: 0.2})
	if err != nil {
		return nil, err
	}
	source.Group = g
	net, err := backbone.ResNet12(s.Widths).Build(s.Seed, backbone.Options{Threads: s.Threads})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "deepemd-bench")
	if err != nil {
		return nil, err
	}
	p := &paced{turn: make(chan struct{}), done: make(chan time.Time), ended: make(chan error, 1)}
	t := &training.Trainer{
		Settings: &s.Settings, Learner: pretrain.NewModel(&s, net, trainClasses), Source: source, Group: g, Dir: dir,
		Write: func(string, func(io.Writer) error) error { return nil }, // nothing of it is wanted
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.end = cancel
	t.Watch.Step = func(runfolder.Record, int, int) {
		p.steps++
		p.exchanged = t.Exchanged()
		p.done <- time.Now()
		<-p.turn
	}
	go func() {
		<-p.turn
		err := t.Run(ctx, false)
		p.ended <- errors.Join(err, set.Close(), os.RemoveAll(dir))
	}()
	return p, nil
}

// step takes a step and returns its milliseconds.
func (p *paced) step() (float64, error) {
	began, spent := time.Now(), processorTime()
	p.turn <- struct{}{}
	select {
	case at := <-p.done:
		p.processor = append(p.processor, (processorTime()-spent).Seconds()*1e3)
		return at.Sub(began).Seconds() * 1e3, nil
	case err := <-p.ended:
		return 0, fmt.Errorf("the run ends: %w", err)
	}
}

// stop ends a run that has taken a step, where its ranks next agree.
func (p *paced) stop() {
	p.end()
	for {
		select {
		case p.turn <- struct{}{}:
		case <-p.done:
		case <-p.ended:
			return
		}
	}
}

// processorTime is what this process has taken of the processor.
func processorTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0 // of no system that runs MPI
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
