package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// Grace is how long downloads may usually go on when the server is told to stop.
const Grace = 30 * time.Second

// Network says how a handler meets the network. The zero value answers localhost and the
// addresses of this machine over HTTP, and writes nothing down.
type Network struct {
	// Hosts are names that the server answers to: example.org, *.example.org, an
	// address, "*" for any. It always answers to localhost, to loopback addresses, to the
	// address of this machine at which a request came in, and to the names of the
	// certificate; others get 421.
	Hosts []string

	// Certificate has the server speak HTTPS; nil is HTTP.
	Certificate *Certificate

	// Log takes a line of JSON for each answer: time, method, path, status, bytes of the
	// body, duration_ms. LogVisitors adds the visitor's address and the query. Nil: no log.
	Log         io.Writer
	LogVisitors bool

	// Notes takes what the one who runs the server should know, a line each. Nil: nothing.
	Notes io.Writer

	// Grace is how long downloads may go on when the server is told to stop; 0 is the
	// usual 30 seconds.
	Grace time.Duration
}

// Check returns an error that names the first host that is none.
func (n Network) Check() error {
	_, err := parseHosts(n.Hosts)
	return err
}

// Serve answers requests on the listener until the context is done. Then it takes no more
// and lets the downloads under way finish, within Grace; what is not done by then it
// cuts off. It returns nil after such an end.
func (n Network) Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	return n.serve(ctx, listener, handler, usual)
}

func (n Network) serve(ctx context.Context, listener net.Listener, handler http.Handler, l limits) error {
	hosts, err := parseHosts(n.Hosts)
	if err != nil {
		return err
	}
	if n.Certificate != nil {
		for _, name := range n.Certificate.Names() {
			_ = hosts.add(name) // a certificate may hold names that no browser asks for
		}
	}
	if n.Notes == nil {
		n.Notes = io.Discard
	}
	server := &http.Server{
		Handler:           n.observed(hosts.only(handler), l),
		ReadHeaderTimeout: l.head,
		IdleTimeout:       l.idle,
		MaxHeaderBytes:    l.headBytes,
		ErrorLog:          faults{n.Notes, n.LogVisitors}.logger(),
	}
	listener = netutil.LimitListener(pacedListener{listener, l.stall}, l.connections)
	failed := make(chan error, 1)
	go func() {
		if n.Certificate == nil {
			failed <- server.Serve(listener)
			return
		}
		server.TLSConfig = &tls.Config{GetCertificate: n.Certificate.get(n.Notes)}
		failed <- server.ServeTLS(listener, "", "")
	}()
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

// observed has answers counted and paced, and written down where that is asked for.
func (n Network) observed(next http.Handler, l limits) http.Handler {
	var log *accessLog
	if n.Log != nil {
		log = newAccessLog(n.Log, n.LogVisitors)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, began := newAnswer(w, r, l), time.Now()
		if log != nil {
			defer log.write(r, a, began)
		}
		next.ServeHTTP(a, r)
	})
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
