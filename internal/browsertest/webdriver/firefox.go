package webdriver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest/proxy"
)

// firefox drives headless Firefox with WebDriver BiDi.
type firefox struct {
	*bidi
	session
	context string // ID of the page

	mu   sync.Mutex
	said []string
}

// firefoxNames are the program names, Debian's first. The environment variable FIREFOX overrides
// them.
var firefoxNames = []string{"firefox-esr", "firefox"}

func findFirefox() string {
	if path := os.Getenv("FIREFOX"); path != "" {
		return path
	}
	return find(firefoxNames...)
}

func missingFirefox() string {
	if findFirefox() == "" {
		return "no Firefox here: as root, apt-get install firefox-esr, or name one in the environment variable FIREFOX"
	}
	return ""
}

// firefoxOwn are the hosts that Firefox contacts with any preferences.
var firefoxOwn = []string{
	"firefox.settings.services.mozilla.com", "content-signature-2.cdn.mozilla.net", "firefox-settings-attachments.cdn.mozilla.net",
	"push.services.mozilla.com", "detectportal.firefox.com", "aus5.mozilla.org", "location.services.mozilla.com",
	"ciscobinary.openh264.org", "redirector.gvt1.com", "normandy.cdn.mozilla.net", "services.addons.mozilla.org",
	"contile.services.mozilla.com", "safebrowsing.googleapis.com", "update.googleapis.com", "shavar.services.mozilla.com", "tracking-protection.cdn.mozilla.net",
}

// firefoxPreferences returns the preferences of a profile that uses the proxy.
func firefoxPreferences(outside *url.URL, downloads string) map[string]any {
	return map[string]any{
		"network.proxy.type":      1, // manual
		"network.proxy.http":      outside.Hostname(),
		"network.proxy.http_port": json.Number(outside.Port()),
		"network.proxy.ssl":       outside.Hostname(),
		"network.proxy.ssl_port":  json.Number(outside.Port()),
		// A changing color as camera and a tone as microphone, without a permission dialog.
		"media.navigator.streams.fake":        true,
		"media.navigator.permission.disabled": true,
		"browser.download.folderList":         2, // the folder in browser.download.dir
		"browser.download.dir":                downloads,
		"browser.download.useDownloadDir":     true,
		"browser.download.alwaysOpenPanel":    false,
		"media.gmp-manager.updateEnabled":     false,
		// Background requests.
		"app.update.enabled":                         false,
		"browser.safebrowsing.malware.enabled":       false,
		"browser.safebrowsing.phishing.enabled":      false,
		"datareporting.policy.dataSubmissionEnabled": false,
		"browser.shell.checkDefaultBrowser":          false,
		"intl.accept_languages":                      "en",
	}
}

func startFirefox(t testing.TB) (driver, error) {
	blocked := proxy.Start(t, firefoxOwn...)
	f := &firefox{session: session{outside: blocked.Noted, downloads: t.TempDir()}}
	profile := t.TempDir()
	outside, err := url.Parse(blocked.URL)
	if err != nil {
		return nil, err
	}
	var lines []string
	for name, value := range firefoxPreferences(outside, f.downloads) {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("user_pref(%q, %s);\n", name, text))
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(strings.Join(lines, "")), 0o600); err != nil {
		return nil, err
	}
	program, err := startProgram(t, nil, findFirefox(), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "--remote-allow-origins", origin, "--window-size", "1280,900")
	if err != nil {
		return nil, err
	}
	address, err := program.waitFor(regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`))
	if err != nil {
		return nil, err
	}
	if f.bidi, err = dialBidi(address+"/session", f.note); err != nil {
		return nil, err
	}
	t.Cleanup(func() { f.call("browser.close", object{}, nil) }) // before the program ends
	return f, f.begin()
}

// begin starts a session, with its first page and console messages.
func (f *firefox) begin() error {
	var session struct {
		Capabilities struct{ BrowserName, BrowserVersion string }
	}
	if err := f.call("session.new", object{"capabilities": object{}}, &session); err != nil {
		return err
	}
	f.version = session.Capabilities.BrowserName + " " + session.Capabilities.BrowserVersion
	var tree struct {
		Contexts []struct{ Context string }
	}
	if err := f.call("browsingContext.getTree", object{}, &tree); err != nil {
		return err
	}
	if len(tree.Contexts) == 0 {
		return fmt.Errorf("it has no page")
	}
	f.context = tree.Contexts[0].Context
	if err := f.call("session.subscribe", object{"events": []string{"log.entryAdded"}}, nil); err != nil {
		return err
	}
	return f.call("browsingContext.setViewport", object{"context": f.context, "viewport": object{"width": 1280, "height": 800}}, nil)
}

// note records console errors.
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
	if method != "log.entryAdded" || json.Unmarshal(params, &entry) != nil || entry.Level != "error" {
		return
	}
	text := entry.Text
	if frames := entry.StackTrace.CallFrames; len(frames) > 0 {
		text += fmt.Sprintf(" (%s:%d)", frames[0].URL, frames[0].LineNumber+1)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, text)
}

func (f *firefox) open(address string) error {
	return f.call("browsingContext.navigate", object{"context": f.context, "url": address, "wait": "complete"}, nil)
}

func (f *firefox) evaluate(script string) (string, error) {
	var outcome thrown
	err := f.call("script.evaluate", object{"expression": script, "target": object{"context": f.context}, "awaitPromise": true}, &outcome)
	if err != nil {
		return "", err
	}
	return outcome.text()
}

func (f *firefox) perform(actions []object) error {
	return f.call("input.performActions", object{"context": f.context, "actions": actions}, nil)
}

func (f *firefox) pointer(press bool, x, y float64) error {
	return f.perform(pointerActions(press, x, y))
}

func (f *firefox) keys(text string) error { return f.perform(keyActions(text)) }

func (f *firefox) files(selector string, paths []string) error {
	var found struct {
		Nodes []struct{ SharedID string }
	}
	err := f.call("browsingContext.locateNodes", object{"context": f.context, "locator": object{"type": "css", "value": selector}, "maxNodeCount": 1}, &found)
	if err != nil {
		return err
	}
	if len(found.Nodes) == 0 {
		return fmt.Errorf("the page has no %s", selector)
	}
	return f.call("input.setFiles", object{"context": f.context, "element": object{"sharedId": found.Nodes[0].SharedID}, "files": paths}, nil)
}

func (f *firefox) screenshot() ([]byte, error) {
	var shot struct{ Data string }
	if err := f.call("browsingContext.captureScreenshot", object{"context": f.context}, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot.Data)
}

func (f *firefox) problems() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.said)
}
