//go:build unix

package reproduce

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is what the processor has worked for this program so far. Unlike
// the clock's, its differences do not depend on what else the machine does.
func processorTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return time.Since(started)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
