//go:build !js

package node_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/internal/wasmtest"
)

func TestMain(m *testing.M) { testsite.Main(m) }

// nodeProgram is the common part of the tested programs.
const nodeProgram = `
import { createServer } from "node:http";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
const { DeepEMD, DeepEMDError, openProject, saveProject } = await import(pathToFileURL(process.env.PACKAGE + "/node.js"));

const crash = Symbol.for("deepemd.crash");

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
    return { code: error instanceof DeepEMDError ? error.code : error.name, message: String(error.message) };
  }
}

/** An engine with three classes of one example each. */
async function taught(options = {}) {
  const engine = await DeepEMD.create({ weights: "small.safetensors", ...options });
  for (const [label, ...color] of [["red", 220, 30, 20], ["green", 20, 200, 40], ["blue", 20, 30, 240]]) {
    await engine.addExample(await engine.addClass(label, { id: label }), plain(...color));
  }
  return engine;
}

/** The next event of a type. */
function next(target, type) {
  return new Promise((resolve) => target.addEventListener(type, (e) => resolve(e.detail), { once: true }));
}

/** Hands the result to the test. */
async function done(result) {
  await writeFile("result.json", JSON.stringify(result) ?? "null");
}
`

// program is a program for Node, its folder, which has the small weights in it, and the
// command that runs it.
type program struct {
	folder, text string
	command      []string
}

// forNode writes a program that uses the built package. Without node the test is skipped.
func forNode(t *testing.T, text string) program {
	t.Helper()
	return programFor(t, text, "node")
}

// programFor writes a program for a command, and skips the test where it is missing.
func programFor(t *testing.T, text string, command ...string) program {
	t.Helper()
	if _, err := exec.LookPath(command[0]); err != nil {
		t.Skipf("no %[1]s here: put %[1]s into PATH to test deepemd/node with it", command[0])
	}
	p := program{folder: t.TempDir(), text: text, command: command}
	var small bytes.Buffer
	require.NoError(t, networktest.ResNet12([]int{8, 16, 16, 32}, 32, 1).Encode(&small, weights.F32))
	p.write(t, "small.safetensors", small.Bytes())
	return p
}

// write makes a file in the program's folder.
func (p program) write(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join(p.folder, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

// run runs the program and returns the argument of done.
func run[T any](t *testing.T, p program) (result T) {
	t.Helper()
	dir, err := testsite.Site()
	if err != nil {
		t.Fatalf("building the site: %v", err)
	}
	p.write(t, "program.mjs", []byte(nodeProgram+p.text))
	cmd := exec.Command(p.command[0], append(p.command[1:], "program.mjs")...)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "PACKAGE="+filepath.Join(dir, "deepemd"))
	cmd.WaitDelay = time.Second
	late := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer late.Stop()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	} else if len(out) > 0 {
		t.Errorf("the program says:\n%s", out)
	}
	data, err := os.ReadFile(filepath.Join(p.folder, "result.json"))
	require.NoError(t, err)
	if err := json.Unmarshal(data, &result); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return result
}

