// Package learn has what learns in a training run, and the batches that it learns from.
//
//   - [Classifier] pre-trains a backbone by classification of all training classes, with the
//     auxiliary task of telling rotations (DeepEMD, section 4.2). It can also learn the feature
//     maps of a teacher.
//   - [Matcher] trains it by episodes that DeepEMD scores. The gradient passes through the
//     optimal flow (DeepEMD, sections 3.3 and 4.2); internal/emdlayer has the score of one pair.
//
// [Pictures] and [Episodes] prepare their batches. The run itself is package training.
package learn

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
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

	// Shown holds the first M pictures in the input size of a teacher of maps, [M, T, T, 3], or
	// is nil.
	Shown *tensor.Tensor
	// Episodes is of how many episodes the pictures are, of each as many; 0 for one.
	Episodes int
	// Whole is the batch that this one is a rank's part of; zero where it is all.
	Whole Whole
}

// Whole counts the labels, rotations, pictures shown to a teacher of maps, and episodes of the
// batch that the ranks share.
type Whole struct{ Labels, Rotations, Shown, Episodes int }

// part is the share of a rank in what is counted in all of them.
func part(mine, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(mine) / float64(whole)
}

// Shares are the rank's shares in the labels and rotations of the whole batch.
func (b *Batch) Shares() (labels, rotations float64) {
	return part(Counted(b.Labels), b.Whole.Labels), part(Counted(b.Rotations), b.Whole.Rotations)
}

// ShareShown is the rank's share in the pictures that a teacher of maps is shown.
func (b *Batch) ShareShown() float64 { return part(b.Shown.Shape[0], b.Whole.Shown) }

// EpisodeImages goes through the pictures of each episode.
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

// Counted is the number of labels that count: those from 0 on.
func Counted(labels []int) int {
	n := 0
	for _, l := range labels {
		if l >= 0 {
			n++
		}
	}
	return n
}

// Outcome is the loss of a step, and the shares of right answers among the pictures
// that count. Of a part of a batch it is what the part adds to that of the whole.
type Outcome struct {
	Loss               float64
	Accuracy, Rotation float64
	Cosine             float64 // of the maps with the teacher's, in the mean
}

// Learner is a backbone with the part that makes a loss of its features.
type Learner interface {
	Backbone() *backbone.Network
	// Params lists all weights, those of the backbone among them.
	Params() []*backbone.Param
	// Gradients computes the loss of a batch and the gradients of all weights.
	// It draws random numbers from noise. Of a rank's part of a batch, loss and gradients are its
	// share of those of the whole batch.
	Gradients(batch Batch, noise *rand.Rand) (Outcome, error)
	// Announce has Gradients call done with weights whose gradients are finished, each
	// once; they may be sent while it computes on.
	Announce(done func(finished ...*backbone.Param))
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

// ahead is how many batches are prepared in advance.
const ahead = 2

// Ahead gives the batches that prepare makes of the numbers from … steps−1, and
// prepares the next ones while the network computes: what a [Source] returns.
func Ahead(ctx context.Context, from, steps int, prepare func(number int) (Batch, error)) (next func() (Batch, error), stop func()) {
	type result struct {
		batch Batch
		err   error
	}
	ctx, cancel := context.WithCancel(ctx)
	ready := make(chan result, ahead)
	go func() {
		defer close(ready)
		for number := from; number < steps; number++ {
			batch, err := prepare(number)
			select {
			case ready <- result{batch, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	next = func() (Batch, error) {
		r, ok := <-ready
		if !ok {
			return Batch{}, fmt.Errorf("no more than %d batches", steps)
		}
		return r.batch, r.err
	}
	return next, cancel
}

// Images makes a batch [n, size, size, 3] of what picture returns for 0…n−1, of
// size×size pixels each, on several goroutines (0 for all cores).
//
// # Errors
//
// The first picture's.
func Images(n, size int, mean, std [3]float32, threads int, picture func(i int) (*imaging.Image, error)) (*tensor.Tensor, error) {
	return Crops(n, 1, size, mean, std, threads, func(i int) ([]*imaging.Image, error) {
		img, err := picture(i)
		return []*imaging.Image{img}, err
	})
}

// Crops makes a batch [n·each, size, size, 3] of what crops returns for 0…n−1, each
// time so many pictures; see [Images].
func Crops(n, each, size int, mean, std [3]float32, threads int, crops func(i int) ([]*imaging.Image, error)) (*tensor.Tensor, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	batch, errs := tensor.New(n*each, size, size, 3), make([]error, n)
	normalize := imaging.Preprocess{Size: size, Mean: mean, Std: std}
	var wait sync.WaitGroup
	for worker := range threads {
		wait.Go(func() {
			for i := worker; i < n; i += threads {
				imgs, err := crops(i)
				if err != nil {
					errs[i] = err
					return
				}
				for k, img := range imgs {
					normalize.Normalize(batch.Row(i*each+k), img)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return batch, nil
}
