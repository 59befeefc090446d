// Package training runs pre-training and meta-training.
//
// [Pretrain] and [Meta] are the settings of a run, in TOML. Prepare opens the images and the
// initial network, and returns a [Trainer]. The trainer draws batches, updates and averages the
// weights, validates, and writes checkpoints, a log and networks, so that a run can be stopped and
// continued bit for bit. The learners are in trainer/internal/learn.
package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"
	"time"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// Files in a run's folder.
const (
	CheckpointFile = netfile.CheckpointFile // to continue from
	BestFile       = netfile.BestFile       // the network with the best validation
	LastFile       = netfile.LastFile       // the network at the end, or the latest one without validation
	LogFile        = netfile.LogFile
	CurvesFile     = "curves.svg"
)

// Trainer is a training run.
type Trainer struct {
	Settings *learn.Settings
	Learner  learn.Learner
	Source   learn.Source
	Validate Validate     // optional
	Meta     weights.Meta // of the written networks, except their widths
	Dir      string       // the existing folder for its files
	Watch    Hooks
	// Pictures, unless nil, are the images of which damaged ones are replaced.
	Pictures *data.Set
	// Write writes a file atomically; nil for atomicfile.Write.
	Write func(path string, write func(io.Writer) error) error
	// Group shares the run among its ranks, which all call Run; nil for a single process. The
	// learner and the source are a rank's part. Only rank 0 writes files and calls Watch.
	Group cluster.Group
	// Pause is the time between the last attempts to write files; 0 for half a minute.
	Pause time.Duration
	// SaveEvery is the time between checkpoints within an epoch, for a single process; 0 for four
	// minutes.
	SaveEvery time.Duration

	peers     *cluster.Replicas
	optimizer *backbone.SGD
	average   *backbone.Average // optional
	log       *runLog

	step, steps  int
	done         int // finished epochs, including validation
	milliseconds int // time in training
	best         int // validation accuracy in millionths
	unsaved      unsaved
	saved        time.Time // time of the last checkpoint, or of the start
}

// logEvery is the number of steps between records of the log.
const logEvery = 20

const saveEvery = 4 * time.Minute

// Run trains to the end, from the initial weights or, if resume is set and the run's folder has
// one, from the checkpoint. If ctx ends, it saves a checkpoint and returns the context's error. A
// run that continues from there gets bit for bit the same weights as an uninterrupted run. All ranks
// stop together if one is canceled.
//
// # Errors
//
// Errors of the source and of validation; a loss or gradient that is not finite, with the step and
// the layer; *UnsavedError for files that cannot be written at the end (earlier failures are noted
// and retried). The last checkpoint stays intact.
func (t *Trainer) Run(ctx context.Context, resume bool) (err error) {
	if err := t.start(resume); err != nil {
		return err
	}
	defer t.peers.Close()
	defer func() {
		if t.log == nil {
			return
		}
		if closed := t.log.Close(); err == nil && closed != nil {
			err = &UnsavedError{t.writeError(LogFile, closed, nil)}
		}
	}()
	first := 0
	for epoch, stage := range t.epochs() {
		steps := t.Source.Steps(stage)
		first += steps
		if epoch < t.done {
			continue
		}
		if err := t.epoch(ctx, stage, epoch, first-steps, steps); err != nil {
			return err
		}
		if err := t.endEpoch(ctx, stage, epoch); err != nil {
			return err
		}
	}
	return t.saveAtEnd(ctx)
}

func (t *Trainer) epochs() func(yield func(int, learn.Stage) bool) {
	return func(yield func(int, learn.Stage) bool) {
		epoch := 0
		for _, stage := range t.Settings.Stages {
			for range stage.Epochs {
				if !yield(epoch, stage) {
					return
				}
				epoch++
			}
		}
	}
}

