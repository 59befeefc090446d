// Package webdriver runs the same test in Firefox, by WebDriver BiDi, in WebKit, by WebDriver, and
// in Chromium for comparison. Tests that need more of Chromium use package browsertest.
package webdriver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// driver controls a browser.
type driver interface {
	// open navigates to an address and waits for the page to load.
	open(address string) error
	// evaluate runs a script that returns a promise of text, and returns the text.
	evaluate(script string) (string, error)
	// pointer moves the mouse to a position in the window, and presses or releases its left button.
	pointer(press bool, x, y float64) error
	// keys types text at the focus; \r is Enter.
	keys(text string) error
	// files selects files in an input of the page.
	files(selector string, paths []string) error
	// screenshot returns a PNG file of the window.
	screenshot() ([]byte, error)
	// problems returns console errors and uncaught exceptions.
	problems() []string
	// facts returns the constants of the session.
	facts() *session
}

// session holds the constants of a running browser.
type session struct {
	outside   func() []string // the other machines that anything in the browser tried to reach
	downloads string          // the folder for downloads
	version   string          // name and version
}

func (s *session) facts() *session { return s }

// Kind is a browser.
type Kind struct {
	Name string
	// missing describes missing programs and their installation, or returns "".
	missing func() string
	start   func(testing.TB) (driver, error)
}

// The supported browsers.
var (
	Chromium = Kind{"Chromium", func() string { return "" }, startChromium}
	Firefox  = Kind{"Firefox", missingFirefox, startFirefox}
	WebKit   = Kind{"WebKit", missingWebKit, startWebKit}
)

// Page is a browser with one page. It ends with the test.
type Page struct {
	Kind   Kind
	t      testing.TB
	driver driver
}

// Start starts a browser with a fresh profile, or skips the test if the browser is not installed.
func Start(t testing.TB, kind Kind) *Page {
	t.Helper()
	if lacks := kind.missing(); lacks != "" {
		t.Skip(lacks)
	}
	d, err := kind.start(t)
	if err != nil {
		t.Fatalf("%s does not start: %v", kind.Name, err)
	}
	p := &Page{kind, t, d}
	t.Cleanup(func() {
		if t.Failed() {
			for _, said := range d.problems() {
				t.Logf("console: %s", said)
			}
		}
	})
	return p
}

// Version returns the browser's name and version.
func (p *Page) Version() string { return p.driver.facts().version }

// Open navigates to an address and waits for the page to load.
func (p *Page) Open(address string) {
	p.t.Helper()
	p.must(p.driver.open(address), "opening "+address)
}

// Eval evaluates an expression in the page, waits for it if it is a promise, and returns its value.
// The test ends if it throws.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	var value T
	p.must(p.eval(expression, &value), "in: "+expression)
	return value
}

func (p *Page) eval(expression string, value any) error {
	// The page's policy forbids eval, so the expression is a part of the script.
	text, err := p.driver.evaluate("(async () => JSON.stringify((await (" + expression + ")) ?? null))()")
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), value)
}

// Run runs statements in the page.
func (p *Page) Run(statements string) {
	p.t.Helper()
	Eval[any](p, "(() => { "+statements+" })()")
}

// patience is the time limit of conditions, on a loaded machine.
const patience = 4 * time.Minute

// WaitFor waits until an expression is true in the page. It ignores errors, which may come from a
// page that is being left.
func (p *Page) WaitFor(expression string) {
	p.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		var is bool
		err := p.eval("Boolean(await ("+expression+"))", &is)
		if err == nil && is {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("after %v still not true: %s (%v)", patience, expression, err)
		}
	}
}

// Text returns the text of the first matching element, or "".
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return Eval[string](p, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
}

// WaitCount waits until n elements match.
func (p *Page) WaitCount(selector string, n int) {
	p.t.Helper()
	p.WaitFor(fmt.Sprintf(`document.querySelectorAll(%q).length === %d`, selector, n))
}

// Click presses and releases the left mouse button on a reachable element. It repeats the click if
// the element moved in between.
func (p *Page) Click(selector string) {
	p.t.Helper()
	for range 10 {
		p.Press(selector)()
		// They are undefined after a click that leaves the page.
		p.WaitFor("globalThis.webdriverUp !== false")
		if Eval[bool](p, "globalThis.webdriverClick !== false") {
			return
		}
	}
	p.t.Fatalf("%s moves away whenever it is pressed", selector)
}

