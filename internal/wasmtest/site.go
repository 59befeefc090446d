//go:build !js

// Package wasmtest serves the engine for tests in a browser or in Node.
package wasmtest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
)

// Site is a server of the built engine with deepemd.js, small weights, and faulty addresses.
type Site struct {
	*httptest.Server
	// SmallWeights are the weights of a tiny network, weights/small.safetensors on the server.
	SmallWeights []byte
}

// BlankPage is a page with the module and shared functions of its tests.
const BlankPage = `<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><title>deepemd.js under test</title><script type="module">
import { DeepEMD, DeepEMDError } from "/deepemd/deepemd.js";

const crash = Symbol.for("deepemd.crash");
const small = "/weights/small.safetensors";

/** Pixels of one color. */
function plain(r, g, b, width = 40, height = 30) {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i += 3) data.set([r, g, b], i);
  return { width, height, data };
}

/** What a promise rejects with, as code and message. */
async function failure(promise) {
  try {
    return { code: "none", message: JSON.stringify(await promise) };
  } catch (error) {
    return { code: error instanceof DeepEMDError ? error.code : "not a DeepEMDError", message: String(error.message) };
  }
}

/** An engine with three classes of one example each. */
async function taught(options = {}) {
  const engine = await DeepEMD.create({ weights: small, ...options });
  for (const [label, ...color] of [["red", 220, 30, 20], ["green", 20, 200, 40], ["blue", 20, 30, 240]]) {
    await engine.addExample(await engine.addClass(label, { id: label }), plain(...color));
  }
  return engine;
}

/** The next event of a type. */
function next(target, type) {
  return new Promise((resolve) => target.addEventListener(type, (e) => resolve(e.detail), { once: true }));
}

const canvas = new OffscreenCanvas(40, 30);
const context = canvas.getContext("2d");
context.fillStyle = "rgb(20 30 240)";
context.fillRect(0, 0, 40, 30);

Object.assign(window, { DeepEMD, DeepEMDError, crash, small, plain, failure, taught, next, canvas, loaded: true });
</script>`

// Serve serves the built site, small weights and faulty addresses.
func Serve(t *testing.T) *Site {
	t.Helper()
	dir, err := testsite.Site()
	if err != nil {
		t.Fatalf("building the site: %v", err)
	}
	var buf bytes.Buffer
	require.NoError(t, networktest.ResNet12([]int{8, 16, 16, 32}, 32, 1).Encode(&buf, weights.F32))
	small := buf.Bytes()

	give := func(contentType string, data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			w.Write(data)
		}
	}
	// cut announces the whole length and closes the connection half-way.
	cut := func(data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			w.Write(data[:len(data)/2])
		}
	}
	engine := require.Value(os.ReadFile(filepath.Join(dir, "deepemd", "deepemd.wasm")))(t)
	worker := require.Value(os.ReadFile(filepath.Join(dir, "deepemd", "worker.js")))(t)
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.Handle("/sounds/", http.StripPrefix("/sounds/", http.FileServer(http.Dir(Sounds()))))
	mux.HandleFunc("/test/", give("text/html", []byte(BlankPage)))
	mux.HandleFunc("/weights/small.safetensors", give("application/octet-stream", small))
	mux.HandleFunc("/weights/truncated.safetensors", give("application/octet-stream", small[:len(small)/2]))
	mux.HandleFunc("/weights/cut.safetensors", cut(small))
	mux.HandleFunc("/weights/page.safetensors", give("text/html", []byte("<!DOCTYPE html><title>welcome</title>")))
	mux.HandleFunc("/weights/picture.safetensors", give("image/png", PNG(t, Texture(1))))
	with := func(before string) http.HandlerFunc {
		return give("text/javascript", append([]byte(before), worker...))
	}
	// Each of these folders has the package, with another file of one name.
	for name, other := range map[string]http.HandlerFunc{
		"/page/deepemd.wasm":  give("text/html", []byte("<!DOCTYPE html>")),
		"/noise/deepemd.wasm": give("application/wasm", bytes.Repeat([]byte("noise"), 1000)),
		"/cut/deepemd.wasm":   cut(engine),
		// A browser without relaxed SIMD, which rejects the fused module.
		"/old/worker.js": with(`((validate) => { WebAssembly.validate = (b) => !String(b).includes("253,133,2") && validate.call(WebAssembly, b); })(WebAssembly.validate);`),
		// Helpers that fail at their second crop.
		"/dying/worker.js": with(`let n = 0; if (self.name === "deepemd-helper") self.addEventListener("message", (e) => { if (e.data.type === "encode" && ++n === 2) throw new Error("tired"); });`),
		// A browser without nested workers.
		"/alone/worker.js": with(`self.Worker = undefined;`),
	} {
		mux.HandleFunc(name, other)
		folder := path.Dir(name)
		mux.Handle(folder+"/", http.StripPrefix(folder, http.FileServer(http.Dir(filepath.Join(dir, "deepemd")))))
	}
	for name, data := range map[string][]byte{
		"a.jpg": JPEG(t, Texture(2)), "a.png": PNG(t, Texture(3)), "a.gif": GIF(t, Texture(4)),
		"broken.jpg": JPEG(t, Texture(2))[:300], "text.jpg": []byte("this is a letter, not a picture"), "empty.png": nil,
	} {
		mux.HandleFunc("/pictures/"+name, give("application/octet-stream", data))
	}
	shared := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		mux.ServeHTTP(w, r)
	})
	s := &Site{httptest.NewServer(shared), small}
	t.Cleanup(s.Close)
	return s
}

// Texture returns a 57×43 image of waves, which depends on the seed.
func Texture(seed int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 57, 43))
	wave := func(x, y, c int) uint8 {
		return uint8(128 + 120*math.Sin(float64(seed+c)*1.3+float64(x*(seed%3+1))/float64(4+c)+float64(y)/float64(3+seed%5)))
	}
	for y := range 43 {
		for x := range 57 {
			img.SetRGBA(x, y, color.RGBA{wave(x, y, 0), wave(x, y, 1), wave(x, y, 2), 255})
		}
	}
	return img
}

// PNG encodes an image.
func PNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, png.Encode(&buf, img))
	return buf.Bytes()
}

// JPEG encodes an image.
func JPEG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, jpeg.Encode(&buf, img, &jpeg.Options{Quality: 85}))
	return buf.Bytes()
}

// GIF encodes an image.
func GIF(t *testing.T, img image.Image) []byte {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, gif.Encode(&buf, img, nil))
	return buf.Bytes()
}

// Sounds returns the folder of recordings that the server provides below sounds/.
func Sounds() string {
	return filepath.Join(nodetest.Root(), "core", "sound", "testdata")
}
