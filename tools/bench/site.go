package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/deepemd/deepemd/internal/server"
)

// start times pages from navigation to the first prediction, in a new browser, on loopback and over a
// slow line.
func start(b *bench) error {
	site, err := server.New(os.DirFS(b.site), nil, false)
	if err != nil {
		return err
	}
	handler := http.NewServeMux()
	handler.Handle("/", site)
	handler.Handle("/pages/", http.FileServerFS(pages))
	fast := httptest.NewServer(handler)
	defer fast.Close()
	slow := httptest.NewUnstartedServer(handler)
	slow.Listener = &line{Listener: slow.Listener, bitsPerSecond: 10e6, roundTrip: 40 * time.Millisecond}
	slow.Start()
	defer slow.Close()
	for _, m := range []struct{ what, url, script string }{
		{"page that embeds: engine, weights, two examples, one answer", fast.URL + "/pages/start.html", firstPrediction},
		{"the same at 10 Mbit/s, 40 ms", slow.URL + "/pages/start.html", firstPrediction},
		{"studio: something painted", fast.URL + "/", painted},
		{"studio: taught by files, first answer shown", fast.URL + "/", firstAnswer},
		{"studio: something painted at 10 Mbit/s, 40 ms", slow.URL + "/", painted},
		{"studio: first answer shown at 10 Mbit/s, 40 ms", slow.URL + "/", firstAnswer},
	} {
		fresh := func() (float64, error) {
			c, err := startChromium()
			if err != nil {
				return 0, err
			}
			defer c.cancel()
			ctx, err := c.tab(m.url)
			if err != nil {
				return 0, err
			}
			return evaluate[float64](ctx, m.script)
		}
		err := b.against(m.what, fresh, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// painted returns the time from navigation to the first paint with content.
const painted = `new Promise((resolve) => {
	new PerformanceObserver((list, observer) => {
		const entry = list.getEntriesByName("first-contentful-paint")[0];
		if (entry) { observer.disconnect(); resolve(entry.startTime); }
	}).observe({ type: "paint", buffered: true });
})`

// firstAnswer teaches the studio two classes from files as soon as possible, gives it a picture, and
// returns the time from navigation to the answer. It observes changes: polling would slow the page.
var firstAnswer = fmt.Sprintf(`(async () => {
	const until = (condition) => new Promise((resolve) => {
		const observer = new MutationObserver(look);
		function look() {
			if (!condition()) return;
			observer.disconnect();
			resolve();
		}
		observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["inert", "class"] });
		look();
	});
	const choose = (input, png) => {
		const transfer = new DataTransfer();
		transfer.items.add(new File([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))], "picture.png", { type: "image/png" }));
		input.files = transfer.files;
		input.dispatchEvent(new Event("change", { bubbles: true }));
	};
	await until(() => document.querySelector(".studio:not([inert])"));
	const [first, second] = document.querySelectorAll(".card input[type=file]");
	choose(first, %q);
	choose(second, %q);
	choose(document.querySelector("#test-picture"), %q);
	await until(() => document.querySelectorAll(".bar:not(.unknown)").length === 2);
	await new Promise(requestAnimationFrame);
	return performance.now();
})()`, plainPNG(color.NRGBA{R: 255, A: 255}), plainPNG(color.NRGBA{B: 255, A: 255}), plainPNG(color.NRGBA{B: 128, A: 255}))

// plainPNG returns an 84×84 picture of one color as base64.
func plainPNG(c color.NRGBA) string {
	var file bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 84, 84), color.Palette{c})
	if err := png.Encode(&file, m); err != nil {
		panic(err) // Into memory.
	}
	return base64.StdEncoding.EncodeToString(file.Bytes())
}

// firstPrediction returns the time from navigation to the first answer of pages/start.html.
const firstPrediction = `(async () => {
	while (!globalThis.answered) await new Promise((resolve) => setTimeout(resolve, 2));
	return globalThis.answered.answered;
})()`
