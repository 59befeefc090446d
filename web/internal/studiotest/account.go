//go:build !js

package studiotest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
)

// Account is a handler that records the requests of the page, its workers and its service worker.
type Account struct {
	Site http.Handler

	mu      sync.Mutex
	asked   int
	strange []string // requests that could carry user data
}

// ServeHTTP implements http.Handler.
func (a *Account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	a.mu.Lock()
	a.asked++
	if err != nil || len(body) > 0 || r.URL.RawQuery != "" || r.Header.Get("Cookie") != "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		a.strange = append(a.strange, fmt.Sprintf("%s %s, %d bytes", r.Method, r.URL, len(body)))
	}
	a.mu.Unlock()
	// An address that is not a file of the site could carry a message.
	answer := &status{ResponseWriter: w}
	a.Site.ServeHTTP(answer, r)
	if answer.code == http.StatusNotFound {
		a.mu.Lock()
		a.strange = append(a.strange, "no file: "+r.URL.Path)
		a.mu.Unlock()
	}
}

// Report returns the number of requests, and the requests that could carry user data.
func (a *Account) Report() (asked int, strange []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked, slices.Clone(a.strange)
}

// status records the status of an answer.
type status struct {
	http.ResponseWriter
	code int
}

// WriteHeader implements http.ResponseWriter.
func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}
