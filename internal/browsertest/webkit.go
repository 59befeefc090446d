package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// webkit drives WebKitGTK's MiniBrowser, the engine of Safari and Epiphany, with WebDriver on a
// virtual screen.
type webkit struct {
	*classic
	webdriver
	scripts []string  // run by every page
	said    []Message // in earlier pages
}

// elementKey is WebDriver's JSON key of an element ID.
const elementKey = "element-6066-11e4-a52e-4f735466cecf"

// findMiniBrowser returns the path of the browser, which is not in PATH.
func findMiniBrowser() string {
	for _, pattern := range []string{"/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser", "/usr/lib/webkit2gtk-4.1/MiniBrowser"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

func missingWebKit() string {
	var lacks []string
	for _, name := range []string{"WebKitWebDriver", "Xvfb", "dbus-run-session"} {
		if find("", name) == "" {
			lacks = append(lacks, name)
		}
	}
	if findMiniBrowser() == "" {
		lacks = append(lacks, "webkit2gtk-4.1/MiniBrowser")
	}
	if lacks == nil {
		return ""
	}
	return fmt.Sprintf("no WebKit here, for want of %s: as root, apt-get install webkit2gtk-driver xvfb dbus gstreamer1.0-plugins-good", strings.Join(lacks, ", "))
}

func startWebKit(t testing.TB, _ Options, b *Browser) error {
	b.proxy = startProxy(t)
	w := &webkit{scripts: []string{recordProblems}}
	w.webdriver = w.perform
	b.driver = w
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "user-dirs.dirs"), fmt.Appendf(nil, "XDG_DOWNLOAD_DIR=%q\n", b.downloads), 0o600); err != nil {
		return err
	}
	screen, err := startScreen(t)
	if err != nil {
		return err
	}
	environment := []string{
		"DISPLAY=" + screen, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CACHE_HOME=" + home, "LANG=C.UTF-8",
		// Root and containers cannot use the sandbox; the browser only opens the tests' pages.
		"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1",
		// With software OpenGL, a page with a video is painted once per second or less; CPU
		// rendering reaches twenty frames.
		"LIBGL_ALWAYS_SOFTWARE=1", "WEBKIT_SKIA_ENABLE_CPU_RENDERING=1", "WEBKIT_DISABLE_DMABUF_RENDERER=1",
		"GTK_A11Y=none", "NO_AT_BRIDGE=1",
	}
	outside := b.proxy.address.String()
	var said struct{ BrowserName, BrowserVersion string }
	wanted := object{
		"browserName": "MiniBrowser",
		"proxy":       object{"proxyType": "manual", "httpProxy": outside, "sslProxy": outside, "noProxy": []string{"127.0.0.1", "localhost"}},
		"webkitgtk:browserOptions": object{
			"binary": findMiniBrowser(),
			"args":   []string{"--automation", "--enable-media-stream=true", "--enable-mock-capture-devices=true", "--geometry=1280x900"},
		},
	}
	for range tries {
		if w.classic, err = startMiniBrowser(t, b.ctx, environment, wanted, &said); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	b.Version = "WebKitGTK " + said.BrowserVersion
	t.Cleanup(func() { w.call(context.WithoutCancel(b.ctx), http.MethodDelete, "", object{}, nil) }) // before the driver ends
	return w.call(b.ctx, http.MethodPost, "/window/rect", object{"x": 0, "y": 0, "width": 1280, "height": 900}, nil)
}

// tries is the number of attempts: sometimes MiniBrowser does not report to its driver, which then
// waits forever.
const tries = 4

func startMiniBrowser(t testing.TB, ctx context.Context, environment []string, wanted object, said any) (*classic, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	p, err := startProgram(t, environment, "dbus-run-session", "--", "WebKitWebDriver", fmt.Sprintf("--port=%d", port))
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("http://127.0.0.1:%d", port)
	err = p.wait(func() error {
		client := http.Client{Timeout: 5 * time.Second}
		answer, err := client.Get(address + "/status")
		if err == nil {
			answer.Body.Close()
		}
		return err
	})
	if err == nil {
		var c *classic
		if c, err = newSession(ctx, address, wanted, said); err == nil {
			return c, nil
		}
	}
	t.Logf("WebKit did not start: %v: %q", err, p.said())
	p.end()
	return nil, err
}

// startScreen starts a virtual screen, and returns its name, such as ":99".
func startScreen(t testing.TB) (string, error) {
	// It writes the free number that it uses.
	p, err := startProgram(t, nil, "Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	if err != nil {
		return "", err
	}
	number, err := p.waitFor(regexp.MustCompile(`^(\d+)$`))
	return ":" + number, err
}

// recordProblems is a script that records a page's errors, since WebDriver does not provide the console.
const recordProblems = `
	const problems = (globalThis.webdriverProblems = []);
	const { error } = console;
	console.error = (...said) => (problems.push(said.join(" ")), error.apply(console, said));
	addEventListener("error", (event) => problems.push(event.message + " (" + event.filename + ":" + event.lineno + ")"));
	addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));`

func (w *webkit) open(ctx context.Context, address string) error {
	w.said = w.console(ctx)
	if err := w.post(ctx, "/url", object{"url": address}, nil); err != nil {
		return err
	}
	_, err := w.evaluate(ctx, "(async () => '')()") // which runs the scripts
	return err
}

// evaluate runs the scripts of first in a page that has not run them, such as one that has reloaded
// itself.
func (w *webkit) evaluate(ctx context.Context, expression string) (string, error) {
	scripts := "if (!globalThis.webdriverScripts) {\n globalThis.webdriverScripts = true;\n"
	for _, script := range w.scripts {
		scripts += "{ " + script + "\n}\n"
	}
	var said struct{ Text, Error string }
	err := w.post(ctx, "/execute/async", object{"args": []any{}, "script": `const done = arguments[arguments.length - 1];
		(async () => {
			` + scripts + `}
			return ` + expression + `;
		})().then((Text) => done({ Text }), (error) => done({ Error: String(error) + "\n" + error?.stack }));`}, &said)
	if err == nil && said.Error != "" {
		err = errors.New(said.Error)
	}
	return said.Text, err
}

func (w *webkit) first(_ context.Context, script string) error {
	w.scripts = append(w.scripts, script)
	return nil
}

func (w *webkit) perform(ctx context.Context, actions []object) error {
	return w.post(ctx, "/actions", object{"actions": actions}, nil)
}

func (w *webkit) files(ctx context.Context, selector string, paths []string) error {
	var element map[string]string
	if err := w.post(ctx, "/element", object{"using": "css selector", "value": selector}, &element); err != nil {
		return err
	}
	return w.post(ctx, "/element/"+element[elementKey]+"/value", object{"text": strings.Join(paths, "\n")}, nil)
}

func (w *webkit) screenshot(ctx context.Context) (png []byte, err error) {
	err = w.call(ctx, http.MethodGet, "/screenshot", nil, &png)
	return png, err
}

func (w *webkit) console(ctx context.Context) []Message {
	said := slices.Clone(w.said)
	text, err := w.evaluate(ctx, `(async () => JSON.stringify(globalThis.webdriverProblems ?? []))()`)
	var now []string
	if err == nil {
		err = json.Unmarshal([]byte(text), &now)
	}
	if err != nil {
		now = []string{err.Error()}
	}
	for _, text := range now {
		said = append(said, Message{Level: LevelError, Text: text})
	}
	return said
}

// classic is a WebDriver session: commands over HTTP. https://www.w3.org/TR/webdriver2/
type classic struct {
	session string // URL of the session
}

// newSession starts a browser with the driver at an address such as http://127.0.0.1:4711. It takes
// seconds, or ten on a loaded machine.
func newSession(ctx context.Context, address string, capabilities, result any) (*classic, error) {
	c := &classic{address + "/session"}
	started, stop := context.WithTimeout(ctx, 30*time.Second)
	defer stop()
	var said struct {
		SessionID    string
		Capabilities json.RawMessage
	}
	if err := c.post(started, "", object{"capabilities": object{"alwaysMatch": capabilities}}, &said); err != nil {
		return nil, err
	}
	c.session += "/" + said.SessionID
	if err := json.Unmarshal(said.Capabilities, result); err != nil {
		return nil, err
	}
	limit := (2 * patience).Milliseconds()
	return c, c.post(ctx, "/timeouts", object{"script": limit, "pageLoad": limit}, nil)
}

func (c *classic) post(ctx context.Context, path string, params, result any) error {
	return c.call(ctx, http.MethodPost, path, params, result)
}

func (c *classic) call(ctx context.Context, method, path string, params, result any) error {
	body, err := json.Marshal(params)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, c.session+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
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
