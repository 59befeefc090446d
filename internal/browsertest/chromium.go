package browsertest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/require"
)

// chromium drives headless Chromium with the DevTools protocol.
type chromium struct {
	mu       sync.Mutex
	messages []Message
	requests []string
}

// chromiumOwn are the hosts that Chromium contacts with any flags.
var chromiumOwn = []string{"accounts.google.com", "android.clients.google.com", "clients2.google.com", "update.googleapis.com", "www.google.com", "optimizationguide-pa.googleapis.com", "redirector.gvt1.com"}

func findChromium() string {
	return find("CHROMIUM", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
}

// startChromium replaces and logs a browser that does not start or whose first page does not
// answer.
func startChromium(t testing.TB, opt Options, b *Browser) (err error) {
	b.proxy = startProxy(t, chromiumOwn...)
	test := b.ctx
	for range 3 {
		process, endProcess := chromedp.NewExecAllocator(test, chromiumFlags(t, opt, b.proxy)...)
		tab, endPage := chromedp.NewContext(process)
		end := func() { endPage(); endProcess() }
		late := time.AfterFunc(90*time.Second, end)
		b.ctx = tab
		if err = b.startChromium(); err == nil && late.Stop() {
			t.Cleanup(end)
			return nil
		}
		end()
		t.Logf("another Chromium is started, as this one does not answer: %v", err)
	}
	return err
}

func (b *Browser) startChromium() error {
	if err := b.openTab(); err != nil {
		return err
	}
	version, err := chromedp.CallBrowser(b.ctx, browser.GetVersion, cdp.Empty{})
	if err != nil {
		return err
	}
	b.Version = version.Product
	_, err = chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: b.downloads,
	})
	return err
}

// openTab opens the page of the browser's context, and records its console and requests.
func (b *Browser) openTab() error {
	c := &chromium{}
	b.driver = c
	if err := chromedp.Do(b.ctx); err != nil {
		return err
	}
	messages := chromedp.Console(b.ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			level := string(m.Type)
			if m.IsException() {
				level = LevelError
			}
			c.mu.Lock()
			c.messages = append(c.messages, Message{level, m.String(), fmt.Sprintf("%s:%d", m.URL, m.Line+1)})
			c.mu.Unlock()
		}
	}()
	return chromedp.Listen(b.ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.requests = append(c.requests, e.Request.URL)
		}
	})
}

func chromiumFlags(t testing.TB, opt Options, proxy *proxy) []chromedp.ExecAllocatorOption {
	if opt.Width == 0 {
		opt.Width, opt.Height = 1280, 800
	}
	// The suggestions of the address bar are two pages, which take a twelfth of the processor time.
	disabled := "Translate,AutofillServerCommunication,OptimizationHints,MediaRouter,WebUIOmniboxPopup,WebUIOmniboxAimPopup"
	if !opt.BackForwardCache {
		disabled += ",BackForwardCache"
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(findChromium()),
		chromedp.NoSandbox,
		chromedp.WindowSize(opt.Width, opt.Height),
		chromedp.Flag("headless", "new"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-features", disabled),
		// A proxy records and refuses requests to other machines.
		chromedp.ProxyServer("http://"+proxy.address.String()),
	)
	if opt.Camera != "" {
		path := require.Value(filepath.Abs(opt.Camera))(t)
		flags = append(flags,
			chromedp.Flag("use-fake-device-for-media-stream", true),
			chromedp.Flag("use-fake-ui-for-media-stream", true),
			chromedp.Flag("use-file-for-fake-video-capture", path),
		)
	}
	for name, value := range opt.Flags {
		flags = append(flags, chromedp.Flag(name, value))
	}
	return flags
}

func (*chromium) open(ctx context.Context, address string) error {
	return chromedp.Do(ctx, chromedp.Navigate(address))
}

func (*chromium) evaluate(ctx context.Context, expression string) (string, error) {
	return chromedp.Run(ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
}

func (*chromium) leaving(err error) bool {
	return slices.ContainsFunc([]string{"navigated or closed", "context was destroyed", "Cannot find context"}, func(phrase string) bool {
		return strings.Contains(err.Error(), phrase)
	})
}

func (*chromium) first(ctx context.Context, script string) error {
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	return err
}

func (*chromium) pointer(ctx context.Context, press bool, x, y float64) error {
	kind := input.DispatchMouseEventTypeMouseReleased
	if press {
		kind = input.DispatchMouseEventTypeMousePressed
	}
	return chromedp.Do(ctx, chromedp.MouseEvent(kind, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

func (*chromium) keys(ctx context.Context, text string) error {
	return chromedp.Do(ctx, chromedp.KeyEvent(text))
}

func (*chromium) files(ctx context.Context, selector string, paths []string) error {
	field, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: fmt.Sprintf("document.querySelector(%q)", selector)})
	if err != nil {
		return err
	}
	_, err = chromedp.Call(ctx, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: field.Result.ObjectID})
	return err
}

func (*chromium) screenshot(ctx context.Context) ([]byte, error) {
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}

func (c *chromium) console(context.Context) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.messages)
}

