//go:build !js

package embed_test

import (
	"fmt"
	"image"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/draw"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/server"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// bring runs the page's commands in a copy of the built site, and returns the copy.
func bring(t *testing.T) string {
	t.Helper()
	if os.Getenv("DEEPEMD_PACKAGES") == "" {
		t.Skip("npm installs onnxruntime-web for this test: set DEEPEMD_PACKAGES=1, or run make test-all")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm on this machine: install nodejs and npm to test the example with a network of one's own")
	}
	site := filepath.Join(t.TempDir(), "build", "site")
	require.NoError(t, os.CopyFS(site, os.DirFS(studiotest.SiteFolder(t))))
	page := require.Value(os.ReadFile(filepath.Join(site, "examples", "own-backbone", "index.html")))(t)
	_, commands, _ := strings.Cut(string(page), "<pre>")
	commands, _, _ = strings.Cut(commands, "</pre>")
	if strings.Count(commands, "\n") != 1 {
		t.Fatalf("the page names other than two commands:\n%s", commands)
	}
	for line := range strings.Lines(commands) {
		args := strings.Fields(strings.ReplaceAll(line, "build/site", site))
		if args[0] == "build/deepemd" {
			args = append([]string{"go", "run", "github.com/deepemd/deepemd/tools/deepemd"}, args[1:]...)
		}
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	return site
}

// defaultMeta returns the metadata of the default network.
func defaultMeta(t *testing.T) weights.Meta {
	t.Helper()
	return require.Value(weights.Decode(network.ResNet12PhotoFile, network.ResNet12PhotoWeights()))(t).Meta
}

// small writes demo images of a thing as PNG files of the size of the network's input, which need no
// scaling and decode identically everywhere.
func small(t *testing.T, thing string, numbers ...int) (paths []string) {
	t.Helper()
	size := defaultMeta(t).InputSize
	for i, picture := range pictures(t, thing, numbers...) {
		square := image.NewRGBA(image.Rect(0, 0, size, size))
		b := picture.Bounds()
		side := min(b.Dx(), b.Dy())
		from := image.Rect(0, 0, side, side).Add(b.Min).Add(image.Pt((b.Dx()-side)/2, (b.Dy()-side)/2))
		draw.ApproxBiLinear.Scale(square, square.Bounds(), picture, from, draw.Src, nil)
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d.png", thing, numbers[i]))
		f := require.Value(os.Create(path))(t)
		require.NoError(t, png.Encode(f, square))
		require.NoError(t, f.Close())
		paths = append(paths, path)
	}
	return paths
}

// A network from deepemd export, run by onnxruntime-web in front of the matcher, gives the same
// answers as the engine with the same weights.
func TestOwnBackbone(t *testing.T) {
	handler := require.Value(server.New(os.DirFS(bring(t)), nil, false))(t)
	served := httptest.NewServer(handler)
	t.Cleanup(served.Close)
	s := &studiotest.Studio{Browser: browsertest.Start(t, browsertest.Options{}), T: t, Origin: served.URL}
	s.Open(s.Origin + "/examples/own-backbone/")
	s.WaitFor(`document.querySelector("#status").value.startsWith("Ready")`)
	for i, thing := range []string{"apple", "banana"} {
		section := fmt.Sprintf(".hue-%d", i)
		s.Upload(section+" input[type=file]", small(t, thing, 1, 2, 3)...)
		s.WaitCount(section+" .seen canvas", 3)
	}
	meta := defaultMeta(t)
	across := meta.InputSize / 16
	s.WaitFor(fmt.Sprintf(`document.querySelector("#status").value.includes("%d nodes of %d channels")`, across*across, meta.Widths[3]))
	for _, thing := range []string{"apple", "banana", "orange"} {
		s.Upload("#query", small(t, thing, 4)...)
		s.WaitFor(`document.querySelector("#status").value.includes("after")`)
		got := browsertest.Eval[struct{ Page, Engine map[string]float64 }](s.Browser, `(async () => {
			globalThis.engine ??= (async () => {
				const { DeepEMD } = await import("/deepemd/deepemd.js");
				const engine = await DeepEMD.create();
				for (const section of document.querySelectorAll(".class")) {
					const [name, files] = section.querySelectorAll("input");
					const id = await engine.addClass(name.value);
					for (const file of files.files) await engine.addExample(id, file);
				}
				return engine;
			})();
			const { scores } = await (await globalThis.engine).classify(document.querySelector("#query").files[0]);
			const page = [...document.querySelectorAll(".bars li")].map((li) => [li.firstChild.textContent, Number(li.children[1].style.getPropertyValue("--fill"))]);
			document.querySelector("#status").value = "";
			return { page: Object.fromEntries(page), engine: Object.fromEntries(scores.map(({ label, score }) => [label, score])) };
		})()`)
		for label, want := range got.Engine {
			if d := math.Abs(got.Page[label] - want); len(got.Page) != 2 || d > 1e-4 || math.IsNaN(d) {
				t.Errorf("a %s is %s with %v by onnxruntime-web, %v by the engine", thing, label, got.Page[label], want)
			}
		}
		t.Logf("%s: %v by onnxruntime-web, %v by the engine", thing, got.Page, got.Engine)
	}
	portraits(s, "own-backbone")
	s.Quiet()
}

// Without the files from npm and deepemd export, the pages name the commands that bring them.
func TestBackbonesThatAreMissing(t *testing.T) {
	for _, name := range []string{"own-backbone", "transformers"} {
		t.Run(name, func(t *testing.T) {
			s := open(t, "/examples/"+name+"/", browsertest.Options{})
			s.WaitFor(`!document.querySelector("#missing").hidden && document.querySelector("#missing pre").textContent.includes("npm ")`)
			portraits(s, name+"-missing")
		})
	}
}

// standIn implements the part of @huggingface/transformers that the page uses. Its "tokens" are the
// colors of patches: the class token first, then row by row, like DINOv2. It accepts the same
// inputs and preprocesses them in the same way.
const standIn = `
export const env = { backends: { onnx: { wasm: {} } } };
export async function pipeline(task, model, options) {
	if (task !== "image-feature-extraction" || model !== "Xenova/dinov2-small" || options.dtype !== "q8") throw new Error("no " + task + " of " + model);
	if (env.allowRemoteModels !== false || env.allowLocalModels !== true || !env.localModelPath.endsWith("/models/")) throw new Error("the model would be fetched from elsewhere");
	if (!env.backends.onnx.wasm.wasmPaths.endsWith("/onnxruntime-web/dist/")) throw new Error("the runtime would be fetched from elsewhere");
	return async (input) => {
		if (!(input instanceof Blob || input instanceof OffscreenCanvas || input instanceof HTMLCanvasElement)) throw new Error("Unsupported input type: " + typeof input);
		const picture = await createImageBitmap(input), short = Math.min(picture.width, picture.height), side = (short * 224) / 256;
		const context = new OffscreenCanvas(16, 16).getContext("2d");
		context.drawImage(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side, 0, 0, 16, 16);
		const { data: rgba } = context.getImageData(0, 0, 16, 16);
		const data = new Float32Array(257 * 384);
		for (let i = 0; i < 256; i++) for (let c = 0; c < 384; c++) data[(i + 1) * 384 + c] = rgba[4 * i + (c % 3)] * (1 + (c % 7)) - 128;
		return { dims: [1, 257, 384], type: "float32", data, size: data.length };
	};
}
`

// The page's own code for transformers.js, with a fake of the library, whose weights cannot be
// fetched in tests.
func TestTransformers(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/", studiotest.Site(t))
	mux.HandleFunc("/examples/transformers/node_modules/@huggingface/transformers/dist/transformers.web.min.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		fmt.Fprint(w, standIn)
	})
	served := httptest.NewServer(mux)
	t.Cleanup(served.Close)
	s := &studiotest.Studio{Browser: browsertest.Start(t, browsertest.Options{}), T: t, Origin: served.URL}
	s.Open(s.Origin + "/examples/transformers/")
	s.WaitFor(`document.querySelector("#status").value.startsWith("Ready")`)
	for i, thing := range []string{"apple", "banana"} {
		section := fmt.Sprintf(".hue-%d", i)
		s.Upload(section+" input[type=file]", files(t, thing, 1, 2)...)
		s.WaitCount(section+" .seen canvas", 2)
	}
	s.WaitFor(`document.querySelector("#status").value.includes("256 nodes of 384 channels")`)
	for thing, want := range map[string]string{"apple": "cat", "banana": "cup"} { // in the page's names
		s.Upload("#query", files(t, thing, 1)...)
		s.WaitFor(`document.querySelector(".best")?.textContent === "` + want + `"`)
	}
	portraits(s, "transformers")
	s.Quiet()
}
