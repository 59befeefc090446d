package training

import (
	"context"
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// Validate measures a network by few-shot episodes: the mean accuracy and half
// the width of its 95% confidence interval.
type Validate func(ctx context.Context, network *weights.File) (mean, interval float64, err error)

// Watch is told how a run goes on; nil functions are left out.
type Watch struct {
	Step      func(r Record, step, steps int)
	Validated func(r Record, best bool)
	// Note is told what a person should know of and what does not stop the run:
	// files that cannot be written, pictures that are passed over.
	Note func(text string)
}

// checkFinite returns an error that names the first parameter with a gradient
// that is not a number, given the norm of all.
func checkFinite(params []*backbone.Param, step int, loss, norm float64) error {
	if !math.IsNaN(loss) && !math.IsInf(loss, 0) && !math.IsNaN(norm) && !math.IsInf(norm, 0) {
		return nil
	}
	for _, p := range params {
		if n := backbone.GradientNorm([]*backbone.Param{p}, 1); math.IsNaN(n) || math.IsInf(n, 0) {
			return fmt.Errorf("step %d: the loss is %g and the gradient of %s is not finite: lower the setting rate, or clip", step, loss, p.Name)
		}
	}
	return fmt.Errorf("step %d: the loss is %g: lower the setting rate, or clip", step, loss)
}
