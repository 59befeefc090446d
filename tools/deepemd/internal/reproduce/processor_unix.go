//go:build unix

package reproduce

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of this program so far. Unlike the clock, it hardly depends
// on the other load of the machine.
func processorTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return time.Since(started)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
