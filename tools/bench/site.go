package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"

	"deepemd/web/server"
)

// size weighs the engine as it is, and compressed as a server would send it.
func size(b *bench) error {
	raw, err := os.ReadFile(filepath.Join(b.site, "deepemd", "deepemd.wasm"))
	if err != nil {
		return fmt.Errorf("%w: make build first", err)
	}
	var zipped, squeezed bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return err
	}
	br := brotli.NewWriterLevel(&squeezed, brotli.BestCompression)
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{z, br} {
		if _, err := w.Write(raw); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	for _, form := range []struct {
		name  string
		bytes int
	}{{"raw", len(raw)}, {"gzip", zipped.Len()}, {"brotli", squeezed.Len()}} {
		b.rows = append(b.rows, row{What: "deepemd.wasm, " + form.name, Ours: float64(form.bytes) / 1e6, Unit: "MB"})
	}
	return nil
}

// start times a page from navigation to its first prediction in a browser that
// has seen nothing yet: a page that embeds the engine, teaches two examples and
// asks.
func start(b *bench) error {
	handler, err := server.New(os.DirFS(b.site))
	if err != nil {
		return err
	}
	s := httptest.NewServer(handler)
	defer s.Close()
	first := func() (float64, error) {
		c, err := startChromium()
		if err != nil {
			return 0, err
		}
		defer c.cancel()
		ctx, err := c.tab(s.URL + "/examples/plain/")
		if err != nil {
			return 0, err
		}
		return evaluate[float64](ctx, firstPrediction)
	}
	err = b.against("engine, weights, two examples, one answer", first, nil)
	if errors.Is(err, errNoChromium) {
		b.peerNotes["Chromium, so nothing is measured"] = err.Error()
		return nil
	}
	return err
}

// firstPrediction answers with the time since navigation.
const firstPrediction = `(async () => {
	const { DeepEMD } = await import("/deepemd/deepemd.js");
	const engine = await DeepEMD.create();
	const picture = (f) => ({ width: 84, height: 84, data: Uint8Array.from({ length: 84 * 84 * 3 }, (_, i) => f(i)) });
	await engine.addExample(await engine.addClass("waves"), picture((i) => 128 + 100 * Math.sin(i / 40)));
	await engine.addExample(await engine.addClass("noise"), picture((i) => (i * 7919) % 251));
	await engine.classify(picture((i) => 120 + 90 * Math.sin(i / 41)));
	return performance.now();
})()`