// TestNodeAnswersAsNative: pictures from files, memory and a server have the same pixels and scores
// as natively, with and without fused instructions.
func TestNodeAnswersAsNative(t *testing.T) {
	transformer := networktest.Transformer()
	transformer.Meta.Extra[backbone.KeyGrid] = "3"
	var attentive bytes.Buffer
	require.NoError(t, transformer.Encode(&attentive, weights.F32))
	var small bytes.Buffer
	require.NoError(t, networktest.Transformer().Quantized().Encode(&small, weights.W8))
	for _, c := range []struct {
		name    string
		data    []byte
		options string
		flags   []string
	}{
		{"default", network.ResNet12PhotoWeights(), `{}`, nil},
		{"small", nil, `{ weights: "small.safetensors" }`, nil},
		{"a transformer", attentive.Bytes(), `{ weights: "given.safetensors" }`, nil},
		{"8-bit weights", small.Bytes(), `{ weights: "given.safetensors" }`, nil},
		{"small without relaxed SIMD", nil, `{ weights: "small.safetensors", worker: "old.mjs" }`, nil},
		{"small with the experiment of Node 20", nil, `{ weights: "small.safetensors" }`, []string{"--experimental-wasm-relaxed-simd"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := forNode(t, `
				const server = createServer(async (request, response) => response.end(await readFile("pictures/" + request.url.slice(1)))).listen(0, "127.0.0.1");
				await new Promise((resolve) => server.on("listening", resolve));
				const sources = [
					(name) => "pictures/" + name,
					(name) => readFile("pictures/" + name),
					(name) => pathToFileURL("pictures/" + name),
					async (name) => new Blob([await readFile("pictures/" + name)]),
					(name) => "http://127.0.0.1:" + server.address().port + "/" + name,
					async (name) => new File([await readFile("pictures/" + name)], name),
					async (name) => new Uint8Array(await readFile("pictures/" + name)).buffer,
				];
				const stages = new Set();
				const engine = await DeepEMD.create({ ...`+c.options+`, onProgress: ({ stage }) => stages.add(stage) });
				for (const id of ["0", "1", "2"]) await engine.addClass(id, { id });
				const pixels = {}, answers = {};
				for (const [i, name] of (await readdir("pictures")).sort().entries()) {
					const source = await sources[i % sources.length](name);
					if (i < 6) {
						pixels[name] = Buffer.from((await engine.addExample(String(i % 3), source)).pixels).toString("base64");
						continue;
					}
					const answer = await engine.classify(source, { pixels: true });
					pixels[name] = Buffer.from(answer.pixels.data).toString("base64");
					answers[name] = answer.scores;
				}
				engine.dispose();
				server.close();
				await done({ pixels, answers, stages: [...stages].sort(), info: engine.info });
			`)
			p.command = append(p.command, c.flags...)
			data := c.data
			if data == nil {
				var err error
				if data, err = os.ReadFile(filepath.Join(p.folder, "small.safetensors")); err != nil {
					t.Fatal(err)
				}
			}
			p.write(t, "given.safetensors", data)
			dir := require.Value(testsite.Site())(t)
			p.write(t, "old.mjs", fmt.Appendf(nil, `
				const { validate } = WebAssembly;
				WebAssembly.validate = (code) => !String(code).includes("253,133,2") && validate.call(WebAssembly, code);
				await import(%q);
			`, "file://"+filepath.ToSlash(filepath.Join(dir, "deepemd", "worker.js"))))
			var names []string
			for i := range 14 {
				// Paths may contain any characters; they are not addresses.
				name, file := fmt.Sprintf("%02d 50%% #1.jpg", i), wasmtest.JPEG(t, wasmtest.Texture(i))
				if i%2 == 1 || i%7 == 4 { // a server's addresses have no such characters
					name, file = fmt.Sprintf("%02d.png", i), wasmtest.PNG(t, wasmtest.Texture(i))
				}
				names = append(names, name)
				p.write(t, "pictures/"+name, file)
			}
			got := run[struct {
				Pixels  map[string]string
				Answers map[string][]answer.Score
				Stages  []string
				Info    struct{ Kernels string }
			}](t, p)
			if !slices.Equal(got.Stages, []string{"engine", "ready", "weights"}) || !strings.Contains(got.Info.Kernels, "simd128") {
				t.Errorf("stages %q, kernels %q", got.Stages, got.Info.Kernels)
			}

			native := require.Value(learner.OpenWith(data, learner.Options{Kit: learner.CommonParts()}))(t)
			for _, id := range []string{"0", "1", "2"} {
				require.NoError(t, native.AddClass(id, id))
			}
			worst := 0.0
			for i, name := range names {
				file := require.Value(os.ReadFile(filepath.Join(p.folder, "pictures", name)))(t)
				if i < 6 {
					seen := require.Value(native.AddExample(fmt.Sprint(i%3), name, learner.Picture{Data: file}))(t)
					if got.Pixels[name] != base64.StdEncoding.EncodeToString(seen.View.Pix) {
						t.Errorf("%s: other pixels in Node", name)
					}
					continue
				}
				want := require.Value(native.Model().Classify(learner.Picture{Data: file}))(t)
				if got.Pixels[name] != base64.StdEncoding.EncodeToString(want.Seen.Pix) {
					t.Errorf("%s: other pixels in Node", name)
				}
				for j, w := range want.Scores {
					g := got.Answers[name][j]
					worst = max(worst, math.Abs(g.Score-w.Score), math.Abs(g.Logit-w.Logit))
					if g.ID != w.ID {
						t.Errorf("%s: place %d is class %s in Node, %s natively", name, j, g.ID, w.ID)
					}
				}
			}
			tolerance := 1e-3
			if c.name == "8-bit weights" {
				tolerance = 0.05 // a last bit may become a step of an activation
			}
			if worst > tolerance || math.IsNaN(worst) {
				t.Errorf("scores differ by %g, want at most %g", worst, tolerance)
			}
			t.Logf("scores and logits differ by at most %.2g", worst)
		})
	}
}

