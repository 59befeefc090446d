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
	red, blue, dark := plainPNG(255, 0), plainPNG(0, 255), plainPNG(0, 128)
	for _, m := range []struct{ what, page, script string }{
		{"embedding page: first answer, two examples", "/pages/start.html", elapsedUntil("globalThis.answered")},
		{"studio: first contentful paint", "/", script("painted.js")},
		{"studio: first answer, taught from files", "/", fmt.Sprintf("%s(%q, %q, %q)", script("first-answer.js"), red, blue, dark)},
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

// script returns a script of the folder pages.
func script(name string) string {
	text, err := pages.ReadFile("pages/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// plainPNG returns an 84×84 image of one color as base64.
func plainPNG(red, blue uint8) string {
	var file bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 84, 84), color.Palette{color.NRGBA{R: red, B: blue, A: 255}})
	if err := png.Encode(&file, m); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(file.Bytes())
}
