// Package browsertest runs the same test in Chromium, by its DevTools protocol, in Firefox, by
// WebDriver BiDi, and in WebKit, by WebDriver. It records console errors, exceptions and attempts
// to reach other machines.
package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// Kind is a browser. Chromium is required; tests in other browsers are skipped unless installed.
type Kind struct {
	Name string
	// missing describes missing programs and their installation, or returns "".
	missing func() string
	start   func(testing.TB, Options, *Browser) error
}

// The supported browsers.
var (
	Chromium = Kind{"Chromium", missing(findChromium, "no Chromium on this machine: apt-get install chromium, or name one in the environment variable CHROMIUM"), startChromium}
	Firefox  = Kind{"Firefox", missing(findFirefox, "no Firefox here: as root, apt-get install firefox-esr, or name one in the environment variable FIREFOX"), startFirefox}
	WebKit   = Kind{"WebKit", missingWebKit, startWebKit}
)

// InEach runs a test in Chromium and, if DEEPEMD_BROWSERS is set, in each other installed browser.
func InEach(t *testing.T, test func(*testing.T, Kind)) {
	t.Helper()
	for _, kind := range []Kind{Chromium, Firefox, WebKit} {
		t.Run(kind.Name, func(t *testing.T) {
			if kind.Name != Chromium.Name && os.Getenv("DEEPEMD_BROWSERS") == "" {
				t.Skip("takes longer than a change should wait: make test-browsers")
			}
			test(t, kind)
		})
	}
}

// Options are the settings of a browser. The zero value is valid.
type Options struct {
	// Kind is Chromium by default. The other fields only apply to Chromium.
	Kind Kind
	// Camera is a .y4m or .mjpeg file that the browser's camera shows in a loop, with permission
	// granted. If empty, there is no camera.
	Camera string
	// Width and Height are the window's, by default 1280×800.
	Width, Height int
	// Timeout ends the browser and all evaluations: the maximum duration of the test on an idle
	// machine. The default is five minutes.
	Timeout time.Duration
	// BackForwardCache lets the browser keep pages that are left. If a page starts its engine and is
	// left, then after about one such visit in a hundred on a busy machine Chromium 156 hangs in the
	// next page: in 4 of 400 visits with the cache, in none of 237 without it.
	BackForwardCache bool
	// Flags are additional command line flags, without dashes; see chromedp.Flag.
	Flags map[string]any
}

// driver controls the page of a browser. Its context limits the duration of a call.
type driver interface {
	// open navigates to an address and waits for the page to load.
	open(ctx context.Context, address string) error
	// evaluate evaluates an expression that is a promise of text.
	evaluate(ctx context.Context, expression string) (string, error)
	// leaving reports whether an error of evaluate can come from a page that is being left.
	leaving(error) bool
	// first makes every page run a script before its own, or, in WebKit, after loading.
	first(ctx context.Context, script string) error
	// pointer presses or releases the left mouse button at a position in the window.
	pointer(ctx context.Context, press bool, x, y float64) error
	// keys types text at the focus; \r is Enter.
	keys(ctx context.Context, text string) error
	// files selects files in an input of the page.
	files(ctx context.Context, selector string, paths []string) error
	// screenshot returns a PNG file of the window.
	screenshot(ctx context.Context) ([]byte, error)
	// console returns the messages so far.
	console(ctx context.Context) []Message
}

// Message is a message in the console or an uncaught exception.
type Message struct {
	Level string // LevelError, LevelWarning or another
	Text  string
	At    string // address and line, if known
}

// The levels of problems.
const (
	LevelError   = "error"
	LevelWarning = "warning"
)

// Browser is a running browser with one page. It ends with the test.
type Browser struct {
	Kind    Kind
	Version string // name and version
	t       testing.TB
	ctx     context.Context
	driver
	proxy     *proxy
	downloads string
}

// Start starts a browser with a fresh profile. The test fails without Chromium, and is skipped
// without another browser that it needs.
func Start(t testing.TB, opt Options) *Browser {
	t.Helper()
	if opt.Kind.Name == "" {
		opt.Kind = Chromium
	}
	opt.Timeout = cmp.Or(opt.Timeout, 5*time.Minute)
	if lacks := opt.Kind.missing(); lacks != "" {
		if opt.Kind.Name == Chromium.Name {
			t.Fatal(lacks)
		}
		t.Skip(lacks)
	}
	ctx, stop := context.WithTimeout(context.Background(), loaded*opt.Timeout)
	t.Cleanup(stop)
	b := &Browser{Kind: opt.Kind, t: t, ctx: ctx, downloads: t.TempDir()}
	if err := opt.Kind.start(t, opt, b); err != nil {
		t.Fatalf("%s does not start: %v", opt.Kind.Name, err)
	}
	t.Cleanup(b.explain)
	return b
}

const (
	// loaded is the factor for durations on a loaded machine.
	loaded = 4
	// patience limits the time until a condition holds.
	patience = 2 * time.Minute
	// attempt limits an evaluation of a condition. Then it is evaluated again, since browsers lose
	// promises of pages that are being left.
	attempt = 15 * time.Second
)

// errLate is returned for an evaluation without an answer.
var errLate = errors.New("no answer")

// evaluate evaluates an expression, waits for it if it is a promise, and decodes its value.
func evaluate[T any](b *Browser, expression string, within time.Duration) (value T, err error) {
	ctx, stop := context.WithTimeout(b.ctx, within)
	defer stop()
	// The page's policy forbids eval, so the expression is a part of the script.
	text, err := b.driver.evaluate(ctx, "(async () => JSON.stringify((await ("+expression+"\n)) ?? null))()")
	if err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("%w in %v", errLate, within)
		}
		return value, err
	}
	kind := reflect.TypeFor[T]().Kind()
	if text == "null" && kind != reflect.Interface && kind != reflect.Pointer && kind != reflect.Slice && kind != reflect.Map {
		return value, errors.New("it is null or undefined")
	}
	return value, json.Unmarshal([]byte(text), &value)
}

