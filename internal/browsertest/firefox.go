package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"

	"golang.org/x/net/websocket"
)

// firefox drives headless Firefox with WebDriver BiDi.
type firefox struct {
	*bidi
	webdriver
	context string // ID of the page

	mu   sync.Mutex
	said []Message
}

func findFirefox() string { return find("FIREFOX", "firefox-esr", "firefox") }

// firefoxOwn are the hosts that Firefox contacts with any preferences.
var firefoxOwn = []string{
	"firefox.settings.services.mozilla.com", "content-signature-2.cdn.mozilla.net", "firefox-settings-attachments.cdn.mozilla.net",
	"push.services.mozilla.com", "detectportal.firefox.com", "aus5.mozilla.org", "location.services.mozilla.com",
	"ciscobinary.openh264.org", "redirector.gvt1.com", "normandy.cdn.mozilla.net", "services.addons.mozilla.org",
	"contile.services.mozilla.com", "safebrowsing.googleapis.com", "update.googleapis.com", "shavar.services.mozilla.com", "tracking-protection.cdn.mozilla.net",
}

// firefoxPreferences returns the preferences of a profile that uses the proxy.
func firefoxPreferences(outside *net.TCPAddr, downloads string) map[string]any {
	return map[string]any{
		"network.proxy.type":      1,
		"network.proxy.http":      outside.IP.String(),
		"network.proxy.http_port": outside.Port,
		"network.proxy.ssl":       outside.IP.String(),
		"network.proxy.ssl_port":  outside.Port,
		// A changing color as camera and a tone as microphone, without a permission dialog.
		"media.navigator.streams.fake":               true,
		"media.navigator.permission.disabled":        true,
		"browser.download.folderList":                2, // the folder in browser.download.dir
		"browser.download.dir":                       downloads,
		"browser.download.useDownloadDir":            true,
		"browser.download.alwaysOpenPanel":           false,
		"media.gmp-manager.updateEnabled":            false,
		"app.update.enabled":                         false,
		"browser.safebrowsing.malware.enabled":       false,
		"browser.safebrowsing.phishing.enabled":      false,
		"datareporting.policy.dataSubmissionEnabled": false,
		"browser.shell.checkDefaultBrowser":          false,
		"intl.accept_languages":                      "en",
	}
}

func startFirefox(t testing.TB, _ Options, b *Browser) error {
	b.proxy = startProxy(t, firefoxOwn...)
	profile := t.TempDir()
	var script bytes.Buffer
	for name, value := range firefoxPreferences(b.proxy.address, b.downloads) {
		text, _ := json.Marshal(value) // texts and numbers always have a JSON form
		fmt.Fprintf(&script, "user_pref(%q, %s);\n", name, text)
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), script.Bytes(), 0o600); err != nil {
		return err
	}
	program, err := startProgram(t, nil, findFirefox(), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "--remote-allow-origins", origin, "--window-size", "1280,900")
	if err != nil {
		return err
	}
	address, err := program.waitFor(regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`))
	if err != nil {
		return err
	}
	f := &firefox{}
	f.webdriver = f.perform
	b.driver = f
	if f.bidi, err = dialBidi(b.ctx, address+"/session", f.note); err != nil {
		return err
	}
	t.Cleanup(func() { f.call(context.WithoutCancel(b.ctx), "browser.close", object{}, nil) }) // before the program ends
	b.Version, err = f.begin(b.ctx)
	return err
}

// begin starts a session, with its first page and console messages, and returns the browser's
// version.
func (f *firefox) begin(ctx context.Context) (version string, err error) {
	var session struct {
		Capabilities struct{ BrowserName, BrowserVersion string }
	}
	if err := f.call(ctx, "session.new", object{"capabilities": object{}}, &session); err != nil {
		return "", err
	}
	var tree struct {
		Contexts []struct{ Context string }
	}
	if err := f.call(ctx, "browsingContext.getTree", object{}, &tree); err != nil {
		return "", err
	}
	if len(tree.Contexts) == 0 {
		return "", errors.New("it has no page")
	}
	f.context = tree.Contexts[0].Context
	if err := f.call(ctx, "session.subscribe", object{"events": []string{"log.entryAdded"}}, nil); err != nil {
		return "", err
	}
	return session.Capabilities.BrowserName + " " + session.Capabilities.BrowserVersion,
		f.call(ctx, "browsingContext.setViewport", object{"context": f.context, "viewport": object{"width": 1280, "height": 800}}, nil)
}

func (f *firefox) note(method string, params json.RawMessage) {
	var entry struct {
		Level, Text string
		StackTrace  struct {
			CallFrames []struct {
				URL        string
				LineNumber int
			}
		}
	}
	if method != "log.entryAdded" || json.Unmarshal(params, &entry) != nil {
		return
	}
	m := Message{Level: entry.Level, Text: entry.Text}
	if frames := entry.StackTrace.CallFrames; len(frames) > 0 {
		m.At = fmt.Sprintf("%s:%d", frames[0].URL, frames[0].LineNumber+1)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, m)
}

func (f *firefox) open(ctx context.Context, address string) error {
	return f.call(ctx, "browsingContext.navigate", object{"context": f.context, "url": address, "wait": "complete"}, nil)
}

func (f *firefox) evaluate(ctx context.Context, expression string) (string, error) {
	var outcome struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	err := f.call(ctx, "script.evaluate", object{"expression": expression, "target": object{"context": f.context}, "awaitPromise": true}, &outcome)
	if err == nil && outcome.Type != "success" {
		err = errors.New(outcome.ExceptionDetails.Text)
	}
	return outcome.Result.Value, err
}

func (f *firefox) first(ctx context.Context, script string) error {
	return f.call(ctx, "script.addPreloadScript", object{"functionDeclaration": "() => { " + script + "\n }"}, nil)
}

func (f *firefox) perform(ctx context.Context, actions []object) error {
	return f.call(ctx, "input.performActions", object{"context": f.context, "actions": actions}, nil)
}

func (f *firefox) files(ctx context.Context, selector string, paths []string) error {
	var found struct {
		Nodes []struct{ SharedID string }
	}
	err := f.call(ctx, "browsingContext.locateNodes", object{"context": f.context, "locator": object{"type": "css", "value": selector}, "maxNodeCount": 1}, &found)
	if err != nil {
		return err
	}
	if len(found.Nodes) == 0 {
		return fmt.Errorf("the page has no %s", selector)
	}
	return f.call(ctx, "input.setFiles", object{"context": f.context, "element": object{"sharedId": found.Nodes[0].SharedID}, "files": paths}, nil)
}

func (f *firefox) screenshot(ctx context.Context) (png []byte, err error) {
	var shot struct{ Data []byte }
	err = f.call(ctx, "browsingContext.captureScreenshot", object{"context": f.context}, &shot)
	return shot.Data, err
}

func (f *firefox) console(context.Context) []Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.said)
}

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
func dialBidi(ctx context.Context, address string, event func(string, json.RawMessage)) (*bidi, error) {
	config, err := websocket.NewConfig(address, origin)
	if err != nil {
		return nil, err
	}
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

func (b *bidi) call(ctx context.Context, method string, params, result any) error {
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
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}
