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
	"strings"
	"syscall"
	"time"
)

// Grace is the default time for downloads to finish when the server stops.
const Grace = 30 * time.Second

// Network connects a handler to the network. The zero value serves localhost and the addresses of
// this machine over HTTP. It limits request headers and idle connections, and reads no request
// bodies; for limits of slow downloads and connections, or for a log, use a proxy.
type Network struct {
	// Hosts are accepted host names: example.org, *.example.org, an address, or "*" for all.
	// localhost, loopback addresses, the local address of a request and the names of the
	// certificate are always accepted; other requests get status 421.
	Hosts []string

	// Certificate enables HTTPS; nil means HTTP.
	Certificate *tls.Certificate

	// Notes receives messages for the operator, one per line, without visitors' addresses. It may
	// be nil.
	Notes io.Writer

	// Grace is the time for downloads to finish when the server stops; 0 means 30 seconds.
	Grace time.Duration
}

// Check returns an error for the first invalid host.
func (n Network) Check() error {
	_, err := parseHosts(n.Hosts)
	return err
}

// Listen opens the address "host:port"; port 0 selects a free one. Errors about a port that is in
// use or not permitted state the remedy.
func Listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use by another program: stop it, or choose another port with --port or PORT (0 selects a free one)", address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s requires privileges: choose a port above 1023 with --port or PORT", address)
	case err != nil:
		return nil, fmt.Errorf("cannot serve at %s: %w: give a host and port of this machine with --addr and --port", address, err)
	}
	return listener, nil
}

var visitors = regexp.MustCompile(`(\d{1,3}(\.\d{1,3}){3}|\[[0-9A-Fa-f:.%\w]+\]):\d+`)

// notes removes addresses from messages of net/http.
type notes struct{ io.Writer }

// Write writes a message without addresses.
func (n notes) Write(line []byte) (int, error) {
	_, err := n.Writer.Write(visitors.ReplaceAllLiteral(line, []byte("a visitor")))
	return len(line), err
}

// Serve serves requests on the listener until the context is done. It then accepts no more
// requests, lets downloads finish within Grace, and aborts the remaining ones. It returns nil after
// such an end.
func (n Network) Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	hosts, err := parseHosts(n.Hosts)
	if err != nil {
		return err
	}
	if n.Notes == nil {
		n.Notes = io.Discard
	}
	server := &http.Server{
		Handler:           bodiless(hosts.restrict(handler)),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10, // cookies of other programs on localhost are included
		ErrorLog:          log.New(notes{n.Notes}, "", 0),
	}
	serve := func() error { return server.Serve(listener) }
	if n.Certificate != nil {
		for _, name := range n.Certificate.Leaf.DNSNames {
			_ = hosts.add(name) // a certificate may contain names that browsers do not request
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

// bodiless discards the bodies of requests, which no handler here reads. Otherwise, net/http waits for
// the rest of a body before it answers, and a slow client keeps the connection forever.
func bodiless(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now()) // the connections of a server have deadlines
		}
		next.ServeHTTP(w, r)
	})
}

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

// URL returns the address of the listener for a browser on this machine.
func (n Network) URL(listener net.Listener) string {
	host, port := parts(listener)
	if ip := net.ParseIP(host); ip.IsUnspecified() || ip.IsLoopback() {
		// Cameras need https or localhost. An IP address would work, but the name is more familiar.
		host = "localhost"
	}
	return n.url(host, port)
}

// Elsewhere returns the addresses of a listener at 0.0.0.0 for browsers on other machines: the names and
// addresses in the certificate, or else the addresses of this machine.
func (n Network) Elsewhere(listener net.Listener) (urls []string) {
	host, port := parts(listener)
	if !net.ParseIP(host).IsUnspecified() {
		return nil
	}
	ips := networkAddresses()
	if n.Certificate != nil {
		ips = n.Certificate.Leaf.IPAddresses
		for _, name := range n.Certificate.Leaf.DNSNames {
			if name != "localhost" && !strings.Contains(name, "*") {
				urls = append(urls, n.url(name, port))
			}
		}
	}
	for _, ip := range ips {
		if !ip.IsLoopback() {
			urls = append(urls, n.url(ip.String(), port))
		}
	}
	return urls
}

func parts(listener net.Listener) (host, port string) {
	host, port, _ = net.SplitHostPort(listener.Addr().String())
	return host, port
}

func (n Network) url(host, port string) string {
	scheme := "http://"
	if n.Certificate != nil {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, port)
}
