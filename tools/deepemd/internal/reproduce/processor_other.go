//go:build !unix

package reproduce

import "time"

// processorTime returns the clock's time: the processor time is not available.
func processorTime() time.Duration { return time.Since(started) }