// Eval evaluates an expression in the page, waits for it if it is a promise, and returns its value.
// The test ends if it throws.
func Eval[T any](b *Browser, expression string) T {
	b.t.Helper()
	value, err := evaluate[T](b, expression, 2*patience)
	b.must(err, "in: "+expression)
	return value
}

// Eval runs statements in the page.
func (b *Browser) Eval(statements string) {
	b.t.Helper()
	Eval[any](b, "(() => { "+statements+"\n })()")
}

// Is evaluates a condition once. It is false during navigation.
func (b *Browser) Is(expression string) bool {
	b.t.Helper()
	is, err := evaluate[bool](b, "Boolean(await ("+expression+"\n))", 2*patience)
	if err != nil && !b.leaving(err) {
		b.must(err, "in: "+expression)
	}
	return is
}

// WaitFor waits until an expression, or its promise, is true in the page or in the next one during
// navigation.
func (b *Browser) WaitFor(expression string) {
	b.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		is, err := evaluate[bool](b, "Boolean(await ("+expression+"\n))", attempt)
		if is {
			return
		}
		if err != nil && !errors.Is(err, errLate) && !b.leaving(err) {
			b.must(err, "in: "+expression)
		}
		if time.Now().After(end) || b.ctx.Err() != nil {
			b.t.Fatalf("after %v still not true: %s (%v)", patience, expression, err)
		}
	}
}

// Until waits until a condition holds.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v still not: %s", patience, what)
		}
	}
}

// Open navigates to an address and waits until the page has loaded.
func (b *Browser) Open(address string) {
	b.t.Helper()
	b.must(b.open(b.ctx, address), "opening "+address)
}

// RunFirst makes every page that this tab opens run a script before its own.
func (b *Browser) RunFirst(script string) {
	b.t.Helper()
	b.must(b.first(b.ctx, script), "adding a script")
}

// Text returns the text of the first matching element, or "".
func (b *Browser) Text(selector string) string {
	b.t.Helper()
	return Eval[string](b, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
}

// Count returns the number of matching elements.
func (b *Browser) Count(selector string) int {
	b.t.Helper()
	return Eval[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// WaitCount waits until n elements match.
func (b *Browser) WaitCount(selector string, n int) {
	b.t.Helper()
	b.WaitFor(fmt.Sprintf(`document.querySelectorAll(%q).length === %d`, selector, n))
}

// Saved waits for a downloaded file with the given extension. Until the download is complete,
// browsers use an empty file, or one with .part or .wkdownload appended.
func (b *Browser) Saved(ending string) (path string) {
	b.t.Helper()
	Until(b.t, fmt.Sprintf("a file *%s in %s", ending, b.downloads), func() bool {
		files, _ := filepath.Glob(filepath.Join(b.downloads, "*"+ending))
		partly, _ := filepath.Glob(filepath.Join(b.downloads, "*.part"))
		downloading, _ := filepath.Glob(filepath.Join(b.downloads, "*.wkdownload"))
		for _, path = range files {
			if facts, err := os.Stat(path); err == nil && facts.Size() > 0 && len(partly)+len(downloading) == 0 {
				return true
			}
		}
		return false
	})
	return path
}

// Screenshot saves a PNG file of the window.
func (b *Browser) Screenshot(path string) {
	b.t.Helper()
	png, err := b.screenshot(b.ctx)
	b.must(err, "taking a screenshot")
	require.NoError(b.t, os.WriteFile(path, png, 0o644))
}

// Shot saves a screenshot in the folder DEEPEMD_SCREENSHOTS, if set, with the name of a browser
// other than Chromium as prefix.
func (b *Browser) Shot(name string) {
	b.t.Helper()
	if dir := os.Getenv("DEEPEMD_SCREENSHOTS"); dir != "" {
		if b.Kind.Name != Chromium.Name {
			name = strings.ToLower(b.Kind.Name) + "-" + name
		}
		b.Screenshot(filepath.Join(dir, name+".png"))
	}
}

// Console returns the console messages so far.
func (b *Browser) Console() []Message { return b.console(b.ctx) }

// Outside returns the other machines that the browser tried to reach, including workers. All
// attempts failed.
func (b *Browser) Outside() []string {
	b.proxy.mu.Lock()
	defer b.proxy.mu.Unlock()
	return slices.Clone(b.proxy.hosts)
}

// NoProblems fails the test if the page wrote an error to the console, threw, or tried to reach
// another machine. Messages that contain one of the given texts are expected.
func (b *Browser) NoProblems(expected ...string) {
	b.t.Helper()
	b.noMessages(LevelError, expected)
	for _, host := range b.Outside() {
		b.t.Errorf("the page tried to reach %s", host)
	}
}

// NoWarnings fails the test if the page wrote a warning to the console.
func (b *Browser) NoWarnings() {
	b.t.Helper()
	b.noMessages(LevelWarning, nil)
}

func (b *Browser) noMessages(level string, expected []string) {
	b.t.Helper()
	for _, m := range b.Console() {
		if m.Level == level && !slices.ContainsFunc(expected, func(text string) bool { return strings.Contains(m.Text, text) }) {
			b.t.Errorf("the page reports the %s %s (%s)", level, m.Text, m.At)
		}
	}
}

func (b *Browser) explain() {
	if b.t.Failed() {
		for _, m := range b.Console() {
			b.t.Logf("console: %+v", m)
		}
	}
}

func (b *Browser) must(err error, doing string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%s, %.500s: %.2000v", b.Kind.Name, doing, err)
	}
}
