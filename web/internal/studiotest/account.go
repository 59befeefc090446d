//go:build !js

package studiotest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
)

// Account is a handler that writes down what reaches a server: of the page, of its workers
// and of its service worker.
type Account struct {
	Site http.Handler

	mu      sync.Mutex
	asked   int
	strange []string // requests that could carry what a person did
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
	// What is no file of the site could be a message in the form of an address.
	answer := &status{ResponseWriter: w}
	a.Site.ServeHTTP(answer, r)
	if answer.code == http.StatusNotFound {
		a.mu.Lock()
		a.strange = append(a.strange, "no file: "+r.URL.Path)
		a.mu.Unlock()
	}
}

// Said returns how many requests there were, and those that could carry what a person did.
func (a *Account) Said() (asked int, strange []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked, slices.Clone(a.strange)
}

// status notes the status of an answer.
type status struct {
	http.ResponseWriter
	code int
}

// WriteHeader implements http.ResponseWriter.
func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}
