package training

import (
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/trainer/training/runfolder"
)

// state is all that the run needs to continue.
func (t *Trainer) state() *runfolder.State {
	state := runfolder.NewState()
	further := map[string][][]float32{".velocity": t.sgd.Velocity()}
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
	if err := t.state().Load(filepath.Join(t.Dir, CheckpointFile)); err != nil {
		return err
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

// CanResume reports whether the folder holds a checkpoint.
func CanResume(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, CheckpointFile))
	return err == nil
}
