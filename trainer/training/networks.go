package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// statisticsBatches is the number of batches to measure the statistics of averaged weights.
const statisticsBatches = 24

// saveAfter is the least time between checkpoints at the ends of epochs, which take seconds on a
// card.
const saveAfter = 15 * time.Second

// endEpoch validates if it is due, draws the curves, and saves. A damaged image also ends the run with
// a checkpoint.
func (t *Trainer) endEpoch(ctx context.Context, stage learn.Stage, epoch int) error {
	last := t.step == t.steps
	if every := t.Settings.ValidateEvery; last || every > 0 && (epoch+1)%every == 0 {
		if err := t.finish(ctx, stage, epoch, last); err != nil {
			stopped := ctx.Err() != nil || errors.As(err, new(*data.Damaged))
			if stopped && !t.peers.Several() { // ranks stop at the next step where they agree
				return errors.Join(cmp.Or(ctx.Err(), err), t.save())
			}
			return err
		}
	}
	t.curves()
	t.done = epoch + 1
	if err := t.peers.Collect(); err != nil {
		return err
	}
	if last := t.step == t.steps; last || t.peers.Several() || len(t.unsaved.networks) > 0 || time.Since(t.saved) >= saveAfter {
		t.saveOrNote()
	}
	return t.peers.CheckEqual("has other weights than rank 0, which it should have to the bit: give all ranks the same kind of processor")
}

// finish exports the current network and validates it. It keeps the best and the last network, and
// every network if there is no validation.
func (t *Trainer) finish(ctx context.Context, stage learn.Stage, epoch int, last bool) error {
	network, err := t.network(ctx, stage)
	if err != nil {
		return err
	}
	if t.Validate != nil {
		err = t.measure(t.peers.Together(ctx), network, stage, epoch)
	}
	if t.peers.Several() && errors.As(err, new(*data.Damaged)) { // all ranks have this error
		return t.saveTogether(err)
	}
	if err != nil {
		return err
	}
	if err := t.logSkipped(float64(epoch + 1)); err != nil {
		return err
	}
	if last || t.Validate == nil {
		t.unsaved.networks[LastFile] = network
	}
	return nil
}

// measure validates a network and keeps it if it is the best.
func (t *Trainer) measure(ctx context.Context, network *weights.File, stage learn.Stage, epoch int) error {
	mean, interval, err := t.Validate(ctx, network)
	if errors.Is(err, match.ErrNotFinite) { // in the first picture, which is not the cause
		return fmt.Errorf("step %d: validation finds features that are not finite or too large: lower the setting rate, or clip", t.step)
	}
	if err != nil {
		return err
	}
	record := Record{Step: t.step, Epoch: float64(epoch + 1), Seconds: t.seconds(), Size: stage.Size,
		Validation: mean, Interval: interval}
	t.record(record)
	better := int(mean*1e6) > max(t.best, t.unsaved.best)
	if better {
		t.unsaved.best = int(mean * 1e6)
		t.unsaved.networks[BestFile] = network
	}
	if t.Watch.Validated != nil {
		t.Watch.Validated(record, better)
	}
	return nil
}

// network exports the current weights or, if they are averaged, the averages with newly measured
// statistics. It does not change the run.
func (t *Trainer) network(ctx context.Context, stage learn.Stage) (network *weights.File, err error) {
	if err := t.pull(); err != nil {
		return nil, err
	}
	meta := t.Meta
	meta.InputSize = stage.Size
	if t.average == nil {
		return t.export(meta), nil
	}
	if t.Settings.FreezeStatistics {
		t.average.Swap()
		defer t.average.Swap()
		return t.export(meta), nil
	}
	norms := t.Learner.Backbone().Norms()
	var means, variances []*tensor.Tensor
	for _, bn := range norms {
		mean, variance := bn.Running()
		means, variances = append(means, mean), append(variances, variance)
	}
	t.average.Swap()
	defer func() {
		t.average.Swap()
		for i, bn := range norms {
			bn.SetRunning(means[i], variances[i])
			bn.Momentum = device.NormMomentum
		}
		err = errors.Join(err, t.push())
	}()
	if err := t.push(); err != nil {
		return nil, err
	}
	next, stop := t.Source.Batches(t.peers.Together(ctx), stage, 0, 0)
	defer stop()
	seen := 0
	for range min(statisticsBatches, t.Source.Steps(stage)) {
		batch, err := next()
		if err != nil {
			return nil, err
		}
		for images := range batch.EpisodeImages() {
			seen++
			for _, bn := range norms {
				bn.Momentum = 1 / float64(seen)
			}
			t.Learner.Backbone().Forward(images)
		}
	}
	if err := errors.Join(t.peers.MeanStatistics(), t.pull()); err != nil {
		return nil, err
	}
	return t.export(meta), nil
}

// export returns the network's file, with further parameters that the learner wants to keep.
func (t *Trainer) export(meta weights.Meta) *weights.File {
	f := t.Learner.Backbone().Export(meta)
	if l, ok := t.Learner.(interface{ Kept() []*device.Param }); ok {
		backbone.Export(f, l.Kept(), nil)
	}
	return f
}
