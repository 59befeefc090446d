//go:build !unix

package reproduce

import "time"

// processorTime is the clock's time, where nobody tells the processor's.
func processorTime() time.Duration { return time.Since(started) }
