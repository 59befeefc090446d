// Package learn has the learners of a training run, and their batches.
//
//   - [Classifier] pre-trains a backbone by classifying all training classes, with rotation
//     prediction as an auxiliary task (DeepEMD, section 4.2). It can also learn the feature maps
//     of a teacher.
//   - [Matcher] trains the backbone on episodes that DeepEMD scores. The gradient passes through
//     the optimal flow (DeepEMD, sections 3.3 and 4.2); internal/emdlayer scores one pair.
//
// [Pictures] and [Episodes] prepare the batches. Package training runs the training.
package learn

import (
	"cmp"
	"context"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Batch holds the images of one step.
type Batch struct {
	Images *tensor.Tensor // [N, S, S, 3], normalized
	Labels []int          // [N], or for an episode's queries; −1 for images without a label
	// Rotations are quarter-turns [N], or −1 for images outside the auxiliary task; nil without it.
	Rotations []int
	// Targets are a teacher's class probabilities for each image [N], or nil for an image without
	// them; nil without a teacher.
	Targets [][]float32

	// Shown holds the first M images in the input size of a teacher of maps, [M, T, T, 3], or is
	// nil.
	Shown *tensor.Tensor
	// Episodes is the number of episodes, which have the same number of images; 0 means one.
	Episodes int
	// Whole is the batch of which this one is a rank's part, or zero.
	Whole BatchTotals
}

// BatchTotals counts the labels, rotations, images for a teacher of maps, and episodes in the batch that
// the ranks share.
type BatchTotals struct{ Labels, Rotations, Shown, Episodes int }

func part(mine, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(mine) / float64(whole)
}

// Shares returns the rank's shares of the whole batch's labels and rotations.
func (b *Batch) Shares() (labels, rotations float64) {
	return part(backbone.Counted(b.Labels), b.Whole.Labels), part(backbone.Counted(b.Rotations), b.Whole.Rotations)
}

// EpisodeImages yields the images of each episode.
func (b *Batch) EpisodeImages() iter.Seq[*tensor.Tensor] {
	return func(yield func(*tensor.Tensor) bool) {
		shape := slices.Clone(b.Images.Shape)
		n := max(b.Episodes, 1)
		shape[0] /= n
		for values := range slices.Chunk(b.Images.Data, len(b.Images.Data)/n) {
			if !yield(tensor.Of(values, shape...)) {
				return
			}
		}
	}
}

// Outcome is the loss of a step and the shares of correct answers. For a part of a batch, it is the
// part's contribution to the whole.
type Outcome struct {
	Loss               float64
	Accuracy, Rotation float64
	Cosine             float64 // mean cosine of the student's and the teacher's maps
}

// Learner is a backbone with a loss.
type Learner interface {
	Backbone() *backbone.Network
	// Params lists all weights, including the backbone's.
	Params() []*device.Param
	// Gradients computes the loss of a batch and the gradients of all weights. It draws random
	// numbers from noise. For a rank's part of a batch, loss and gradients are its share of the
	// whole.
	Gradients(batch Batch, noise *rand.Rand) (Outcome, error)
	// OnGradients makes Gradients call done with weights whose gradients are complete, each once. They
	// can be sent while it continues.
	OnGradients(done func(finished ...*device.Param))
}

// Source provides the batches of a run. A batch depends only on the epoch and its number.
type Source interface {
	// Steps is the number of batches of an epoch of a stage.
	Steps(stage Stage) int
	// Images is the number of images of a batch of a stage, on all ranks together.
	Images(stage Stage) int
	// Batches returns a function that returns the batches of an epoch in order, beginning with
	// number from. stop ends their preparation.
	Batches(ctx context.Context, stage Stage, epoch, from int) (next func() (Batch, error), stop func())
}

// Crops makes a batch [n·each, size, size, 3] from the images 0, …, n−1 with each crops, of size×size
// pixels each, on several goroutines (0 for all cores). It returns the error of the first failing
// image.
func Crops(n, each, size int, mean, std [3]float32, threads int, crops func(i int) ([]*imaging.Image, error)) (*tensor.Tensor, error) {
	batch := tensor.New(n*each, size, size, 3)
	normalize := imaging.Preprocess{Size: size, Mean: mean, Std: std}
	err := concurrently(n, cmp.Or(threads, runtime.GOMAXPROCS(0)), func(i int) error {
		imgs, err := crops(i)
		if err != nil {
			return err
		}
		for k, img := range imgs {
			normalize.Normalize(batch.Row(i*each+k), img)
		}
		return nil
	})
	return batch, err
}

// concurrently calls do for 0, …, n−1 on several goroutines and returns the error of the lowest
// number. A goroutine ends at its first error.
func concurrently(n, threads int, do func(i int) error) error {
	errs := make([]error, n)
	var wait sync.WaitGroup
	for worker := range threads {
		wait.Go(func() {
			for i := worker; i < n; i += threads {
				if errs[i] = do(i); errs[i] != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	return cmp.Or(errs...)
}
