// Package browsertest opens pages in headless Chromium for tests. It records console errors,
// exceptions and attempts to reach other machines.
package browsertest

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/require"
)

// own are the hosts that Chromium contacts with any flags.
var own = []string{"accounts.google.com", "clients2.google.com", "update.googleapis.com", "optimizationguide-pa.googleapis.com", "redirector.gvt1.com"}

// Options are the settings of a browser. The zero value is valid.
type Options struct {
	// Camera is a .y4m or .mjpeg file that the browser's camera shows in a loop, with permission
	// granted. If empty, there is no camera.
	Camera string
	// Width and Height are the window's, by default 1280×800.
	Width, Height int
	// Timeout ends the browser and all evaluations: the maximum duration of the test on an idle
	// machine. The default is five minutes.
	Timeout time.Duration
	// Flags are additional command line flags, without dashes; see chromedp.Flag.
	Flags map[string]any
}

// Browser is a running browser with one page. It ends with the test.
type Browser struct {
	t   testing.TB
	ctx context.Context
	limits

	mu       sync.Mutex
	console  []chromedp.ConsoleMessage
	requests []string
	proxy    *Proxy
}

// starts is the number of browsers that Start tries.
const starts = 3

// Start starts a browser with a fresh profile. It replaces and logs a browser that does not start
// or whose first page does not answer. Without Chromium, the test fails.
func Start(t testing.TB, opt Options) *Browser {
	t.Helper()
	if opt.Timeout == 0 {
		opt.Timeout = 5 * time.Minute
	}
	outside := StartProxy(t, own...)
	for try := 1; ; try++ {
		b := &Browser{t: t, limits: usual, proxy: outside}
		end, err := b.start(opt)
		if err == nil {
			t.Cleanup(end)
			t.Cleanup(b.explain)
			b.listen()
			return b
		}
		end()
		if try == starts {
			t.Fatalf("Chromium does not start: %v", err)
		}
		t.Logf("another browser is started, as this one does not answer: %v", err)
	}
}

// start starts the browser and waits until its empty page answers. The returned function ends it,
// and must also be called after errors.
func (b *Browser) start(opt Options) (end func(), err error) {
	ctx, cancelTime := context.WithTimeout(context.Background(), patience*opt.Timeout)
	ctx, cancelProcess := chromedp.NewExecAllocator(ctx, b.flags(opt)...)
	ctx, cancelPage := chromedp.NewContext(ctx)
	b.ctx = ctx
	end = func() {
		cancelPage()
		cancelProcess()
		cancelTime()
	}
	started := make(chan error, 1)
	go func() { started <- chromedp.Do(b.ctx) }()
	select {
	case err = <-started:
	case <-time.After(2 * b.silence):
		cancelTime()
		<-started
		err = fmt.Errorf("it has not started for %v", 2*b.silence)
	}
	if err != nil {
		return end, err
	}
	if err := b.ask(b.ctx, b.silence); err != nil {
		return end, b.diagnose(err)
	}
	return end, nil
}

// listen starts recording the page.
func (b *Browser) listen() {
	go b.readConsole(chromedp.Console(b.ctx))
	require.NoError(b.t, chromedp.Listen(b.ctx, b.note))
}

// Tab opens an empty tab of the same browser, with the same storage. It has a separate record, and
// ends with the test.
func (b *Browser) Tab() *Browser {
	b.t.Helper()
	tab := &Browser{t: b.t, limits: b.limits, proxy: b.proxy}
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.t.Cleanup(cancel)
	tab.ctx = ctx
	b.t.Cleanup(tab.explain)
	if err := chromedp.Do(tab.ctx); err != nil {
		b.t.Fatalf("no other tab: %v", err)
	}
	tab.listen()
	return tab
}

// Kill ends the page's process immediately, like a system without memory. The tab cannot be used
// afterwards.
func (b *Browser) Kill() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Second)
	defer cancel()
	_, _ = chromedp.Call(ctx, page.Crash, cdp.Empty{})
}

// Downloads makes the browser save downloads in a folder, and returns it.
func (b *Browser) Downloads() string {
	b.t.Helper()
	dir := b.t.TempDir()
	require.Value(chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir,
	}))(b.t)
	return dir
}

