package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
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
func (n Network) run(t *testing.T, h http.Handler, l limits) *running {
	t.Helper()
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &running{listener.Addr().String(), stop, make(chan error, 1)}
	go func() { s.ended <- n.serve(ctx, listener, h, l); close(s.ended) }()
	t.Cleanup(func() { stop(); <-s.ended })
	return s
}

func TestURL(t *testing.T) {
	for listen, want := range map[string]string{"127.0.0.1:0": "://localhost:", "0.0.0.0:0": "://localhost:"} {
		l, err := net.Listen("tcp", listen)
		if err != nil {
			t.Fatal(err)
		}
		for scheme, n := range map[string]Network{"http": {}, "https": {Certificate: &Certificate{}}} {
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
	h, err := New(fstest.MapFS{"index.html": {}, "large": {Data: make([]byte, size)}})
	if err != nil {
		t.Fatal(err)
	}
	return h, size
}

// begin starts a download and reads its first bytes.
func begin(t *testing.T, address string) *http.Response {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{ReadBufferSize: 4096}}
	r, err := client.Get("http://" + address + "/large")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close(); client.CloseIdleConnections() })
	if _, err := io.ReadFull(r.Body, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	return r
}

// Downloads under way when the server is told to stop arrive whole; nothing new begins.
func TestStopFinishesDownloads(t *testing.T) {
	h, size := large(t)
	notes := &lines{}
	s := Network{Notes: notes, Grace: 20 * time.Second}.run(t, h, usual)
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
	s := Network{Notes: notes, Grace: 100 * time.Millisecond}.run(t, h, usual)
	r := begin(t, s.address)
	began := time.Now()
	s.stop()
	if err := <-s.ended; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if took := time.Since(began); took < 100*time.Millisecond || took > 10*time.Second {
		t.Errorf("the server stopped after %v, want 0.1 s", took)
	}
	if _, err := io.Copy(io.Discard, r.Body); err == nil {
		t.Error("the download came to its end")
	}
	if got := notes.String(); !strings.Contains(got, "up to 100ms more") || !strings.Contains(got, "cut off") {
		t.Errorf("notes %q", got)
	}
}

func TestAccessLog(t *testing.T) {
	for _, visitors := range []bool{false, true} {
		out := &lines{}
		s := Network{Log: out, LogVisitors: visitors}.run(t, newHandler(t), usual)
		for _, c := range []struct{ method, path, host string }{
			{"GET", "/?name=secret", "localhost"}, {"HEAD", "/web/app.wasm", "localhost"}, {"GET", "/a%0a%22b", "localhost"}, {"GET", "/", "evil.example"},
		} {
			r, err := http.NewRequest(c.method, "http://"+s.address+c.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = c.host
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
		}
		s.stop()
		if err := <-s.ended; err != nil {
			t.Fatal(err)
		}
		type entry struct {
			Time           time.Time
			Method, Path   string
			Status, Bytes  int
			Duration       *float64 `json:"duration_ms"`
			Address, Query *string
		}
		var got []entry
		for line := range strings.Lines(out.String()) {
			var e entry
			d := json.NewDecoder(strings.NewReader(line))
			d.DisallowUnknownFields()
			if err := d.Decode(&e); err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			if e.Duration == nil || *e.Duration < 0 || time.Since(e.Time) > time.Minute || e.Time.Location() != time.UTC {
				t.Errorf("line %q", line)
			}
			if (e.Address != nil) != visitors || (e.Query != nil) != visitors {
				t.Errorf("line %q, want visitors: %v", line, visitors)
			}
			got = append(got, e)
		}
		if len(got) != 4 {
			t.Fatalf("log %q, want four lines", out)
		}
		for i, want := range []entry{
			{Method: "GET", Path: "/", Status: 200, Bytes: len(site()["index.html"].Data)},
			{Method: "HEAD", Path: "/web/app.wasm", Status: 200},
			{Method: "GET", Path: "/a\n\"b", Status: 404, Bytes: got[2].Bytes},
			{Method: "GET", Path: "/", Status: 421, Bytes: got[3].Bytes},
		} {
			if g := got[i]; g.Method != want.Method || g.Path != want.Path || g.Status != want.Status || g.Bytes != want.Bytes {
				t.Errorf("line %+v, want %+v", g, want)
			}
		}
		if visitors {
			if *got[0].Query != "name=secret" || !strings.HasPrefix(*got[0].Address, "127.0.0.1:") {
				t.Errorf("query %q of %q", *got[0].Query, *got[0].Address)
			}
		} else if strings.Contains(out.String(), "secret") || strings.Contains(out.String(), "127.0.0.1") {
			t.Errorf("log %q tells who asked for what", out)
		}
	}
}

// What net/http has to say tells nobody's address either, unless that is asked for.
func TestNotesTellNoAddresses(t *testing.T) {
	said := "http: panic serving 192.0.2.7:4711: oh\nhttp: response to [2001:db8::1%eth0]:80 failed\n"
	handshake := "http: TLS handshake error from 192.0.2.7:4711: EOF\n"
	for _, visitors := range []bool{false, true} {
		out := &lines{}
		log := faults{out, visitors}.logger()
		log.Print(said)
		log.Print(handshake)
		want := "http: panic serving a visitor: oh\nhttp: response to a visitor failed\n"
		if visitors {
			want = said + handshake
		}
		if got := out.String(); got != want {
			t.Errorf("visitors %v: %q, want %q", visitors, got, want)
		}
	}
}
