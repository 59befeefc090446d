package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"
)

// How long a browser may take over its request, and how long answers that are
// under way may still take when the server stops.
const (
	headerTimeout   = 10 * time.Second
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 5 * time.Second
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

// URL returns the address at which a browser on this machine opens what the
// listener serves.
func URL(listener net.Listener) string {
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return "http://" + listener.Addr().String()
	}
	if ip := net.ParseIP(host); ip != nil && (ip.IsUnspecified() || ip.IsLoopback()) {
		// A camera needs https or localhost: an IP address would do, but the
		// name is what people know.
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Serve answers requests on the listener until the context is done, then lets
// the answers under way finish. It returns nil after such an orderly end.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return server.Close()
	}
	return nil
}
