package webdriver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/net/websocket"
)

// answerLimit limits the duration of a command.
const answerLimit = 5 * time.Minute

// origin is the origin of the tests' requests; browsers refuse unknown ones.
const origin = "http://localhost"

// bidi is a WebDriver BiDi connection: commands with replies, and events.
// https://w3c.github.io/webdriver-bidi/
type bidi struct {
	conn *websocket.Conn
	// event is called with each event, sequentially.
	event func(method string, params json.RawMessage)

	mu      sync.Mutex
	last    int
	waiting map[int]chan bidiMessage
	over    error // reason for the end of the connection
}

// bidiMessage is a reply or an event.
type bidiMessage struct {
	Type    string // success, error or event
	ID      int
	Result  json.RawMessage
	Error   string
	Message string
	Method  string
	Params  json.RawMessage
}

// dialBidi connects to a browser at an address such as ws://127.0.0.1:4711/session.
func dialBidi(address string, event func(string, json.RawMessage)) (*bidi, error) {
	config, err := websocket.NewConfig(address, origin)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(context.Background(), answerLimit)
	defer stop()
	conn, err := config.DialContext(ctx)
	if err != nil {
		return nil, err
	}
	conn.MaxPayloadBytes = 256 << 20
	b := &bidi{conn: conn, event: event, waiting: map[int]chan bidiMessage{}}
	go b.read()
	return b, nil
}

func (b *bidi) read() {
	for {
		var m bidiMessage
		if err := websocket.JSON.Receive(b.conn, &m); err != nil {
			b.mu.Lock()
			b.over = fmt.Errorf("the connection to the browser has ended: %w", err)
			for id, answer := range b.waiting {
				close(answer)
				delete(b.waiting, id)
			}
			b.mu.Unlock()
			return
		}
		if m.Type == "event" {
			b.event(m.Method, m.Params)
			continue
		}
		b.mu.Lock()
		answer := b.waiting[m.ID]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
}

// call sends a command and decodes its reply into result, which may be nil.
func (b *bidi) call(method string, params, result any) error {
	b.mu.Lock()
	if b.over != nil {
		b.mu.Unlock()
		return b.over
	}
	b.last++
	id, answer := b.last, make(chan bidiMessage, 1)
	b.waiting[id] = answer
	b.mu.Unlock()
	if err := websocket.JSON.Send(b.conn, map[string]any{"id": id, "method": method, "params": params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: %w", method, b.over)
		case m.Type == "error":
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-time.After(answerLimit):
		return fmt.Errorf("%s: no answer in %v", method, answerLimit)
	}
}

// thrown is the result of a script.
type thrown struct {
	Type   string // success or exception
	Result struct {
		Value json.RawMessage
	}
	ExceptionDetails struct {
		Text string
	}
}

func (t thrown) text() (string, error) {
	if t.Type != "success" {
		return "", errors.New(t.ExceptionDetails.Text)
	}
	var text string
	err := json.Unmarshal(t.Result.Value, &text)
	return text, err
}