func (t *Trainer) start(resume bool) (err error) {
	s := t.Settings
	threads, params := cmp.Or(s.Threads, runtime.GOMAXPROCS(0)), t.Learner.Params()
	t.optimizer = backbone.NewSGD(params, s.Momentum, s.WeightDecay, s.Nesterov, threads)
	if s.Average > 0 {
		t.average = backbone.NewAverage(params, s.Average, threads)
	}
	if err := t.bind(params); err != nil {
		return err
	}
	for _, bn := range t.Learner.Backbone().Norms() {
		bn.Frozen = s.FreezeStatistics
	}
	t.steps = 0
	for _, stage := range t.epochs() {
		t.steps += t.Source.Steps(stage)
	}
	if err := t.join(); err != nil {
		return err
	}
	kept := -1 // records up to this step stay in the log
	if resume {
		switch err := t.load(); {
		case errors.Is(err, fs.ErrNotExist) && HasRun(t.Dir):
			t.note(fmt.Sprintf("%s has no %s: the run starts again", t.Dir, CheckpointFile))
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		kept = t.step
	}
	if err := t.push(); err != nil {
		return err
	}
	t.unsaved, t.saved = unsaved{networks: map[string]*weights.File{}}, time.Now()
	if t.peers.IsFirst() {
		if t.log, err = openLog(filepath.Join(t.Dir, LogFile), kept, t.done); err != nil {
			return err
		}
	}
	if err := t.skip(); err != nil {
		return err
	}
	if err := t.peers.CheckEqual("begins with another network: give all ranks the same --init, and the same kind of processor"); err != nil {
		return err
	}
	if t.Watch.Start != nil && t.peers.IsFirst() {
		return t.Watch.Start()
	}
	return nil
}

func (t *Trainer) join() (err error) {
	s, norms := t.Settings, t.Learner.Backbone().Norms()
	var of cluster.Tensors
	for _, p := range t.Learner.Params() {
		of.Values, of.Gradients = append(of.Values, p.Value), append(of.Gradients, p.Grad)
	}
	for _, bn := range norms {
		of.Statistics = append(of.Statistics, bn.Mean, bn.Variance)
	}
	t.peers, err = cluster.NewReplicas(cluster.Or(t.Group), of, cluster.Options{
		Half: s.Gradients == device.BFloat16, Own: s.Statistics == learn.EachRank, Unchanged: s.FreezeStatistics,
	})
	if err != nil {
		return err
	}
	for _, bn := range norms {
		bn.Sum = t.peers.Statistics()
	}
	t.Learner.OnGradients(func(finished ...*device.Param) {
		for _, p := range finished {
			t.peers.Ready(p.Grad)
		}
	})
	return nil
}

// agreeOnStep decides together whether all ranks take the next step. If a rank is stopped, or has no
// batch because of err, it saves and returns an error. It also logs replaced images.
func (t *Trainer) agreeOnStep(ctx context.Context, err error, epoch float64) error {
	stopped := ctx.Err() != nil
	if stopped { // errors of a canceled source are expected
		err = nil
	}
	failed, skipped := err != nil, t.Pictures != nil && t.Pictures.AnySkipped()
	if err := t.peers.Any(&stopped, &failed, &skipped); err != nil {
		return err
	}
	if !stopped && !failed {
		if skipped {
			return t.logSkipped(epoch)
		}
		return nil
	}
	if failed {
		err = cluster.AgreeOnError(t.peers, err)
	}
	if stopped {
		err = errors.Join(cmp.Or(ctx.Err(), context.Canceled), err) // another rank may have stopped
	}
	return t.saveTogether(err)
}

// saveTogether saves, and adds the error of that to err. All ranks must call it, and wait for rank 0:
// the end of another rank would end rank 0 too.
func (t *Trainer) saveTogether(err error) error {
	if collected := t.peers.Collect(); collected != nil {
		return errors.Join(err, collected)
	}
	return errors.Join(err, cluster.AgreeOnError(t.peers, t.save()))
}

// epoch takes the remaining steps of an epoch.
func (t *Trainer) epoch(ctx context.Context, stage learn.Stage, epoch, first, steps int) error {
	next, stop := t.Source.Batches(t.peers.Together(ctx), stage, epoch, t.step-first)
	defer stop()
	schedule, err := t.Settings.RateSchedule()
	if err != nil {
		return err
	}
	params := t.Learner.Params()
	for t.step < first+steps {
		began := time.Now()
		batch, err := next()
		if err := t.agreeOnStep(ctx, err, float64(epoch)+float64(t.step-first)/float64(steps)); err != nil {
			return err
		}
		rate := t.Settings.Rate * schedule(t.step, t.steps)
		outcome, err := t.Learner.Gradients(batch, t.peers.Noise(t.Settings.Seed, t.step))
		if err = cmp.Or(err, t.Learner.Backbone().Device().Err()); err != nil {
			return fmt.Errorf("step %d: %w", t.step, t.explainMemory(err, batch.Images.Shape))
		}
		if err := t.peers.Sum(&outcome.Loss, &outcome.Accuracy, &outcome.Rotation, &outcome.Cosine); err != nil {
			return fmt.Errorf("step %d: %w", t.step, err)
		}
		norm, err := backbone.GradientNorm(params, t.resident(), t.optimizer.Threads)
		if err != nil {
			return fmt.Errorf("step %d: %w", t.step, err)
		}
		if err := t.checkFinite(params, outcome.Loss, norm); err != nil {
			return err
		}
		t.optimizer.Step(rate, backbone.ClipScale(norm, t.Settings.Clip))
		if t.average != nil {
			t.average.Update()
		}
		t.step++
		if err := t.peers.MeanStatistics(); err != nil {
			return fmt.Errorf("step %d: %w", t.step, err)
		}
		took := time.Since(began)
		t.milliseconds += int(took.Round(time.Millisecond).Milliseconds())
		record := Record{
			Step: t.step, Epoch: float64(epoch) + float64(t.step-first)/float64(steps), Seconds: t.seconds(),
			Size: stage.Size, Rate: rate, Loss: outcome.Loss, Accuracy: outcome.Accuracy, Rotation: outcome.Rotation, Cosine: outcome.Cosine,
			Gradient: norm, PerSecond: float64(t.Source.Images(stage)) / took.Seconds(),
		}
		if t.step%logEvery == 0 || t.step == first+steps { // short epochs too
			t.record(record)
		}
		if t.Watch.Step != nil {
			t.Watch.Step(record, t.step, t.steps)
		}
		if !t.peers.Several() { // otherwise rank 0 has the whole state only at the end of the epoch
			retry := !t.unsaved.failed.IsZero() && time.Since(t.unsaved.failed) >= retryAfter
			if retry || time.Since(t.saved) >= cmp.Or(t.SaveEvery, saveEvery) {
				t.saveOrNote()
			}
		}
	}
	return nil
}

// Pixels returns the number of pixels of the training images up to the current step, and in the whole run.
func (t *Trainer) Pixels() (done, total int) {
	left := t.step
	for _, stage := range t.epochs() {
		steps, each := t.Source.Steps(stage), t.Source.Images(stage)*stage.Size*stage.Size
		taken := min(left, steps)
		done, total, left = done+taken*each, total+steps*each, left-taken
	}
	return done, total
}

// String states the current step.
func (t *Trainer) String() string { return fmt.Sprintf("step %d of %d", t.step, t.steps) }

func (t *Trainer) seconds() float64 { return float64(t.milliseconds) / 1e3 }

// Validate measures a network on few-shot episodes: the mean accuracy and half the width of its 95%
// confidence interval.
type Validate func(ctx context.Context, network *weights.File) (mean, interval float64, err error)

// Hooks receives the progress of a run. Its functions are optional.
type Hooks struct {
	// Start is called before the first step, when the checkpoint has been read. Its error ends the run.
	Start     func() error
	Step      func(r Record, step, steps int)
	Validated func(r Record, best bool)
	// Note receives problems that do not stop the run: files that cannot be written, images that
	// are replaced.
	Note func(text string)
}

// checkFinite returns an error that names the first parameter with a gradient that is not finite.
// norm is the norm of all gradients.
func (t *Trainer) checkFinite(params []*device.Param, loss, norm float64) error {
	if !math.IsNaN(loss) && !math.IsInf(loss, 0) && !math.IsNaN(norm) && !math.IsInf(norm, 0) {
		return nil
	}
	if r := t.resident(); r != nil {
		if err := r.Gradients(); err != nil {
			return err
		}
	}
	for _, p := range params {
		if n, _ := backbone.GradientNorm([]*device.Param{p}, nil, 1); math.IsNaN(n) || math.IsInf(n, 0) {
			return fmt.Errorf("step %d: the loss is %g and the gradient of %s is not finite: lower the setting rate, or clip", t.step, loss, p.Name)
		}
	}
	return fmt.Errorf("step %d: the loss is %g: lower the setting rate, or clip", t.step, loss)
}
