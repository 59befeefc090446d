package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestTakenPortSaysWhatToDo(t *testing.T) {
	first, err := Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	_, err = Listen(first.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "another port") {
		t.Errorf("error %v, want one that names the remedy", err)
	}
}

func TestBadAddress(t *testing.T) {
	if l, err := Listen("localhost:http-but-wrong"); err == nil {
		l.Close()
		t.Error("an impossible port was accepted")
	}
}

func TestURL(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:0": "http://localhost:",
		"0.0.0.0:0":   "http://localhost:",
	} {
		l, err := net.Listen("tcp", listen)
		if err != nil {
			t.Fatal(err)
		}
		if got := URL(l); !strings.HasPrefix(got, want) {
			t.Errorf("URL of %s is %s, want %s…", listen, got, want)
		}
		l.Close()
	}
}

// An answer under way when the server is told to stop still arrives.
func TestServeFinishesWhatItBegan(t *testing.T) {
	listener, err := Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	began := make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		time.Sleep(50 * time.Millisecond)
		_, _ = io.WriteString(w, "done")
	})
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, listener, slow) }()
	go func() { <-began; stop() }()

	r, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if body, err := io.ReadAll(r.Body); err != nil || string(body) != "done" {
		t.Errorf("body %q, error %v", body, err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve returned %v", err)
	}
}
