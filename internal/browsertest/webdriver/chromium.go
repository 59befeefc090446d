package webdriver

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// chromium drives Chromium with package browsertest, like all other tests. Errors end the test
// directly.
type chromium struct {
	*browsertest.Browser
	session
}

func startChromium(t testing.TB) (driver, error) {
	b := browsertest.Start(t, browsertest.Options{Timeout: sessionLimit, Flags: map[string]any{
		"use-fake-device-for-media-stream": true,
		"use-fake-ui-for-media-stream":     true,
	}})
	v, err := chromedp.CallBrowser(b.Context(), browser.GetVersion, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	return &chromium{b, session{b.Outside, b.Downloads(), v.Product}}, nil
}

func (c *chromium) open(address string) error {
	c.Open(address)
	return nil
}

func (c *chromium) evaluate(script string) (string, error) {
	return chromedp.Run(c.Context(), chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
}

func (c *chromium) pointer(press bool, x, y float64) error {
	kind := input.DispatchMouseEventTypeMouseReleased
	if press {
		kind = input.DispatchMouseEventTypeMousePressed
	}
	c.Do(chromedp.MouseEvent(kind, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	return nil
}

func (c *chromium) keys(text string) error {
	c.Do(chromedp.KeyEvent(text))
	return nil
}

func (c *chromium) files(selector string, paths []string) error {
	c.Do(chromedp.SetUploadFiles(chromedp.CSS(selector), paths))
	return nil
}

func (c *chromium) screenshot() ([]byte, error) {
	path := filepath.Join(c.downloads, "screenshot.png")
	defer os.Remove(path)
	c.Screenshot(path)
	return os.ReadFile(path)
}

func (c *chromium) problems() (all []string) {
	for _, m := range c.Console() {
		if m.Type == chromedp.ConsoleError || m.IsException() {
			all = append(all, fmt.Sprintf("%s (%s:%d)", m, m.URL, m.Line+1))
		}
	}
	return all
}
