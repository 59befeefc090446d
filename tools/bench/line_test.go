package main

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// A line is as slow as it says: two answers at once share it.
func TestLine(t *testing.T) {
	inner := require.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	const size = 100_000
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, size))
	})}
	go server.Serve(&line{Listener: inner, bitsPerSecond: 8e6, roundTrip: 40 * time.Millisecond})
	defer server.Close()

	begin := time.Now()
	done := make(chan int64, 2)
	for range 2 {
		go func() {
			r, err := (&http.Client{Transport: &http.Transport{}}).Get("http://" + inner.Addr().String())
			if err != nil {
				t.Error(err)
				done <- 0
				return
			}
			defer r.Body.Close()
			n, err := io.Copy(io.Discard, r.Body)
			if err != nil {
				t.Error(err)
			}
			done <- n
		}()
	}
	if got := <-done + <-done; got != 2*size {
		t.Errorf("%d bytes arrived, want %d", got, 2*size)
	}
	// 200 kB at 1 MB/s after two round trips, less the 20 ms that a line catches up; a
	// machine may be slower, not faster.
	if took := time.Since(begin); took < 260*time.Millisecond {
		t.Errorf("it took %v, want 260 ms or more", took)
	}
}