// TestNodeCrash: after any crash of the engine the program is notified, and the engine restarts with
// all its classes.
func TestNodeCrash(t *testing.T) {
	for _, c := range []struct{ how, code, name string }{
		{"panic", "crashed", "panic: crashed on request"},
		{"exit", "crashed", "ended"},
		{"memory", "out-of-memory", "memory"},
		{"hang", "crashed", "not answered"},
	} {
		t.Run(c.how, func(t *testing.T) {
			p := forNode(t, fmt.Sprintf(`
				const engine = await taught({ timeout: 600_000 });
				await engine.configure(%s);
				const scores = async () => (await engine.classify(plain(200, 180, 0))).scores;
				const before = await scores();
				const crashed = next(engine, "crash"), restarted = next(engine, "restart");
				const call = failure(engine[crash](%q));
				const sample = engine.addExample("green", plain(9, 9, 9), { id: "in flight" });
				const event = await crashed;
				await engine.renameClass("red", "scarlet"); // while it is down
				await restarted;
				await sample;
				await engine.removeExample("in flight");
				await done({ before, after: await scores(), call: await call, crash: event, restarting: event.restarting });
			`, map[bool]string{true: "{ timeout: 3000 }", false: "{}"}[c.how == "hang"], c.how))
			got := run[struct {
				Before, After []answer.Score
				Call, Crash   wasmtest.Failure
				Restarting    bool
			}](t, p)
			got.Call.Check(t, c.code, c.name)
			got.Crash.Check(t, c.code, c.name)
			if !got.Restarting {
				t.Error("the event says that the engine is not being restarted")
			}
			wasmtest.SameScores(t, got.After, got.Before)
			if !slices.ContainsFunc(got.After, func(s answer.Score) bool { return s.Label == "scarlet" }) {
				t.Errorf("scores %v: want a class scarlet, named so while the engine was down", got.After)
			}
		})
	}
}

// TestNodeEnds: a program ends by itself when its engines are idle, disposed of or not, and
// not before they have answered.
func TestNodeEnds(t *testing.T) {
	for name, text := range map[string]string{
		"idle":     `const engine = await taught(); await done((await engine.classify(plain(1, 2, 250))).scores[0].label);`,
		"disposed": `const engine = await taught(); await done((await engine.classify(plain(1, 2, 250))).scores[0].label); engine.dispose();`,
		"helpers":  `const engine = await taught({ embedder: { kind: "grid" }, workers: 2 }); await done((await engine.classify(plain(1, 2, 250))).scores[0].label);`,
		"asked":    `const engine = await taught(); engine.classify(plain(1, 2, 250)).then(({ scores }) => done(scores[0].label));`,
		"disposed while it starts": `
			const stop = new AbortController();
			const starting = failure(DeepEMD.create({ weights: "small.safetensors", signal: stop.signal }));
			stop.abort(Object.assign(new Error("blue"), { name: "Error" }));
			await done((await starting).message);`,
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			if got := run[string](t, forNode(t, text)); got != "blue" {
				t.Errorf("the program hands over %q, want blue", got)
			}
			t.Logf("%.1f s", time.Since(begin).Seconds())
		})
	}
}

