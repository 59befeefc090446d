package learn

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
)

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
