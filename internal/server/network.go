package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"regexp"
	"syscall"
	"time"
)

// Grace is how long downloads may usually continue when the server is told to stop.
const Grace = 30 * time.Second

// Network says how a handler meets the network. The zero value answers localhost and the
// addresses of this machine over HTTP. It limits the head of a request and the pause between
// two; to limit slow downloads or the number of connections, or for a log, put a proxy in front.
type Network struct {
	// Hosts are names that the server answers to: example.org, *.example.org, an
	// address, "*" for any. It always answers to localhost, to loopback addresses, to the
	// address of this machine at which a request came in, and to the names of the
	// certificate; others get 421.
	Hosts []string

	// Certificate has the server speak HTTPS; nil is HTTP.
	Certificate *tls.Certificate

	// Notes takes messages for the operator, a line each, without addresses of visitors.
	// Nil: none.
	Notes io.Writer

	// Grace is how long downloads may continue when the server is told to stop; 0 is the
	// usual 30 seconds.
	Grace time.Duration
}

// Check returns an error that names the first host that is none.
func (n Network) Check() error {
	_, err := parseHosts(n.Hosts)
	return err
}

// LoadCertificate reads a certificate, with those above it, and its private key from PEM
// files. Both may lie in one file.
//
// # Errors
//
// A file that cannot be read, holds something else, or does not belong to the other gives an
// error that names both.
func LoadCertificate(certificate, key string) (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w: give a certificate and the key that it was made with, without a password, both in PEM", certificate, key, err)
	}
	return &pair, nil
}

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

// visitors are their addresses in the messages of net/http, which nobody asked to keep.
var visitors = regexp.MustCompile(`(\d{1,3}(\.\d{1,3}){3}|\[[0-9A-Fa-f:.%\w]+\]):\d+`)

// notes takes messages of net/http.
type notes struct{ io.Writer }

// Write passes a message on without addresses.
func (n notes) Write(line []byte) (int, error) {
	_, err := n.Writer.Write(visitors.ReplaceAllLiteral(line, []byte("a visitor")))
	return len(line), err
}

// Serve answers requests on the listener until the context is done. Then it accepts no more
// requests and lets current downloads finish within Grace; it cuts off those that do not.
// It returns nil after such an end.
func (n Network) Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	hosts, err := parseHosts(n.Hosts)
	if err != nil {
		return err
	}
	if n.Notes == nil {
		n.Notes = io.Discard
	}
	server := &http.Server{
		Handler:           hosts.only(handler),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10, // cookies of other programs at localhost come along
		ErrorLog:          log.New(notes{n.Notes}, "", 0),
	}
	serve := func() error { return server.Serve(listener) }
	if n.Certificate != nil {
		for _, name := range n.Certificate.Leaf.DNSNames {
			_ = hosts.add(name) // a certificate may hold names that no browser asks for
		}
		for _, ip := range n.Certificate.Leaf.IPAddresses {
			_ = hosts.add(ip.String())
		}
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*n.Certificate}}
		serve = func() error { return server.ServeTLS(listener, "", "") }
	}
	failed := make(chan error, 1)
	go func() { failed <- serve() }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	return n.stop(ctx, server)
}

// stop ends a server in good order.
func (n Network) stop(ctx context.Context, server *http.Server) error {
	if n.Grace <= 0 {
		n.Grace = Grace
	}
	fmt.Fprintf(n.Notes, "stopping: downloads under way may take up to %v more\n", n.Grace)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), n.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		fmt.Fprintf(n.Notes, "cut off downloads that were not done after %v\n", n.Grace)
		return server.Close()
	}
	return nil
}

// URL returns the address at which a browser on this machine opens what the
// listener serves.
func (n Network) URL(listener net.Listener) string {
	scheme := "http://"
	if n.Certificate != nil {
		scheme = "https://"
	}
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return scheme + listener.Addr().String()
	}
	if ip := net.ParseIP(host); ip != nil && (ip.IsUnspecified() || ip.IsLoopback()) {
		// A camera needs https or localhost: an IP address would do, but the
		// name is what people know.
		host = "localhost"
	}
	return scheme + net.JoinHostPort(host, port)
}
