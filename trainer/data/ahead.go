package data

import (
	"context"
	"fmt"
)

// Ahead returns the results of prepare for the numbers from, …, steps−1, one at each call of next, and prepares
// two further ones in the meantime. The function stop cancels the context of prepare, and waits for its end. next
// returns the error of prepare, and the context's if it is canceled.
func Ahead[T any](ctx context.Context, from, steps int, prepare func(ctx context.Context, number int) (T, error)) (next func() (T, error), stop func()) {
	type result struct {
		value T
		err   error
	}
	work, cancel := context.WithCancel(ctx)
	ready := make(chan result, 2)
	go func() {
		defer close(ready)
		for number := from; number < steps; number++ {
			value, err := prepare(work, number)
			select {
			case ready <- result{value, err}:
			case <-work.Done():
				return
			}
		}
	}()
	next = func() (T, error) {
		r, ok := <-ready
		switch {
		case ctx.Err() != nil:
			return r.value, ctx.Err()
		case !ok:
			return r.value, fmt.Errorf("no more than %d steps", steps)
		}
		return r.value, r.err
	}
	stop = func() {
		cancel()
		for range ready { // until it is closed
		}
	}
	return next, stop
}