// TestNodeFailures: errors name their cause and change nothing.
func TestNodeFailures(t *testing.T) {
	p := forNode(t, `
		const engine = await taught();
		const before = JSON.stringify((await engine.classify("a.png")).scores);
		const failures = {
			missing: await failure(engine.classify("nowhere/a.jpg")),
			locked: await failure(engine.classify("locked.png")),
			folder: await failure(engine.classify(".")),
			letter: await failure(engine.classify("letter.jpg")),
			bytes: await failure(engine.classify(await readFile("letter.jpg"))),
			gif: await failure(engine.addExample("red", "a.gif")),
			sound: await failure(engine.classify("owl.mp3")),
			network: await failure(DeepEMD.create({ weights: "nowhere.safetensors" })),
			noNetwork: await failure(DeepEMD.create({ weights: "letter.jpg" })),
			remote: await failure(DeepEMD.create({ base: "http://127.0.0.1:9/deepemd/" })),
			script: await failure(DeepEMD.create({ worker: "nowhere.mjs", weights: "small.safetensors" })),
			project: await failure(openProject(engine, "letter.jpg")),
			noProject: await failure(openProject(engine, "nowhere.deepemd")),
			nowhere: await failure(saveProject(engine, { to: "nowhere/a.deepemd" })),
			server: await failure(saveProject(engine, { to: "http://127.0.0.1:9/a.deepemd" })),
			aborted: await failure(engine.classify("a.png", { signal: AbortSignal.abort() })),
			unreachable: await failure(engine.classify("http://127.0.0.1:3/a.jpg")),
			base: await failure(DeepEMD.create({ base: "./new", weights: "small.safetensors" })),
			engine: await failure(DeepEMD.create({ engine: "letter.jpg", weights: "small.safetensors" })),
			option: await failure(saveProject(engine, { path: "a.deepemd" })),
		};
		const stop = new AbortController();
		const learning = failure(engine.train({ passes: 10000, signal: stop.signal, onProgress: () => stop.abort() }));
		failures.stopped = await learning;
		const after = JSON.stringify((await engine.classify("a.png")).scores);
		await done({ failures, same: before === after, files: (await readdir(".")).sort() });
	`)
	p.write(t, "a.png", wasmtest.PNG(t, wasmtest.Texture(3)))
	p.write(t, "a.gif", wasmtest.GIF(t, wasmtest.Texture(3)))
	p.write(t, "letter.jpg", []byte("this is a letter, not a picture"))
	p.write(t, "owl.mp3", []byte("ID3\x04\x00"))
	p.write(t, "locked.png", wasmtest.PNG(t, wasmtest.Texture(3)))
	require.NoError(t, os.Chmod(filepath.Join(p.folder, "locked.png"), 0))
	got := run[struct {
		Failures map[string]wasmtest.Failure
		Same     bool
		Files    []string
	}](t, p)
	for name, want := range map[string][]string{
		"missing":   {"network", "nowhere/a.jpg", "could not be fetched: there is no such file: is the path right?"},
		"locked":    {"network", "locked.png", "could not be fetched: it may not be read: change its permissions"},
		"folder":    {"network", "could not be fetched: it is a folder"},
		"letter":    {"bad-image", "letter.jpg", "JPEG, PNG or WebP"},
		"bytes":     {"bad-image", "JPEG, PNG or WebP"},
		"gif":       {"bad-image", "a.gif", "JPEG, PNG or WebP"},
		"sound":     {"bad-image", "owl.mp3", "is a recording", "create({ sound: true })"},
		"network":   {"network", "nowhere.safetensors: there is no such file"},
		"noNetwork": {"bad-weights", "safetensors"},
		"remote":    {"unsupported", "http://127.0.0.1:9/deepemd/worker.js", "disk"},
		"script":    {"network", "nowhere.mjs"},
		"project":   {"bad-project", "*.deepemd"},
		"noProject": {"network", "nowhere.deepemd", "no such file"},
		"nowhere":   {"Error", "nowhere"},
		"server":    {"bad-argument", "http://127.0.0.1:9/a.deepemd", "file"},
		"aborted":   {"AbortError"},
		"stopped":   {"AbortError"},

		"unreachable": {"network", "http://127.0.0.1:3/a.jpg", "ECONNREFUSED", "is the server reachable?"},
		"base":        {"network", "new/worker.js", "Cannot find module", "set base"},
		"engine":      {"network", "letter.jpg", "name the right file"},
		"option":      {"bad-argument", `no option "path"`, "signal, to"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "locked" && (os.Geteuid() == 0 || runtime.GOOS == "windows") {
				t.Skip("this user may read every file")
			}
			got.Failures[name].Check(t, want[0], want[1:]...)
			for _, remedy := range []string{"reload", "Policy", "CORS"} {
				if message := got.Failures[name].Message; strings.Contains(message, remedy) {
					t.Errorf("in Node %q names a remedy for pages: %s", message, remedy)
				}
			}
		})
	}
	if !got.Same {
		t.Error("after the failures the same picture gets other scores")
	}
	if want := []string{"a.gif", "a.png", "letter.jpg", "locked.png", "owl.mp3", "program.mjs", "small.safetensors"}; !slices.Equal(got.Files, want) {
		t.Errorf("files %q, want %q", got.Files, want)
	}
}

