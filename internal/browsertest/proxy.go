package browsertest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Proxy is the route of a tested browser to other machines: it refuses every request and records
// its host. Browsers do not use a proxy for local addresses.
type Proxy struct {
	URL string // such as http://127.0.0.1:4711

	own   []string
	mu    sync.Mutex
	hosts []string
}

// StartProxy starts a proxy that ends with the test. It does not record requests to own, the hosts
// that the browser contacts by itself.
func StartProxy(t testing.TB, own ...string) *Proxy {
	p := &Proxy{own: own}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// ServeHTTP records the host of a request, and refuses it.
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

// Noted returns the recorded hosts.
func (p *Proxy) Noted() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.hosts)
}
