package training

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// state is all that the run needs to continue.
func (t *Trainer) state() *State {
	state := NewState()
	t.ranks.state(state)
	further := map[string][][]float32{".velocity": t.optimizer.Velocity()}
	if t.average != nil {
		further[".average"] = t.average.Values()
		t.averageSteps = t.average.Steps()
	}
	state.Params(t.Learner.Params(), further)
	for _, bn := range t.Learner.Backbone().Norms() {
		state.Slice(bn.Name()+".running_mean", bn.Mean)
		state.Slice(bn.Name()+".running_var", bn.Variance)
	}
	state.Number("step", &t.step)
	state.Number("epochs", &t.done)
	state.Number("milliseconds", &t.milliseconds)
	state.Number("best", &t.best)
	state.Number("average_steps", &t.averageSteps)
	return state
}

func (t *Trainer) load() error {
	path := filepath.Join(t.Dir, CheckpointFile)
	raw, err := t.ranks.read(path)
	if err != nil {
		return err
	}
	if err := t.ranks.resume(raw); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := t.state().Decode(raw); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := t.ranks.divide(t.note); err != nil {
		return err
	}
	if err := t.checkPlace(); err != nil {
		return fmt.Errorf("%s: %w: the checkpoint belongs to a run of other settings", path, err)
	}
	for _, p := range t.Learner.Params() {
		if p.Changed != nil {
			p.Changed()
		}
	}
	if t.average != nil {
		t.average.SetSteps(t.averageSteps)
	}
	return nil
}

// checkPlace returns an error for a place that no run of these settings is ever at: the
// step must be of the first epoch that is not done, or the end of it.
func (t *Trainer) checkPlace() error {
	first, next := 0, 0 // steps at which that epoch begins and ends
	for epoch, stage := range t.epochs() {
		if epoch > t.done {
			break
		}
		first, next = next, next+t.Source.Steps(stage)
	}
	last := 0
	for _, stage := range t.Settings.Stages {
		last += stage.Epochs
	}
	if t.done == last {
		first = next
	}
	switch {
	case t.done < 0 || t.done > last:
		return fmt.Errorf("%d epochs are done, of %d", t.done, last)
	case t.step < first || t.step > next:
		return fmt.Errorf("step %d of epoch %d, which has steps %d to %d", t.step, t.done+1, first, next)
	case t.milliseconds < 0 || t.best < 0 || t.averageSteps < 0:
		return errors.New("negative numbers")
	}
	return nil
}

// CanResume reports whether the folder holds a checkpoint.
func CanResume(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, CheckpointFile))
	return err == nil
}
