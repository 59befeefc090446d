package browsertest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// proxy is the route of a tested browser to other machines: it refuses every request and records
// its host. Browsers do not use a proxy for local addresses.
type proxy struct {
	address *net.TCPAddr

	own   []string
	mu    sync.Mutex
	hosts []string
}

// startProxy starts a proxy that ends with the test. It does not record requests to own, the hosts
// that the browser contacts by itself.
func startProxy(t testing.TB, own ...string) *proxy {
	p := &proxy{own: own}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.address = server.Listener.Addr().(*net.TCPAddr)
	return p
}

// ServeHTTP records the host of a request, and refuses it.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