// Context returns the page's context, for package chromedp.
func (b *Browser) Context() context.Context { return b.ctx }

// Call calls a command of the DevTools protocol.
func Call[P, R any](b *Browser, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	b.must(err, string(command.Method))
	return result
}

// Do runs actions in order; the test ends at the first error.
func (b *Browser) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.must(chromedp.Do(b.ctx, actions...), "an action")
}

// Requests returns the URLs that the page requested so far, without its workers. Other browsers do
// not report them.
func (b *Browser) Requests() []string {
	c, ok := b.driver.(*chromium)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.requests)
}

// Tab opens an empty tab of the same browser, with the same storage. It has a separate record, and
// ends with the test.
func (b *Browser) Tab() *Browser {
	b.t.Helper()
	tab := *b
	ctx, end := chromedp.NewContext(b.ctx)
	b.t.Cleanup(end)
	tab.ctx = ctx
	b.t.Cleanup(tab.explain)
	b.must(tab.openTab(), "opening a tab")
	return &tab
}

// Kill ends the page's process immediately, like a system without memory. The tab cannot be used
// afterwards.
func (b *Browser) Kill() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Second)
	defer cancel()
	_, _ = chromedp.Call(ctx, page.Crash, cdp.Empty{})
}

// Window resizes the window.
func (b *Browser) Window(width, height int) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(int64(width), int64(height)))
}

// Phone resizes the window to a device with a touch screen.
func (b *Browser) Phone(width, height int) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(int64(width), int64(height), chromedp.EmulateMobile, chromedp.EmulateTouch))
}

// Scheme sets the browser's preference for light or dark.
func (b *Browser) Scheme(name string) {
	b.t.Helper()
	Call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

// Hover moves the mouse to a position in the window.
func (b *Browser) Hover(x, y float64) {
	b.t.Helper()
	b.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// Drag drags the mouse from one position in the window to another, in steps.
func (b *Browser) Drag(x0, y0, x1, y1 float64, steps int) {
	b.t.Helper()
	left := []chromedp.MouseOption{chromedp.ButtonLeft, chromedp.ClickCount(1)}
	b.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x0, y0, left...))
	for i := range steps {
		part := float64(i+1) / float64(steps)
		b.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x0+part*(x1-x0), y0+part*(y1-y0), chromedp.ButtonLeft))
	}
	b.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x1, y1, left...))
}

// Key sends a keyboard event to the focused element.
func (b *Browser) Key(kind input.DispatchKeyEventType, key, code string, keyCode int64) {
	b.t.Helper()
	Call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Code: code, WindowsVirtualKeyCode: keyCode})
}

// Tap presses and releases a key without a character, such as Escape.
func (b *Browser) Tap(key string, keyCode int64) {
	b.t.Helper()
	b.Key(input.DispatchKeyEventTypeRawKeyDown, key, key, keyCode)
	b.Key(input.DispatchKeyEventTypeKeyUp, key, key, keyCode)
}
