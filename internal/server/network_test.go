package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// lines is a writer that tests read while a server writes.
type lines struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// running is a server of a test, at an address of this machine.
type running struct {
	address string
	stop    func()
	ended   chan error
}

// run serves until the test ends, or is told to stop.
func (n Network) run(t *testing.T, h http.Handler) *running {
	t.Helper()
	listener := require.Value(Listen("127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(context.Background())
	s := &running{listener.Addr().String(), stop, make(chan error, 1)}
	go func() { s.ended <- n.Serve(ctx, listener, h); close(s.ended) }()
	t.Cleanup(func() { stop(); <-s.ended })
	return s
}

func TestURL(t *testing.T) {
	for listen, want := range map[string]string{"127.0.0.1:0": "://localhost:", "0.0.0.0:0": "://localhost:"} {
		l := require.Value(net.Listen("tcp", listen))(t)
		for scheme, n := range map[string]Network{"http": {}, "https": {Certificate: &tls.Certificate{}}} {
			if got := n.URL(l); !strings.HasPrefix(got, scheme+want) {
				t.Errorf("URL of %s is %s, want %s%s…", listen, got, scheme, want)
			}
		}
		l.Close()
	}
}

// large is a site with a download that no buffer holds.
func large(t *testing.T) (http.Handler, int) {
	t.Helper()
	const size = 48 << 20
	h := require.Value(New(fstest.MapFS{"index.html": {}, "large": {Data: make([]byte, size)}}, nil, false))(t)
	return h, size
}

// begin starts a download and reads its first bytes.
func begin(t *testing.T, address string) *http.Response {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{ReadBufferSize: 4096}}
	r := require.Value(client.Get("http://" + address + "/large"))(t)
	t.Cleanup(func() { r.Body.Close(); client.CloseIdleConnections() })
	require.Value(io.ReadFull(r.Body, make([]byte, 100)))(t)
	return r
}

// Downloads under way when the server is told to stop arrive whole; nothing new begins.
func TestStopFinishesDownloads(t *testing.T) {
	h, size := large(t)
	notes := &lines{}
	s := Network{Notes: notes, Grace: 20 * time.Second}.run(t, h)
	var under [3]*http.Response
	for i := range under {
		under[i] = begin(t, s.address)
	}
	s.stop()
	for strings.Count(notes.String(), "stopping") == 0 {
		time.Sleep(time.Millisecond)
	}
	for { // until the listener is closed
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			break
		}
		conn.Close()
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-s.ended:
		t.Fatalf("the server ended before its downloads, with %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	for _, r := range under {
		if n, err := io.Copy(io.Discard, r.Body); err != nil || int(n) != size-100 {
			t.Errorf("%d bytes and %v, want %d", n, err, size-100)
		}
	}
	if err := <-s.ended; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if strings.Contains(notes.String(), "cut off") {
		t.Errorf("notes %q", notes)
	}
}

// A download that takes longer than the server was given is cut off, and it is said.
func TestStopEndsInTime(t *testing.T) {
	h, _ := large(t)
	notes := &lines{}
	s := Network{Notes: notes, Grace: 100 * time.Millisecond}.run(t, h)
	r := begin(t, s.address)
	began := time.Now()
	s.stop()
	if err := <-s.ended; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if took := time.Since(began); took < 100*time.Millisecond {
		t.Errorf("the server stopped after %v, want 0.1 s or more", took)
	}
	if _, err := io.Copy(io.Discard, r.Body); err == nil {
		t.Error("the download came to its end")
	}
	if got := notes.String(); !strings.Contains(got, "up to 100ms more") || !strings.Contains(got, "cut off") {
		t.Errorf("notes %q", got)
	}
}

// Messages of net/http tell no visitor's address.
func TestNotesTellNoAddresses(t *testing.T) {
	var out bytes.Buffer
	said := "http: panic serving 192.0.2.7:4711: oh\nhttp: response to [2001:db8::1%eth0]:80 failed\n"
	log.New(notes{&out}, "", 0).Print(said)
	if got, want := out.String(), "http: panic serving a visitor: oh\nhttp: response to a visitor failed\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTakenPortSaysWhatToDo(t *testing.T) {
	first, err := Listen("localhost:0")
	require.NoError(t, err)
	defer first.Close()
	_, err = Listen(first.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "another port") {
		t.Errorf("error %v, want one that names the remedy", err)
	}
}
