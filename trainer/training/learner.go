package training

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/backbone"
	"github.com/deepemd/deepemd/trainer/training/optim"
	"github.com/deepemd/deepemd/trainer/training/runfolder"
)

// Batch holds the pictures of one step.
type Batch struct {
	Images *tensor.Tensor // [N, S, S, 3], normalised
	Labels []int          // [N], or those of an episode's queries; −1 where the class does not count
	// Rotations are quarter-turns [N], −1 where the rotation does not count; nil
	// for no auxiliary task.
	Rotations []int
	// Targets are what a teacher says of each picture [N]: the probabilities of all
	// classes, nil where it says nothing; nil for no teacher.
	Targets [][]float32
}

// Outcome is the loss of a step, and the shares of right answers among the pictures
// that count.
type Outcome struct {
	Loss               float64
	Accuracy, Rotation float64
}

// Learner is a backbone with the part that makes a loss of its features.
type Learner interface {
	Backbone() backbone.Network
	// Params lists all weights, those of the backbone among them.
	Params() []*optim.Param
	// Gradients computes the loss of a batch and the gradients of all weights.
	// What is dropped is drawn from noise.
	Gradients(batch Batch, noise *rand.Rand) (Outcome, error)
}

// Source gives the batches of a run. What a batch holds depends on the epoch and
// its number alone.
type Source interface {
	// Steps is the number of batches of an epoch of a stage.
	Steps(stage Stage) int
	// Batches returns a function that gives the batches of an epoch of a stage
	// one after the other, beginning with number from. stop ends what prepares
	// them.
	Batches(ctx context.Context, stage Stage, epoch, from int) (next func() (Batch, error), stop func())
}

// Validate measures a network by few-shot episodes: the mean accuracy and half
// the width of its 95% confidence interval.
type Validate func(ctx context.Context, network *weights.File) (mean, interval float64, err error)

// Watch is told how a run goes on; nil functions are left out.
type Watch struct {
	Step      func(r runfolder.Record, step, steps int)
	Validated func(r runfolder.Record, best bool)
	// Note is told what a person should know of and what does not stop the run:
	// files that cannot be written, pictures that are passed over.
	Note func(text string)
}

// checkFinite returns an error that names the first parameter with a gradient
// that is not a number, given the norm of all.
func checkFinite(params []*optim.Param, step int, loss, norm float64) error {
	if !math.IsNaN(loss) && !math.IsInf(loss, 0) && !math.IsNaN(norm) && !math.IsInf(norm, 0) {
		return nil
	}
	for _, p := range params {
		if n := optim.GradientNorm([]*optim.Param{p}, 1); math.IsNaN(n) || math.IsInf(n, 0) {
			return fmt.Errorf("step %d: the loss is %g and the gradient of %s is not finite: lower the setting rate, or clip", step, loss, p.Name)
		}
	}
	return fmt.Errorf("step %d: the loss is %g: lower the setting rate, or clip", step, loss)
}