// aim is a script that returns the position to press an element, or null while it moves or is
// covered. It also records whether the next press hits the element, and whether a click follows.
const aim = `new Promise((done) => {
	const element = document.querySelector(%q);
	if (!element) return done(null);
	element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
	const middle = () => { const r = element.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
	const before = middle();
	setTimeout(() => {
		const [x, y] = middle(), hit = document.elementFromPoint(x, y);
		if (x !== before[0] || y !== before[1] || !(element.contains(hit) || hit?.contains(element))) return done(null);
		globalThis.webdriverPress = "";
		globalThis.webdriverUp = globalThis.webdriverClick = false;
		addEventListener("pointerup", () => setTimeout(() => (globalThis.webdriverUp = true), 50), { capture: true, once: true });
		element.addEventListener("click", () => (globalThis.webdriverClick = true), { capture: true, once: true });
		addEventListener("pointerdown", ({ target }) => {
			globalThis.webdriverPress = element.contains(target) || target.contains(element) ? "hit" : "missed";
		}, { capture: true, once: true });
		done([x, y]);
	}, 50);
})`

// Press presses the left mouse button on an element; the returned function releases it.
func (p *Page) Press(selector string) (letGo func()) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		at := Eval[[]float64](p, fmt.Sprintf(aim, selector))
		if at == nil {
			continue
		}
		p.must(p.driver.pointer(true, at[0], at[1]), "pressing "+selector)
		p.WaitFor("webdriverPress")
		if Eval[string](p, "webdriverPress") == "hit" {
			return func() {
				p.t.Helper()
				p.must(p.driver.pointer(false, at[0], at[1]), "letting go "+selector)
			}
		}
		// The element moved: release the button outside.
		p.must(p.driver.pointer(false, 0, 0), "letting go")
	}
	p.t.Fatalf("after %v there is still no %s that a mouse could press", patience, selector)
	return nil
}

// Type types a new text into a field, and Enter.
func (p *Page) Type(selector, text string) {
	p.t.Helper()
	p.Click(selector)
	p.Run(fmt.Sprintf("document.querySelector(%q).select()", selector))
	p.must(p.driver.keys(text+"\r"), "typing into "+selector)
}

// Choose selects files in an input of the page.
func (p *Page) Choose(selector string, files ...string) {
	p.t.Helper()
	p.must(p.driver.files(selector, files), "choosing files in "+selector)
}

// Saved waits for a downloaded file with the given extension. Until the download is complete,
// browsers use an empty file, or one with .part or .wkdownload appended.
func (p *Page) Saved(ending string) (path string) {
	p.t.Helper()
	dir := p.driver.facts().downloads
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(dir, "*"+ending))
		partly, _ := filepath.Glob(filepath.Join(dir, "*.part"))
		for _, file := range files {
			if facts, err := os.Stat(file); err == nil && facts.Size() > 0 && len(partly) == 0 {
				return file
			}
		}
	}
	there, _ := filepath.Glob(filepath.Join(dir, "*"))
	p.t.Fatalf("after %v no file *%s in %s, which has %q", patience, ending, dir, there)
	return ""
}

// Shot saves a screenshot in the folder DEEPEMD_SCREENSHOTS, if set, with the browser's name as
// prefix.
func (p *Page) Shot(name string) {
	p.t.Helper()
	dir := os.Getenv("DEEPEMD_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := p.driver.screenshot()
	p.must(err, "taking a screenshot")
	p.must(os.WriteFile(filepath.Join(dir, strings.ToLower(p.Kind.Name)+"-"+name+".png"), png, 0o644), "a screenshot")
}

// Problems returns console errors and uncaught exceptions.
func (p *Page) Problems() []string { return p.driver.problems() }

// Outside returns the other machines that the browser tried to reach, including workers. All
// attempts failed.
func (p *Page) Outside() []string { return p.driver.facts().outside() }

// Quiet fails the test if the page wrote an error to the console, or the browser tried to reach
// another machine. Messages that contain one of the texts are expected.
func (p *Page) Quiet(expected ...string) {
	p.t.Helper()
next:
	for _, said := range p.Problems() {
		for _, text := range expected {
			if strings.Contains(said, text) {
				continue next
			}
		}
		p.t.Errorf("the page reports %s", said)
	}
	for _, host := range p.Outside() {
		p.t.Errorf("the page tried to reach %s", host)
	}
}

func (p *Page) must(err error, doing string) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%s, %s: %v", p.Kind.Name, doing, err)
	}
}

type object = map[string]any

// pointerActions returns the input actions, the same in both protocols, that move the mouse to
// a position in the window and press or release its left button there.
func pointerActions(press bool, x, y float64) []object {
	kind := "pointerUp"
	if press {
		kind = "pointerDown"
	}
	return []object{{"type": "pointer", "id": "mouse", "parameters": object{"pointerType": "mouse"}, "actions": []object{
		{"type": "pointerMove", "x": int(x), "y": int(y), "origin": "viewport"},
		{"type": kind, "button": 0},
	}}}
}

// enter is the key's code in both protocols.
const enter = "\ue007"

func keyActions(text string) []object {
	var actions []object
	for _, r := range strings.ReplaceAll(text, "\r", enter) {
		actions = append(actions, object{"type": "keyDown", "value": string(r)}, object{"type": "keyUp", "value": string(r)})
	}
	return []object{{"type": "key", "id": "keyboard", "actions": actions}}
}
