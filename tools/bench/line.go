package main

import (
	"net"
	"slices"
	"sync"
	"time"
)

// line is a listener with a limited speed, shared by its connections, and a delay of one round trip
// for each answer. It works on the server's side, so that it also slows workers and service workers.
type line struct {
	net.Listener
	bitsPerSecond float64
	roundTrip     time.Duration

	mu   sync.Mutex
	free time.Time // time at which everything is sent
}

// Accept accepts a connection, which takes a round trip.
func (l *line) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &slowConn{Conn: conn, line: l, opened: time.Now()}, err
}

func (l *line) waitSent(n int) {
	l.mu.Lock()
	// Timers are sometimes late; the line catches up to 20 ms.
	if late := time.Now().Add(-20 * time.Millisecond); l.free.Before(late) {
		l.free = late
	}
	l.free = l.free.Add(time.Duration(float64(8*n) / l.bitsPerSecond * float64(time.Second)))
	until := l.free
	l.mu.Unlock()
	time.Sleep(time.Until(until))
}

// slowConn is a connection through a line.
type slowConn struct {
	net.Conn
	line   *line
	opened time.Time

	mu    sync.Mutex
	asked time.Time // time of the last request
}

// Read reads a request.
func (c *slowConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	time.Sleep(time.Until(c.opened.Add(c.line.roundTrip)))
	c.mu.Lock()
	c.asked = time.Now()
	c.mu.Unlock()
	return n, err
}

// Write sends an answer in packets, so that connections share the line.
func (c *slowConn) Write(p []byte) (sent int, err error) {
	c.mu.Lock()
	due := c.asked.Add(c.line.roundTrip)
	c.mu.Unlock()
	time.Sleep(time.Until(due))
	for packet := range slices.Chunk(p, 1460) {
		c.line.waitSent(len(packet))
		n, err := c.Conn.Write(packet)
		if sent += n; err != nil {
			return sent, err
		}
	}
	return sent, nil
}
