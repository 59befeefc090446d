package main

import (
	"net"
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
	if err != nil {
		return nil, err
	}
	// Packets are small compared with the buffer, so that connections share the line.
	const packet, held = 1460, 128
	c := &slowConn{Conn: conn, line: l, opened: time.Now(), packets: make(chan []byte, held), done: make(chan struct{}), size: packet}
	go c.send()
	return c, nil
}

// turn waits until n bytes are sent.
func (l *line) turn(n int) {
	l.mu.Lock()
	now := time.Now()
	// Timers are sometimes late; the line catches up to 20 ms.
	if late := now.Add(-20 * time.Millisecond); l.free.Before(late) {
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
	line    *line
	opened  time.Time
	size    int
	packets chan []byte

	done chan struct{} // closed by Close

	mu    sync.Mutex
	asked time.Time // time of the last request
	once  sync.Once
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

// Write queues an answer. It blocks while the queue is full.
func (c *slowConn) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), c.size)
		packet := append([]byte(nil), rest[:n]...)
		rest = rest[n:]
		select {
		case c.packets <- packet:
		case <-c.done:
			return 0, net.ErrClosed
		}
	}
	return len(p), nil
}

func (c *slowConn) send() {
	for {
		var packet []byte
		select {
		case packet = <-c.packets:
		case <-c.done:
			return
		}
		c.mu.Lock()
		due := c.asked.Add(c.line.roundTrip)
		c.mu.Unlock()
		time.Sleep(time.Until(due))
		c.line.turn(len(packet))
		// Read reports a closed connection.
		_, _ = c.Conn.Write(packet)
	}
}

// Close closes the connection and drops queued data.
func (c *slowConn) Close() error {
	c.once.Do(func() { close(c.done) })
	return c.Conn.Close()
}