func (b *Browser) flags(opt Options) []chromedp.ExecAllocatorOption {
	if opt.Width == 0 {
		opt.Width, opt.Height = 1280, 800
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(findChromium(b.t)),
		chromedp.NoSandbox,
		chromedp.WindowSize(opt.Width, opt.Height),
		chromedp.Flag("headless", "new"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// If a page starts its engine and is left, it goes to the back/forward cache. After about
		// one such visit in a hundred on a busy machine, Chromium 156 hangs in the next page: in 4
		// of 400 visits with the cache, in none of 237 without it.
		chromedp.Flag("disable-features", "Translate,AutofillServerCommunication,OptimizationHints,MediaRouter,BackForwardCache"),
		// A proxy records and refuses requests to other machines.
		chromedp.ProxyServer(b.proxy.URL),
	)
	if opt.Camera != "" {
		path := require.Value(filepath.Abs(opt.Camera))(b.t)
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

// findChromium returns the browser's path; the environment variable CHROMIUM overrides it.
func findChromium(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium on this machine: apt-get install chromium, or name one in the environment variable CHROMIUM")
	return ""
}

// Context returns the page's context, for chromedp.Run.
func (b *Browser) Context() context.Context { return b.ctx }

// Do runs actions in order; the test ends at the first error.
func (b *Browser) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for i, action := range actions {
		if err := b.persist(action); err != nil {
			b.t.Fatalf("action %d of %d: %v", i+1, len(actions), err)
		}
	}
}

// replaced are Chromium's errors about an element that the page replaced before the action.
var replaced = []string{"node with given id", "Node is detached", "does not belong to the document"}

// persist repeats an action while the page replaces its element.
func (b *Browser) persist(action chromedp.Action[chromedp.Void]) error {
	const tries = 20
	for try := 1; ; try++ {
		_, err := run(b, action)
		if err == nil || try == tries || !saysOneOf(err, replaced) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// saysOneOf reports whether an error contains one of the phrases.
func saysOneOf(err error, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(err.Error(), phrase) })
}

// Open navigates to an address and waits until the page has loaded.
func (b *Browser) Open(url string) {
	b.t.Helper()
	b.Do(chromedp.Navigate(url))
}

// Eval evaluates an expression in the page, waits for it if it is a promise, and returns its value.
// The test ends if it throws.
func Eval[T any](b *Browser, expression string) T {
	b.t.Helper()
	value, err := run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%v\nin: %s", err, expression)
	}
	return value
}

// leaving are Chromium's errors about an expression during navigation.
var leaving = []string{"navigated or closed", "context was destroyed", "Cannot find context"}

// patience is the factor for durations on a loaded machine, and shortest the minimum time limit.
const (
	patience = 4
	shortest = 2 * time.Minute
)

// WaitFor waits until an expression, or its promise, is true in the page or in the next one during
// navigation. It ends the test if that takes far longer than atMost, the maximum on an idle
// machine.
func (b *Browser) WaitFor(expression string, atMost time.Duration) {
	b.t.Helper()
	atMost = max(patience*atMost, shortest)
	for end := time.Now().Add(atMost); ; time.Sleep(20 * time.Millisecond) {
		is, err := runShortly(b, chromedp.Evaluate[bool](truth(expression), chromedp.EvalAwaitPromise))
		switch {
		case err == errUnanswered:
			b.t.Logf("%v: %s", err, expression)
		case err != nil:
			if !saysOneOf(err, leaving) {
				b.t.Fatalf("%v\nin: %s", err, expression)
			}
		}
		if is {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("after %v still not true: %s", atMost, expression)
		}
	}
}

// Is evaluates a condition once. It is false during navigation.
func (b *Browser) Is(expression string) bool {
	b.t.Helper()
	is, err := run(b, chromedp.Evaluate[bool](truth(expression), chromedp.EvalAwaitPromise))
	if err != nil && !saysOneOf(err, leaving) {
		b.t.Fatalf("%v\nin: %s", err, expression)
	}
	return is
}

// truth converts an expression or its promise to a boolean.
func truth(expression string) string { return "(async () => Boolean(await (" + expression + ")))()" }

// Until waits until a condition holds, and ends the test after four minutes.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(4 * time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after 4 minutes still not: %s", what)
		}
	}
}

// Screenshot saves a PNG file of the window.
func (b *Browser) Screenshot(path string) {
	b.t.Helper()
	png, err := run(b, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatalf("screenshot: %v", err)
	}
	require.NoError(b.t, os.WriteFile(path, png, 0o644))
}

func (b *Browser) note(event any) {
	if e, ok := event.(*network.EventRequestWillBeSent); ok {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.requests = append(b.requests, e.Request.URL)
	}
}

func (b *Browser) readConsole(messages iter.Seq2[chromedp.ConsoleMessage, error]) {
	for m, err := range messages {
		if err != nil {
			return
		}
		b.mu.Lock()
		b.console = append(b.console, m)
		b.mu.Unlock()
	}
}

// Console returns the console messages so far.
func (b *Browser) Console() []chromedp.ConsoleMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.console)
}

// Requests returns the URLs that the page requested so far, without its workers.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// Outside returns the other machines that the browser tried to reach, including workers. All
// attempts failed.
func (b *Browser) Outside() []string { return b.proxy.Noted() }

// NoProblems fails the test if the page wrote an error to the console, threw, or tried to reach
// another machine. Messages that contain one of the given texts are expected.
func (b *Browser) NoProblems(expected ...string) {
	b.t.Helper()
	for _, m := range b.Console() {
		isExpected := slices.ContainsFunc(expected, func(text string) bool { return strings.Contains(m.Text, text) })
		if (m.Type == chromedp.ConsoleError || m.IsException()) && !isExpected {
			b.t.Errorf("the page reports %s (%s:%d)", m, m.URL, m.Line+1)
		}
	}
	for _, host := range b.Outside() {
		b.t.Errorf("the page tried to reach %s", host)
	}
}

func (b *Browser) explain() {
	if !b.t.Failed() {
		return
	}
	for _, m := range b.Console() {
		b.t.Logf("console: %s (%s:%d)", m, m.URL, m.Line+1)
	}
}
