package publish

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/require"
)

func TestWorkerNamesWhatTheStudioNeeds(t *testing.T) {
	site := fstest.MapFS{}
	for _, name := range []string{"index.html", "web/app.wasm", "web/app.wasm.br", "deepemd/deepemd.js", "deepemd/deepemd.d.ts", "deepemd/node-thread.js", "deepemd/gallery.js", "deepemd/deepemd-gallery.wasm", "weights/README.md", "weights/a.safetensors", "examples/plain/index.html", "docs/index.html", "pages/cups.html", "sw.js", "_headers"} {
		site[name] = &fstest.MapFile{Data: []byte(name)}
	}
	worker, err := Worker(site)
	require.NoError(t, err)
	text := string(worker)
	for name, want := range map[string]bool{
		`"./": "`: true, `"web/app.wasm": "`: true, `"deepemd/deepemd.js": "`: true, `"weights/a.safetensors": "`: true,
		"app.wasm.br": false, "d.ts": false, "node-thread": false, "gallery": false, "README.md": false, "examples/": false, "pages/": false, `"sw.js"`: false, "_headers": false, "index.html\":": false,
	} {
		if strings.Contains(text, name) != want {
			t.Errorf("the worker names %s: %v, want %v", name, !want, want)
		}
	}

	again, err := Worker(site)
	if err != nil || !bytes.Equal(again, worker) {
		t.Errorf("two workers of the same site differ (%v)", err)
	}
	site["web/app.wasm"] = &fstest.MapFile{Data: []byte("new")}
	if other, err := Worker(site); err != nil || bytes.Equal(other, worker) {
		t.Errorf("the worker is the same although a file is another (%v)", err)
	}
	site["examples/plain/index.html"] = &fstest.MapFile{Data: []byte("new")}
	site["web/app.wasm"] = &fstest.MapFile{Data: []byte("web/app.wasm")}
	if same, err := Worker(site); err != nil || !bytes.Equal(same, worker) {
		t.Errorf("the worker is another although no file that it keeps is (%v)", err)
	}
}
