package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/server"
)

// folder holds the built site, "" until a test has asked for it.
var folder string

// buildSite builds the whole site once for all tests.
var buildSite = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "deepemd-studio-"); err != nil {
		return err
	}
	cmd := exec.Command("go", "run", "github.com/deepemd/deepemd/tools/build", "-compress=false", "-out", filepath.Join(folder, "site"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// studio is the studio, opened in a browser of its own.
type studio struct {
	*browsertest.Browser
	t      *testing.T
	origin string
}

// open serves the site and opens the studio. The scripts run in the page before
// any of its own.
func open(t *testing.T, opt browsertest.Options, scripts ...string) *studio {
	t.Helper()
	return openSite(t, site(t), opt, scripts...)
}

// site returns a handler of the built site.
func site(t *testing.T) http.Handler {
	t.Helper()
	if err := buildSite(); err != nil {
		t.Fatalf("building the site: %v", err)
	}
	handler, err := server.New(os.DirFS(filepath.Join(folder, "site")))
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// openSite opens the studio of the given site.
func openSite(t *testing.T, handler http.Handler, opt browsertest.Options, scripts ...string) *studio {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	s := &studio{browsertest.Start(t, opt), t, server.URL}
	for _, script := range scripts {
		s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
			return chromedp.Void{}, err
		})
	}
	s.Open(s.origin + "/")
	s.WaitFor(`document.querySelector(".studio:not([inert])")`, 30*time.Second)
	return s
}

// ready waits until the engine runs.
func (s *studio) ready() {
	s.t.Helper()
	s.WaitFor(`document.querySelector(".engine.ready")`, 30*time.Second)
}

// click presses and releases the left mouse button on an element.
func (s *studio) click(selector string) {
	s.t.Helper()
	s.Do(chromedp.Click(chromedp.CSS(selector)))
}

// press puts the left mouse button down on an element; the returned function
// lets it go again.
func (s *studio) press(selector string) (release func()) {
	s.t.Helper()
	s.Do(chromedp.ScrollIntoView(chromedp.CSS(selector)))
	x, y := s.centre(selector)
	s.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	return func() {
		s.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	}
}

// centre returns where an element's middle is in the window.
func (s *studio) centre(selector string) (x, y float64) {
	s.t.Helper()
	at := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(
		`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector))
	return at[0], at[1]
}

// name types a class's name as a person does.
func (s *studio) name(class int, text string) {
	s.t.Helper()
	field := card(class) + " input.name"
	s.click(field)
	s.Eval(fmt.Sprintf("document.querySelector(%q).select()", field))
	s.Do(chromedp.SendKeys(chromedp.CSS(field), text+"\r"))
}

// key sends what happens when a key goes down, or up, on what has the focus.
func (s *studio) key(typ input.DispatchKeyEventType, key, code string, keyCode int64) {
	s.t.Helper()
	s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: typ, Key: key, Code: code, WindowsVirtualKeyCode: keyCode,
		})
		return chromedp.Void{}, err
	})
}

// drop lets go of files, dragged from elsewhere, over an element.
func (s *studio) drop(selector string, files ...string) {
	s.t.Helper()
	s.Do(chromedp.ScrollIntoView(chromedp.CSS(selector)))
	x, y := s.centre(selector)
	const copies = 1
	for _, step := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, input.DispatchDragEvent, input.DispatchDragEventParams{
				Type: step, X: x, Y: y,
				Data: &input.DragData{Files: files, Items: []*input.DragDataItem{}, DragOperationsMask: copies},
			})
			return chromedp.Void{}, err
		})
	}
}

// Eval runs a script in the page for its effect.
func (s *studio) Eval(script string) {
	s.t.Helper()
	browsertest.Eval[any](s.Browser, "(() => { "+script+" })()")
}

// text returns the text of the first element that matches, "" for none.
func (s *studio) text(selector string) string {
	s.t.Helper()
	return browsertest.Eval[string](s.Browser, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
}

// count returns how many elements match.
func (s *studio) count(selector string) int {
	s.t.Helper()
	return browsertest.Eval[int](s.Browser, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// waitCount waits until so many elements match.
func (s *studio) waitCount(selector string, n int) {
	s.t.Helper()
	s.WaitFor(fmt.Sprintf(`document.querySelectorAll(%q).length === %d`, selector, n), 20*time.Second)
}

// card is the selector of the n-th class's card, from 1.
func card(n int) string { return fmt.Sprintf(".card:nth-of-type(%d)", n) }

// quiet fails the test if the page wrote an error or a warning, or asked anything
// of another origin.
func (s *studio) quiet(expected ...string) {
	s.t.Helper()
	s.NoProblems(expected...)
	for _, m := range s.Console() {
		if m.Type == chromedp.ConsoleWarning {
			s.t.Errorf("the page warns: %s (%s:%d)", m, m.URL, m.Line+1)
		}
	}
	for _, address := range s.Requests() {
		if !within(address, s.origin) {
			s.t.Errorf("the page asked for %s", address)
		}
	}
}

// within reports whether a request for the address stays in the origin, or in
// the page itself.
func within(address, origin string) bool {
	for _, prefix := range []string{origin + "/", "blob:" + origin + "/", "data:"} {
		if len(address) >= len(prefix) && address[:len(prefix)] == prefix {
			return true
		}
	}
	return false
}

// shot saves what the window shows where DEEPEMD_SCREENSHOTS says, if it does.
func (s *studio) shot(name string) {
	s.t.Helper()
	if dir := os.Getenv("DEEPEMD_SCREENSHOTS"); dir != "" {
		s.Screenshot(filepath.Join(dir, name+".png"))
	}
}
