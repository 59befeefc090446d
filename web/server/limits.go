package server

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// limits are what one visitor may take of the server, so that none takes what the others
// need.
type limits struct {
	head, body, idle, stall time.Duration
	headBytes, connections  int
}

var usual = limits{
	head:        10 * time.Second, // for the head of a request
	body:        10 * time.Second, // for a body, which nobody asked for
	idle:        2 * time.Minute,  // between requests
	stall:       time.Minute,      // in which a visitor takes a piece of an answer
	headBytes:   64 << 10,         // cookies of other programs at localhost come along
	connections: 4096,
}

// piece is how much of an answer is sent before the clock of limits.stall starts again.
const piece = 64 << 10

// Limits says in a few lines of English what limits Serve has.
func Limits() string {
	return fmt.Sprintf("%d connections at once, others wait; %.0f s and %d KiB for the head of a request; %.0f s between\n"+
		"requests; a download ends when %d KiB of it take more than %.0f s. A site has at most %d files and %d GiB,\n"+
		"and is held in memory.",
		usual.connections, usual.head.Seconds(), usual.headBytes>>10, usual.idle.Seconds(), piece>>10, usual.stall.Seconds(), mostFiles, largestSite>>30)
}

// pacedListener gives connections on which a write ends when its reader stalls.
type pacedListener struct {
	net.Listener
	stall time.Duration
}

// Accept waits for the next visitor, whose connection ends when it stalls.
func (l pacedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return pacedConn{conn, l.stall}, nil
}

type pacedConn struct {
	net.Conn
	stall time.Duration
}

// Write sends a piece at a time, each within its time: a slow download may take hours.
func (c pacedConn) Write(p []byte) (written int, err error) {
	for {
		now := p[:min(len(p), piece)]
		if err := c.SetWriteDeadline(time.Now().Add(c.stall)); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(now)
		written += n
		if p = p[n:]; err != nil || len(p) == 0 {
			return written, err
		}
	}
}

// answer is a ResponseWriter that counts, and that paces each download of several which
// share a connection (HTTP/2), where one may stall alone.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration // 0: the connection paces
	status  int
	bytes   int64
}

func newAnswer(w http.ResponseWriter, r *http.Request, l limits) *answer {
	a := &answer{ResponseWriter: w, control: http.NewResponseController(w)}
	if r.ProtoMajor >= 2 {
		a.stall = l.stall
	}
	if r.ContentLength != 0 {
		// The server reads a body to its end before the next request.
		_ = a.control.SetReadDeadline(time.Now().Add(l.body))
	}
	return a
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader sends the status.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write sends p in pieces, each of which the visitor has to take within the limit.
func (a *answer) Write(p []byte) (written int, err error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	for {
		now := p
		if a.stall > 0 {
			now = p[:min(len(p), piece)]
			if err := a.control.SetWriteDeadline(time.Now().Add(a.stall)); err != nil {
				return written, err
			}
		}
		n, err := a.ResponseWriter.Write(now)
		written, a.bytes = written+n, a.bytes+int64(n)
		if p = p[n:]; err != nil || len(p) == 0 {
			return written, err
		}
	}
}
