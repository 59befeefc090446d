package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/chromedp/chromedp"
)

// browserPeers are the peers in Chromium: their pages and npm packages.
var browserPeers = []struct {
	name, page string
	needs      []string
}{
	{"onnxruntime-web", "onnxruntime.html", []string{"onnxruntime-web"}},
	{"TensorFlow.js", "tensorflow.html", []string{"@tensorflow/tfjs-core", "@tensorflow/tfjs-backend-wasm", "@tensorflow/tfjs-backend-webgpu"}},
}

// peerTabs opens a tab for every peer on one thread, on all cores and on WebGPU. onnx reports whether
// the network of onnxruntime-web exists.
func (b *bench) peerTabs(c *chromium, url string, onnx bool) ([]tabSide, error) {
	ways := []struct{ name, query string }{
		{"", "threads=1"}, {" with threads", fmt.Sprintf("threads=%d", runtime.NumCPU())}, {" on WebGPU", "gpu=hardware"},
	}
	if runtime.NumCPU() == 1 {
		ways = slices.Delete(ways, 1, 2)
	}
	var tabs []tabSide
	for _, p := range browserPeers {
		if !b.installed(p.needs) || p.name == "onnxruntime-web" && !onnx {
			b.peerNotes[p.name] = "not installed: make bench-peers installs it"
			continue
		}
		for _, way := range ways {
			tab, err := openSide(c, url+"/pages/"+p.page+"?"+way.query)
			if err != nil {
				return nil, fmt.Errorf("%s%s: %w", p.name, way.name, err)
			}
			leftOut, err := evaluate[string](tab.ctx, `peer.leftOut ?? ""`)
			if err != nil {
				return nil, fmt.Errorf("%s%s: %w", p.name, way.name, err)
			}
			if leftOut != "" {
				b.peerNotes[p.name+way.name] = leftOut
				continue
			}
			tabs = append(tabs, tab)
		}
	}
	return tabs, nil
}

// installed reports whether all packages are installed.
func (b *bench) installed(packages []string) bool {
	for _, p := range packages {
		if _, err := os.Stat(filepath.Join(b.peers, "node_modules", filepath.FromSlash(p))); err != nil {
			return false
		}
	}
	return true
}

// isolated adds the headers for cross-origin isolation, without which a page has no threads with
// shared memory.
func isolated(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		pages.ServeHTTP(w, r)
	})
}

// graphics are the flags with which Chromium offers WebGPU on Linux. chromedp disables it by default.
var graphics = []chromedp.ExecAllocatorOption{
	chromedp.Flag("disable-gpu", false), chromedp.Flag("enable-unsafe-webgpu", true),
	chromedp.Flag("enable-features", "NetworkService,NetworkServiceInProcess,Vulkan"),
}
