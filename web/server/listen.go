package server

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// Listen opens the address "host:port" to serve on; port 0 takes a free one.
//
// # Errors
//
// A port that is taken or not allowed gives an error that says what to do.
func Listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken by another program: stop it, or choose another port with --port or PORT (0 takes a free one)", address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s is not open to this user: choose a port above 1023 with --port or PORT", address)
	case err != nil:
		return nil, fmt.Errorf("cannot serve at %s: %w: give a host and port of this machine with --addr and --port", address, err)
	}
	return listener, nil
}
