package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"
)

// chromium is a browser with a fresh profile.
type chromium struct {
	ctx    context.Context
	cancel context.CancelFunc
}

var errNoChromium = errors.New("no Chromium here: apt-get install chromium, or name one in the environment variable CHROMIUM")

func startChromium(further ...chromedp.ExecAllocatorOption) (*chromium, error) {
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		return nil, errNoChromium
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.Flag("headless", "new"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	flags = append(flags, further...)
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Minute)
	ctx, stopAllocator := chromedp.NewExecAllocator(ctx, flags...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	c := &chromium{ctx: ctx, cancel: func() { stopBrowser(); stopAllocator(); stop() }}
	if err := chromedp.Do(ctx); err != nil {
		c.cancel()
		return nil, err
	}
	return c, nil
}

func (c *chromium) tab(url string) (context.Context, error) {
	ctx, _ := chromedp.NewContext(c.ctx) // ends with the browser
	return ctx, chromedp.Do(ctx, chromedp.Navigate(url))
}

// evaluate returns the value of an expression. It awaits promises.
func evaluate[T any](ctx context.Context, expression string) (T, error) {
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// elapsedUntil returns an expression for the time at which a condition becomes true.
func elapsedUntil(condition string) string {
	return `new Promise((resolve, reject) => {
		const end = performance.now() + 60000;
		(function look() {
			if (` + condition + `) resolve(performance.now());
			else if (performance.now() > end) reject(new Error("not within a minute: " + ` + "`" + condition + "`" + `));
			else setTimeout(look, 1);
		})();
	})`
}
