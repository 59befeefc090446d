// Package browsertest opens pages in headless Chromium for tests, and keeps
// account of what a page must not do unnoticed: write errors to the console,
// throw, or send anything to another machine.
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

	"github.com/deepemd/deepemd/internal/browsertest/proxy"
	"github.com/deepemd/deepemd/internal/require"
)

// own are the hosts that Chromium asks for by itself, whatever its flags say.
var own = []string{"accounts.google.com", "clients2.google.com", "update.googleapis.com", "optimizationguide-pa.googleapis.com", "redirector.gvt1.com"}

// Options says what kind of browser to start. The zero value will do.
type Options struct {
	// Camera is a file, .y4m or .mjpeg, that the browser's camera shows over and
	// over; access to it is granted. Without one there is no camera.
	Camera string
	// Width and Height are the window's, 1280×800 where they are 0.
	Width, Height int
	// Timeout ends the browser, and with it what waits for a page: how long the test takes at
	// most on an idle machine. Default five minutes.
	Timeout time.Duration
	// Flags are further command line flags, without dashes; see chromedp.Flag.
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
	proxy    *proxy.Proxy
}

// starts is how many browsers Start tries before it gives up.
const starts = 3

// Start starts a browser with a fresh profile. One that does not start, or whose
// first page does not answer, is ended, and another one takes its place; the test's
// log says so. The test fails when there is no Chromium on this machine.
func Start(t testing.TB, opt Options) *Browser {
	t.Helper()
	if opt.Timeout == 0 {
		opt.Timeout = 5 * time.Minute
	}
	outside := proxy.Start(t, own...)
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

// start starts the browser and waits until its empty page answers. The returned
// function ends it, and is to be called after errors, too.
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

// listen keeps account of the page from now on.
func (b *Browser) listen() {
	go b.readConsole(chromedp.Console(b.ctx))
	require.NoError(b.t, chromedp.Listen(b.ctx, b.note))
}

// Tab opens another, empty tab of the same browser, whose pages find what the other
// tabs' have stored. It has an account of its own, and ends with the test.
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

// Kill ends the page's process at once, as a system short of memory does. Nothing
// can be done with the tab afterwards.
func (b *Browser) Kill() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Second)
	defer cancel()
	// There is nobody left to answer.
	_, _ = chromedp.Call(ctx, page.Crash, cdp.Empty{})
}

// Downloads has the browser save what pages hand out in a folder, which is
// returned.
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
		// A page that is left while its engine starts goes to the back/forward cache, and
		// after about one visit in a hundred on a busy machine Chromium 156 then answers
		// nothing more in the next page: 4 times in 400 visits, never in 237 without it.
		chromedp.Flag("disable-features", "Translate,AutofillServerCommunication,OptimizationHints,MediaRouter,BackForwardCache"),
		// Everything but this machine is reached through a proxy that notes it.
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

// findChromium returns the browser's path; CHROMIUM names another than those
// that are looked for.
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

// Context is the page's, for chromedp.Run and its like.
func (b *Browser) Context() context.Context { return b.ctx }

// Do runs actions one after the other; the test ends at the first that fails.
func (b *Browser) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for i, action := range actions {
		if err := b.persist(action); err != nil {
			b.t.Fatalf("action %d of %d: %v", i+1, len(actions), err)
		}
	}
}

// replaced are what Chromium says of an element that the page drew again between being
// found and being acted on. It says so before it has acted.
var replaced = []string{"node with given id", "Node is detached", "does not belong to the document"}

// persist runs an action, and runs it again while the page replaces its element.
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

// saysOneOf returns whether an error's text holds one of the phrases.
func saysOneOf(err error, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(err.Error(), phrase) })
}

// Open navigates to an address and waits until the page has loaded.
func (b *Browser) Open(url string) {
	b.t.Helper()
	b.Do(chromedp.Navigate(url))
}

// Eval evaluates an expression in the page, waits for the promise if it is
// one, and returns its value. The test ends when it throws.
func Eval[T any](b *Browser, expression string) T {
	b.t.Helper()
	value, err := run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%v\nin: %s", err, expression)
	}
	return value
}

// leaving are what Chromium says of an expression that the page was left under.
var leaving = []string{"navigated or closed", "context was destroyed", "Cannot find context"}

// patience is how many times as long as on an idle machine things may take, and shortest
// how long they may take in any case: the machine may have as many other things to do.
const (
	patience = 4
	shortest = 2 * time.Minute
)

// WaitFor waits until an expression, or the promise that it gives, is true in the page, or
// in the one that follows when the page is being left, and ends the test when that takes far longer than it
// takes at most on an idle machine.
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

// Is evaluates a condition once. A page that is being left has none.
func (b *Browser) Is(expression string) bool {
	b.t.Helper()
	is, err := run(b, chromedp.Evaluate[bool](truth(expression), chromedp.EvalAwaitPromise))
	if err != nil && !saysOneOf(err, leaving) {
		b.t.Fatalf("%v\nin: %s", err, expression)
	}
	return is
}

// truth is an expression's value, or its promise's, as a boolean.
func truth(expression string) string { return "(async () => Boolean(await (" + expression + ")))()" }

// Until waits until a condition of a test holds, and ends the test after four minutes.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(4 * time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after 4 minutes still not: %s", what)
		}
	}
}

// Screenshot saves what the window shows as a PNG file.
func (b *Browser) Screenshot(path string) {
	b.t.Helper()
	png, err := run(b, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatalf("screenshot: %v", err)
	}
	require.NoError(b.t, os.WriteFile(path, png, 0o644))
}

// note keeps the events that are asked for later.
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
			return // the browser has ended
		}
		b.mu.Lock()
		b.console = append(b.console, m)
		b.mu.Unlock()
	}
}

// Console returns what the page wrote to the console so far.
func (b *Browser) Console() []chromedp.ConsoleMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.console)
}

// Requests returns the addresses that the page itself asked for so far; its
// workers' requests are not among them.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// Outside returns the hosts other than this machine that anything in the
// browser tried to reach, workers included. The tries failed.
func (b *Browser) Outside() []string { return b.proxy.Noted() }

// NoProblems fails the test if the page wrote an error to the console, threw,
// or tried to reach another machine. Messages that contain one of the given
// texts are expected.
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

// explain shows the console of a test that failed.
func (b *Browser) explain() {
	if !b.t.Failed() {
		return
	}
	for _, m := range b.Console() {
		b.t.Logf("console: %s (%s:%d)", m, m.URL, m.Line+1)
	}
}
