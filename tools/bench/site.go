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

// host serves a built site with the benchmark's pages, on loopback or over a slow line.
func host(folder string, slow bool) (*httptest.Server, error) {
	site, err := server.New(os.DirFS(folder), nil, false)
	if err != nil {
		return nil, err
	}
	handler := http.NewServeMux()
	handler.Handle("/", site)
	handler.Handle("/pages/", http.FileServerFS(pages))
	s := httptest.NewUnstartedServer(handler)
	if slow {
		s.Listener = &line{Listener: s.Listener, bitsPerSecond: 10e6, roundTrip: 40 * time.Millisecond}
	}
	s.Start()
	return s, nil
}

// start times pages from navigation to the first answer, in a new browser.
func start(b *bench) error {
	for _, m := range []struct{ what, page, script string }{
		{"embedding page: first answer, two examples", "/pages/start.html", elapsedUntil("globalThis.answered")},
		{"studio: first contentful paint", "/", painted},
		{"studio: first answer, taught from files", "/", firstAnswer},
	} {
		for _, slow := range []bool{false, true} {
			what := m.what
			if slow {
				what += " (10 Mbit/s)"
			}
			err := b.againstSite(what, nil, func(folder string) (measurement, func(), error) {
				s, err := host(folder, slow)
				if err != nil {
					return nil, nil, err
				}
				return func() (float64, error) {
					c, err := startChromium()
					if err != nil {
						return 0, err
					}
					defer c.cancel()
					ctx, err := c.tab(s.URL + m.page)
					if err != nil {
						return 0, err
					}
					return evaluate[float64](ctx, m.script)
				}, s.Close, nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// againstSite measures the site, and compares it with the other one, if there is one. The function
// open returns a site's side and what ends it.
func (b *bench) againstSite(what string, note func(ms float64) string, open func(folder string) (measurement, func(), error)) error {
	var sides []peerSide
	for _, folder := range b.sites {
		measure, end, err := open(folder)
		if err != nil {
			return err
		}
		defer end()
		sides = append(sides, peerSide{folder, measure})
	}
	return b.against(what, sides[0].measure, note, sides[1:]...)
}

// painted returns the time from navigation to the first paint with content.
const painted = `new Promise((resolve) => {
	new PerformanceObserver((list, observer) => {
		const entry = list.getEntriesByName("first-contentful-paint")[0];
		if (entry) { observer.disconnect(); resolve(entry.startTime); }
	}).observe({ type: "paint", buffered: true });
})`

// firstAnswer teaches the studio two classes from files as soon as possible, gives it an image, and
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

// plainPNG returns an 84×84 image of one color as base64.
func plainPNG(c color.NRGBA) string {
	var file bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 84, 84), color.Palette{c})
	if err := png.Encode(&file, m); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(file.Bytes())
}
