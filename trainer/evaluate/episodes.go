package evaluate

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/internal/cluster"
)

// inParallel goes through episodes, a rank's share of them on several goroutines (0: one a
// processor), and reports how many are done. Each goroutine begins with start, which returns
// what measures one episode, by its index, and what to do at the end, if anything. It returns
// what came of all episodes, in their order.
//
// It returns the first error, which names its episode, or the context's.
func inParallel[T any](ctx context.Context, episodes, threads int, progress Progress, start func() (measure func(i int) (T, error), end func())) ([]T, error) {
	g := cluster.Of(ctx)
	from, to := cluster.Share(g, episodes)
	outcomes := make([]T, episodes)
	done := counter{total: to - from, progress: progress.of(g, episodes)}
	next := make(chan int)
	work, working := errgroup.WithContext(ctx)
	work.Go(func() error {
		defer close(next)
		for i := from; i < to; i++ {
			select {
			case next <- i:
			case <-working.Done():
				return working.Err()
			}
		}
		return nil
	})
	for range min(goroutines(threads), max(to-from, 1)) {
		work.Go(func() error {
			measure, end := start()
			for i := range next {
				var err error
				if outcomes[i], err = measure(i); err != nil {
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
	return outcomes, join(ctx, outcomes, work.Wait())
}
