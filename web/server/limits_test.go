package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// short has limits that a test can wait for.
func short() limits {
	l := usual
	const wait = 400 * time.Millisecond // a busy machine may take some of it for the test itself
	l.head, l.body, l.idle, l.stall = wait, wait, wait, wait
	l.headBytes, l.connections = 4<<10, 20
	return l
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// ends reads a connection until the server closes it.
func ends(t *testing.T, conn net.Conn) string {
	t.Helper()
	data, err := io.ReadAll(conn)
	if e, ok := err.(net.Error); ok && e.Timeout() {
		t.Errorf("the server left the connection open")
	}
	return string(data)
}

// Who sends nothing, too slowly or too much keeps no connection.
func TestSlowVisitorsAreLeft(t *testing.T) {
	s := Network{}.run(t, newHandler(t), short())
	for _, c := range []struct{ name, send, answer string }{
		{"nothing", "", ""},
		{"half a head", "GET / HTTP/1.1\r\nHost: loc", ""},
		{"no second request", "GET /web/studio.css HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 OK"},
		{"a body that does not come", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n", "405 Method"},
		{"half a body in pieces", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", "405 Method"},
		{"a large head", "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + strings.Repeat("c", 12<<10) + "\r\n\r\n", "431 Request"},
		{"no host", "GET / HTTP/1.1\r\n\r\n", "400 Bad Request"},
		{"an old program without a host", "GET / HTTP/1.0\r\n\r\n", "200 OK"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, s.address)
			if _, err := io.WriteString(conn, c.send); err != nil {
				t.Fatal(err)
			}
			if got := ends(t, conn); !strings.Contains(got, c.answer) {
				t.Errorf("answer %q, want %q", got, c.answer)
			}
		})
	}
}

// A download that is not taken ends; one that is taken slowly does not.
func TestStalledDownloads(t *testing.T) {
	h, size := large(t)
	l := short()
	log := &lines{}
	s := Network{Log: log}.run(t, h, l)
	conn := dial(t, s.address)
	fmt.Fprint(conn, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
	for deadline := time.Now().Add(20 * time.Second); log.String() == ""; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a download that nobody takes goes on")
		}
	}
	if n := len(ends(t, conn)); n >= size {
		t.Errorf("%d bytes of %d were sent", n, size)
	}

	// A machine that is busy for longer than the server waits is no fault of the server's.
	for ; ; l.stall *= 4 {
		read, took := takenSlowly(t, Network{}.run(t, h, l).address, l.stall/16)
		if read == size && took < 2*l.stall {
			t.Skipf("it took %v, which tests nothing", took)
		}
		if read == size {
			break
		}
		if l.stall > 5*time.Second {
			t.Fatalf("%d bytes, want %d", read, size)
		}
	}
}

// takenSlowly takes the large file, with a pause after each of its 48 pieces, and returns how
// much of it came, in what time.
func takenSlowly(t *testing.T, address string, pause time.Duration) (read int, took time.Duration) {
	t.Helper()
	slow := dial(t, address)
	if err := slow.SetReadDeadline(time.Now().Add(20*time.Second + 100*pause)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(slow, "GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	r, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil {
		t.Fatal(err)
	}
	for began, part := time.Now(), make([]byte, 1<<20); ; time.Sleep(pause) {
		n, err := io.ReadFull(r.Body, part)
		if read += n; err != nil {
			return read, time.Since(began)
		}
	}
}

// More connections than the server takes at once wait, and get their turn.
func TestConnectionsWait(t *testing.T) {
	l := short()
	l.idle, l.head, l.connections = time.Minute, time.Minute, 2
	s := Network{}.run(t, newHandler(t), l)
	held := []net.Conn{dial(t, s.address), dial(t, s.address)}
	for _, conn := range held { // each is with the server
		fmt.Fprint(conn, "GET /web/studio.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	third := dial(t, s.address)
	fmt.Fprint(third, "GET /web/studio.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	if err := third.SetReadDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := third.Read(make([]byte, 1)); err == nil {
		t.Errorf("%d bytes for a third connection of two", n)
	}
	held[0].Close()
	if err := third.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, third); !strings.Contains(got, "200 OK") {
		t.Errorf("answer %q once there was room", got)
	}
}

func TestLimitsAreStated(t *testing.T) {
	for _, want := range []string{"4096 connections", "10 s and 64 KiB", "120 s between", "64 KiB of it take more than 60 s", "100000 files and 2 GiB"} {
		if !strings.Contains(Limits(), want) {
			t.Errorf("limits %q do not say %q", Limits(), want)
		}
	}
}
