package browsertest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// own are the hosts that Chromium asks for by itself, whatever its flags say: no
// page of ours has business there.
var own = []string{"accounts.google.com", "clients2.google.com", "update.googleapis.com", "optimizationguide-pa.googleapis.com"}

// proxy refuses every request and notes where it was to go. Browsers do not use
// a proxy for addresses of their own machine.
type proxy struct {
	url string

	mu    sync.Mutex
	hosts []string
}

func startProxy(t testing.TB) *proxy {
	p := &proxy{}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// ServeHTTP notes the host that a request is for, unless the browser itself asked, and
// refuses it.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.hosts, host) && !slices.Contains(own, host) {
		p.hosts = append(p.hosts, host)
	}
	http.Error(w, "the tests reach this machine only", http.StatusForbidden)
}

func (p *proxy) noted() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.hosts)
}
