package webdriver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// classic is a WebDriver session: commands over HTTP. https://www.w3.org/TR/webdriver2/
type classic struct {
	client  http.Client
	session string // URL of the session
}

// browserLimit limits the start of a browser: it takes seconds, or ten on a loaded machine.
const browserLimit = time.Minute

// newSession starts a browser with the driver at an address such as http://127.0.0.1:4711.
func newSession(address string, capabilities, result any) (*classic, error) {
	c := &classic{client: http.Client{Timeout: browserLimit}, session: address + "/session"}
	var said struct {
		SessionID    string
		Capabilities json.RawMessage
	}
	if err := c.call(http.MethodPost, "", object{"capabilities": object{"alwaysMatch": capabilities}}, &said); err != nil {
		return nil, err
	}
	c.session += "/" + said.SessionID
	c.client.Timeout = answerLimit
	if err := json.Unmarshal(said.Capabilities, result); err != nil {
		return nil, err
	}
	limit := answerLimit.Milliseconds()
	return c, c.call(http.MethodPost, "/timeouts", object{"script": limit, "pageLoad": limit}, nil)
}

// call sends a command and decodes the value of its reply into result, which may be nil.
func (c *classic) call(method, path string, params, result any) error {
	body, err := json.Marshal(params)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, c.session+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var said struct{ Value json.RawMessage }
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
		return fmt.Errorf("%s %s: %s: %w", method, path, answer.Status, err)
	}
	if answer.StatusCode != http.StatusOK {
		var failure struct{ Error, Message string }
		if err := json.Unmarshal(said.Value, &failure); err != nil {
			return err
		}
		return fmt.Errorf("%s %s: %s: %s", method, path, failure.Error, failure.Message)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(said.Value, result)
}

// isThere waits until a driver answers at an address.
func isThere(address string, p *program) error {
	client := http.Client{Timeout: 5 * time.Second}
	for end := time.Now().Add(startLimit); ; time.Sleep(50 * time.Millisecond) {
		answer, err := client.Get(address + "/status")
		if err == nil {
			answer.Body.Close()
			return nil
		}
		select {
		case <-p.over:
			return fmt.Errorf("%s has ended and said %q", p.cmd.Path, p.said())
		default:
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s does not answer at %s: %w", p.cmd.Path, address, err)
		}
	}
}
