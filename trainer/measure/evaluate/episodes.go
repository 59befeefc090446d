package evaluate

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// inParallel goes through episodes on several goroutines (0: one a processor), and
// reports how many are done. Each goroutine begins with start, which returns what
// measures one episode, by its index, and what to do at the end, if anything.
//
// It returns the first error, which names its episode, or the context's.
func inParallel(ctx context.Context, episodes, threads int, progress Progress, start func() (measure func(i int) error, end func())) error {
	done := counter{total: episodes, progress: progress}
	next := make(chan int)
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error {
		defer close(next)
		for i := range episodes {
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range min(goroutines(threads), max(episodes, 1)) {
		work.Go(func() error {
			measure, end := start()
			for i := range next {
				if err := measure(i); err != nil {
					return fmt.Errorf("episode %d: %w", i+1, err)
				}
				done.add()
			}
			if end != nil {
				end()
			}
			return nil
		})
	}
	return work.Wait()
}