// TestNodeAborts: a call that is aborted at any time rejects, and neither ends the program nor writes a file.
func TestNodeAborts(t *testing.T) {
	p := forNode(t, `
		const engine = await taught();
		await saveProject(engine, { to: "colors.deepemd" });
		const calls = [
			(signal) => engine.classify("a.png", { signal }),
			(signal) => engine.addExample("red", "a.png", { signal }),
			(signal) => openProject(engine, "colors.deepemd", { signal }),
		];
		const codes = new Set();
		for (const call of calls) {
			for (let turns = 0; turns < 30; turns++) {
				const stop = new AbortController();
				const ended = failure(call(stop.signal));
				for (let i = 0; i < turns; i++) await new Promise(setImmediate);
				stop.abort();
				codes.add((await ended).code);
			}
		}
		const wrong = []; // after the end of the call, the engine has the project's classes if the call succeeded
		for (let turns = 0; turns < 10; turns++) {
			await engine.removeClass("red");
			const stop = new AbortController();
			const end = async () => {
				for (let i = 0; i < turns; i++) await new Promise(setImmediate);
				stop.abort();
			};
			const { code } = await failure(openProject(engine, "colors.deepemd", { signal: stop.signal, onProgress: (done, all) => done === all && void end() }));
			await engine.configure({}); // waits for its turn
			const opened = engine.classes.some(({ id }) => id === "red");
			if (opened !== (code === "none")) wrong.push(turns + " turns: " + code);
			if (!opened) await openProject(engine, "colors.deepemd");
		}
		const stop = new AbortController(), { stream } = Blob.prototype;
		Blob.prototype.stream = function () { // the file is being written
			stop.abort();
			return stream.call(this);
		};
		const saving = await failure(saveProject(engine, { to: "new.deepemd", signal: stop.signal }));
		await done({ codes: [...codes].filter((code) => code !== "none"), wrong, saving: saving.code, files: (await readdir(".")).filter((name) => name.includes("deepemd")) });
	`)
	p.write(t, "a.png", wasmtest.PNG(t, wasmtest.Texture(3)))
	got := run[struct {
		Codes, Wrong []string
		Saving       string
		Files        []string
	}](t, p)
	if !slices.Equal(got.Codes, []string{"AbortError"}) || got.Saving != "AbortError" || !slices.Equal(got.Files, []string{"colors.deepemd"}) {
		t.Errorf("%+v, want AbortErrors and no new file", got)
	}
	if len(got.Wrong) > 0 {
		t.Errorf("an aborted call opened the project all the same: %q", got.Wrong)
	}
}

// TestPageModuleInNode: the module for pages names the one for Node.
func TestPageModuleInNode(t *testing.T) {
	got := run[wasmtest.Failure](t, forNode(t, `
		const { execFileSync } = await import("node:child_process");
		const program = "const { DeepEMD } = await import(" + JSON.stringify(pathToFileURL(process.env.PACKAGE + "/deepemd.js")) + ");"
			+ "await DeepEMD.create().catch(({ code, message }) => console.log(JSON.stringify({ code, message })));";
		await done(JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", program])));
	`))
	got.Check(t, "unsupported", `import "deepemd/node"`)
}

