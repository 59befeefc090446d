package main

import (
	"context"
	"fmt"
	"os"

	"github.com/chromedp/chromedp"
)

// studio measures the interval between live answers in the studio, from Chromium's fake camera.
func studio(b *bench) error {
	const classes, examples, size = 12, 40, 84
	dir, err := os.MkdirTemp("", "deepemd-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := noise(dir, classes, examples, size); err != nil {
		return err
	}
	note := func(ms float64) string { return fmt.Sprintf("%.1f answers/s", 1e3/ms) }
	return b.againstSite("from one answer to the next", note, func(folder string) (measurement, func(), error) {
		s, err := host(folder, false)
		if err != nil {
			return nil, nil, err
		}
		c, err := startChromium(chromedp.Flag("use-fake-ui-for-media-stream", true), chromedp.Flag("use-fake-device-for-media-stream", "fps=60"))
		if err != nil {
			s.Close()
			return nil, nil, err
		}
		end := func() { c.cancel(); s.Close() }
		ctx, err := c.tab(s.URL)
		if err == nil {
			err = teachStudio(ctx, dir, classes*examples)
		}
		if err != nil {
			end()
			return nil, nil, err
		}
		return func() (float64, error) { return evaluate[float64](ctx, script("live-answers.js")) }, end, nil
	})
}

// teachStudio teaches the studio the images of a folder, n in all, starts the camera, and pauses it.
func teachStudio(ctx context.Context, dir string, n int) error {
	// On a slow device the studio would change to the small network.
	_, err := evaluate[any](ctx, `localStorage.setItem("deepemd.network", "usual")`)
	if err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.Reload()); err != nil {
		return err
	}
	if _, err := evaluate[float64](ctx, elapsedUntil(`document.querySelector(".studio:not([inert])") && document.querySelector(".engine.ready")`)); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.SetUploadFiles(chromedp.CSS("#add-folders"), []string{dir})); err != nil {
		return err
	}
	_, err = evaluate[any](ctx, fmt.Sprintf(`(async () => {
		const engine = await studio.engine;
		while (engine.classes.flatMap((c) => c.examples).length < %d) await new Promise((resolve) => setTimeout(resolve, 100));
		document.querySelector("#start").click();
		while (!document.querySelector(".speed")?.innerText) await new Promise((resolve) => setTimeout(resolve, 100));
		document.querySelector("video").pause();
	})()`, n))
	return err
}
