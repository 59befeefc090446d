package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
)

//go:embed pages
var pages embed.FS

// manyPictures is the number of images for measurements of throughput.
const manyPictures = 16

// browser times the network in Chromium, each side in its own tab: one image, and many with a pool of
// an engine for each core, where the peers use their fastest batch size. Our side is the site's engine.
func browser(b *bench) error {
	dir, err := os.MkdirTemp("", "deepemd-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sizes := []int{84, 32}
	for _, size := range sizes {
		err := atomicfile.Write(filepath.Join(dir, fmt.Sprintf("%d.safetensors", size)), func(w io.Writer) error {
			return networktest.ResNet12(networktest.Full, size, 1).Encode(w, weights.F16)
		})
		if err != nil {
			return err
		}
	}
	torch := b.startPython("torch_peer.py", "PyTorch, which writes onnxruntime-web's network")
	defer torch.stop()
	if torch != nil {
		for _, size := range sizes {
			for _, batch := range []int{1, manyPictures} {
				path := filepath.Join(dir, fmt.Sprintf("%dx%d.onnx", size, batch))
				if _, err := torch.call(request{What: "onnx", Size: size, Batch: batch, Path: path}); err != nil {
					return err
				}
			}
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/pages/", http.FileServerFS(pages))
	mux.Handle("/", http.FileServerFS(os.DirFS(b.sites[0])))
	mux.Handle("/ours/", http.StripPrefix("/ours/", http.FileServer(http.Dir(dir))))
	mux.Handle("/onnx/", http.StripPrefix("/onnx/", http.FileServer(http.Dir(dir))))
	mux.Handle("/peers/", http.StripPrefix("/peers/", http.FileServer(http.Dir(filepath.Join(b.peers, "node_modules")))))
	server := httptest.NewServer(isolated(mux))
	defer server.Close()

	c, err := startChromium(graphics...)
	if err != nil {
		return err
	}
	defer c.cancel()
	ours, err := openSide(c, server.URL+"/pages/ours.html")
	if err != nil {
		return err
	}
	tabs, err := b.peerTabs(c, server.URL, torch != nil)
	if err != nil {
		return err
	}
	for _, size := range sizes {
		var peers []peerSide
		for _, t := range tabs {
			peers = append(peers, peerSide{name: t.name, measure: t.measure("forward", size)})
		}
		flops := backbone.FLOPs(networktest.Full, size, size)
		note := func(ms float64) string { return fmt.Sprintf("%.0f GFLOP/s", flops/ms/1e6) }
		if err := b.against(fmt.Sprintf("ResNet-12 (640) forward, %d px", size), ours.measure("forward", size), note, peers...); err != nil {
			return err
		}
	}
	for _, size := range sizes {
		sides := []peerSide{{name: "our one thread", measure: ours.measure("many", size, manyPictures)}}
		for _, t := range tabs {
			sides = append(sides, peerSide{name: t.name, measure: t.measure("many", size, manyPictures)})
		}
		workers := runtime.NumCPU()
		what := fmt.Sprintf("ResNet-12 (640), %d pictures, %d px, pool of %d workers", manyPictures, size, workers)
		note := func(ms float64) string { return fmt.Sprintf("%.1f pictures/s", manyPictures/ms*1e3) }
		if err := b.against(what, ours.measure("pool", size, manyPictures, workers), note, sides...); err != nil {
			return err
		}
	}
	return nil
}

// tabSide is a tab whose page has a global object peer.
type tabSide struct {
	name string
	ctx  context.Context
}

func openSide(c *chromium, url string) (tabSide, error) {
	ctx, err := c.tab(url)
	if err != nil {
		return tabSide{}, err
	}
	if _, err := evaluate[float64](ctx, elapsedUntil("globalThis.peer")); err != nil {
		return tabSide{}, err
	}
	name, err := evaluate[string](ctx, "peer.name")
	return tabSide{name, ctx}, err
}

func (t tabSide) measure(what string, arguments ...any) measurement {
	list, _ := json.Marshal(arguments) // numbers
	return func() (float64, error) { return evaluate[float64](t.ctx, fmt.Sprintf("peer.%s(...%s)", what, list)) }
}