// TestEsbuildPlugin: the plugin refuses formats without import.meta, esbuild's default too.
func TestEsbuildPlugin(t *testing.T) {
	got := run[[]string](t, forNode(t, `
		const { default: deepemd } = await import(pathToFileURL(process.env.PACKAGE + "/esbuild.js"));
		const options = [{}, { platform: "node" }, { format: "iife" }, { format: "cjs", platform: "neutral" }, { format: "esm" }, { platform: "neutral" }];
		await done(options.map((initialOptions) => {
			try {
				return deepemd().setup({ initialOptions, onLoad() {}, onResolve() {} }) ?? "";
			} catch ({ message }) {
				return message;
			}
		}));
	`))
	for i, message := range got {
		if refused := strings.Contains(message, `format: "esm"`); refused != (i < 4) {
			t.Errorf("%d: %q", i, message)
		}
	}
}

// TestNodeProjects: a saved project opens from its path, address and content, with the same scores.
func TestNodeProjects(t *testing.T) {
	p := forNode(t, `
		const engine = await taught({ classifier: "nearest", temperature: 20 });
		const scores = async (engine) => (await engine.classify(plain(200, 180, 0))).scores;
		await writeFile("colors.deepemd", "what was here before");
		const blob = await saveProject(engine, { to: "colors.deepemd", name: "Colours" });
		const opened = {}, names = [];
		for (const file of ["colors.deepemd", pathToFileURL("colors.deepemd"), await readFile("colors.deepemd"), blob]) {
			const other = await DeepEMD.create({ weights: "small.safetensors" });
			names.push((await openProject(other, file)).name, other.method.classifier);
			opened[names.length] = await scores(other);
			other.dispose();
		}
		await done({ want: await scores(engine), opened, names: names.join(" "), files: (await readdir(".")).filter((name) => name.includes("deepemd")) });
	`)
	got := run[struct {
		Want   []answer.Score
		Opened map[string][]answer.Score
		Names  string
		Files  []string
	}](t, p)
	if want := strings.TrimSpace(strings.Repeat("Colours nearest ", 4)); got.Names != want {
		t.Errorf("names and classifiers %q, want %q", got.Names, want)
	}
	for _, scores := range got.Opened {
		wasmtest.SameScores(t, scores, got.Want)
	}
	if !slices.Equal(got.Files, []string{"colors.deepemd"}) {
		t.Errorf("files %q: want only the project", got.Files)
	}
}

// TestNodeSavesInOrder: of saves to one file that overlap, all succeed and the last one stays.
func TestNodeSavesInOrder(t *testing.T) {
	got := run[struct {
		Failed []string
		Same   bool
		Files  []string
	}](t, forNode(t, `
		const engine = await taught();
		const saves = [1 << 24, 1, 1 << 20].map((n) => saveProject(engine, { to: "colors.deepemd", extensions: { media: "x".repeat(n) } }));
		const results = await Promise.allSettled(saves), failed = results.flatMap(({ reason }) => (reason ? [String(reason)] : []));
		const last = Buffer.from((await results[2].value?.arrayBuffer()) ?? []);
		await done({ failed, same: last.equals(await readFile("colors.deepemd")), files: (await readdir(".")).filter((name) => name.includes("deepemd")) });
	`))
	if len(got.Failed) > 0 || !got.Same || !slices.Equal(got.Files, []string{"colors.deepemd"}) {
		t.Errorf("%+v, want only the file of the last save", got)
	}
}

// TestNodeHears: recordings from the disk.
func TestNodeHears(t *testing.T) {
	p := forNode(t, `
		const engine = await DeepEMD.create({ sound: true });
		const tone = (hz, rate = 48000) => ({ rate, samples: Float32Array.from({ length: rate }, (_, i) => 0.4 * Math.sin((2 * Math.PI * hz * i) / rate)) });
		const voice = await engine.addClass("voice"), low = await engine.addClass("low");
		await engine.addExample(voice, "voice.wav");
		await engine.addExample(voice, await readFile("voice.mp3"));
		await engine.addExample(low, tone(250));
		const labels = [];
		for (const sound of [tone(260, 44100), "voice.wav", pathToFileURL("voice.mp3")]) labels.push((await engine.classify(sound)).scores[0].label);
		await done({ labels, letter: await failure(engine.classify("letter.mp3")) });
	`)
	for name, from := range map[string]string{"voice.wav": "voice.wav", "voice.mp3": "mpeg1-44100-joint.mp3"} {
		data := require.Value(os.ReadFile(filepath.Join(wasmtest.Sounds(), from)))(t)
		p.write(t, name, data)
	}
	p.write(t, "letter.mp3", []byte("this is a letter"))
	got := run[struct {
		Labels []string
		Letter wasmtest.Failure
	}](t, p)
	if want := []string{"low", "voice", "voice"}; !slices.Equal(got.Labels, want) {
		t.Errorf("labels %q, want %q", got.Labels, want)
	}
	got.Letter.Check(t, "bad-sound")
}

