// Package proxy is what browsers under test are given as the way to every other machine:
// it lets nothing through and keeps account of what was tried.
package proxy

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Proxy refuses every request and notes where it was to go. Browsers do not use
// a proxy for addresses of their own machine.
type Proxy struct {
	URL string // such as http://127.0.0.1:4711

	own   []string
	mu    sync.Mutex
	hosts []string
}

// Start starts a proxy that ends with the test. The hosts are those that the browser
// asks for by itself, whatever its settings say: no page of ours has business there, and
// they are not noted.
func Start(t testing.TB, own ...string) *Proxy {
	p := &Proxy{own: own}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// ServeHTTP notes the host that a request is for, unless the browser itself asked, and
// refuses it.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.hosts, host) && !slices.Contains(p.own, host) {
		p.hosts = append(p.hosts, host)
	}
	http.Error(w, "the tests reach this machine only", http.StatusForbidden)
}

// Noted returns the hosts that were tried so far.
func (p *Proxy) Noted() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.hosts)
}
