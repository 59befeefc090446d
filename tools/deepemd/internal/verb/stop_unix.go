//go:build unix

package verb

import (
	"os"
	"syscall"
)

// stops are the signals that ask a command to end.
var stops = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1}