// TestDenoAndBun: Deno and Bun run the engine like Node, if they are installed.
func TestDenoAndBun(t *testing.T) {
	const text = `
		const engine = await taught({ embedder: { kind: "grid", grid: [2, 3] }, workers: 2 });
		const server = createServer(async (request, response) => response.end(await readFile("a 50% #1.png"))).listen(0, "127.0.0.1");
		await new Promise((resolve) => server.on("listening", resolve));
		const file = await readFile("a 50% #1.png");
		const logits = [];
		for (const source of ["a 50% #1.png", pathToFileURL("a 50% #1.png"), "http://127.0.0.1:" + server.address().port + "/", file, new File([file], "a.png")]) {
			logits.push((await engine.classify(source)).scores[0].logit);
		}
		await saveProject(engine, { to: "colors.deepemd" });
		await openProject(engine, "colors.deepemd");
		logits.push((await engine.classify(file)).scores[0].logit);
		const restarted = next(engine, "restart");
		const crashed = await failure(engine[crash]("panic"));
		await restarted;
		logits.push((await engine.classify(file)).scores[0].logit);
		const { workers } = engine.info;
		const memory = await failure((async () => {
			const restarted = next(engine, "restart");
			await engine[crash]("memory").finally(() => restarted);
		})());
		const letter = await failure(engine.classify("letter.jpg"));
		const missing = await failure(engine.classify("nowhere.jpg"));
		const ear = await DeepEMD.create({ sound: true });
		server.close();
		await done({ logits, workers, crashed, memory, letter, missing, network: ear.info.name });
	`
	var node []float64
	for _, command := range [][]string{{"node"}, {"deno", "run", "--allow-all", "--quiet"}, {"bun"}} {
		t.Run(command[0], func(t *testing.T) {
			p := programFor(t, text, command...)
			p.write(t, "a 50% #1.png", wasmtest.PNG(t, wasmtest.Texture(3)))
			p.write(t, "letter.jpg", []byte("this is a letter, not a picture"))
			got := run[struct {
				Logits                           []float64
				Workers                          int
				Crashed, Memory, Letter, Missing wasmtest.Failure
				Network                          string
			}](t, p)
			if command[0] == "node" {
				node = got.Logits
			}
			for i, logit := range got.Logits {
				if math.Abs(logit-got.Logits[0]) > 1e-4 || len(node) > 0 && math.Abs(logit-node[i]) > 1e-3 {
					t.Errorf("logits %v, in node %v: want the same of the same picture", got.Logits, node)
				}
			}
			if got.Workers != 2 || got.Network != "resnet12-sound" {
				t.Errorf("%d workers, network %s of sounds", got.Workers, got.Network)
			}
			got.Crashed.Check(t, "crashed", "panic: crashed on request")
			got.Memory.Check(t, "out-of-memory", "memory")
			got.Letter.Check(t, "bad-image", "letter.jpg")
			got.Missing.Check(t, "network", "nowhere.jpg", "no such file")
		})
	}
}

// TestNodeFindsPackages: the package for npm finds its networks in other packages, without a server.
func TestNodeFindsPackages(t *testing.T) {
	p := forNode(t, `
		const { DeepEMD: Installed } = await import("deepemd/node");
		const names = [];
		for (const sound of [false, true]) names.push((await Installed.create({ sound })).info.name);
		await done(names.join(" "));
	`)
	testsite.Install(t, p.folder)
	if got, want := run[string](t, p), network.ResNet12Photo+" resnet12-sound"; got != want {
		t.Errorf("networks %q, want %q", got, want)
	}
}
