//go:build !js

package wasm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/typescript"
)

// consumer is a program of a user of the package, with every call in it.
const consumer = `
import { DeepEMD, DeepEMDError, type Answer, type Example, type Progress, type Source } from "./deepemd.js";
import { DeepEMDElement } from "./element.js";
import { openProject, saveProject, unpackProject } from "./project.js";

export async function all(file: File, video: HTMLVideoElement, source: Source): Promise<Answer> {
  const stages: Progress["stage"][] = [];
  const engine = await DeepEMD.create({
    weights: new URL("weights.safetensors", location.href),
    base: "/deepemd/",
    classifier: "nearest",
    weighting: "equal",
    embedder: { kind: "grid", grid: [2, 3], ratio: 2 },
    workers: navigator.hardwareConcurrency,
    skip: true,
    timeout: 1000,
    onProgress: ({ stage, loaded, total }) => stages.push(loaded <= total ? stage : "ready"),
  });
  engine.addEventListener("crash", (event) => console.log(event.detail.code, event.detail.restarting));
  engine.addEventListener("restart", (event) => console.log(event.detail.message));
  const id: string = await engine.addClass("cup", { id: "cup" });
  const example: Example = await engine.addExample(id, file);
  await engine.addExample(id, { width: 1, height: 1, data: new Uint8Array(3) });
  const { answer } = await engine.addExample(id, file, { answer: true });
  await engine.renameClass(answer?.scores[0].label ?? id, "mug");
  await engine.removeExample(example.id);
  await engine.removeClass(id);
  const { flow, query, example: like, similarity } = await engine.explain({ source: file, classId: id });
  for (const { from, amount } of flow) console.log(query[from].weight >= amount, like.pixels.length, similarity[0]);
  const why: string | undefined = (await engine.classify(file, { explain: id })).explanation?.label;
  const stop = new AbortController();
  const { heldOut, ms } = await engine.train({ passes: 10, check: true, signal: stop.signal, onProgress: ({ done, total }) => console.log(done / total) });
  console.log(ms, engine.learned, (heldOut?.after ?? 0) - (heldOut?.before ?? 0));
  await engine.enableClass(id, false);
  await engine.configure({ solver: "dense", temperature: 20, strictness: 0.7 }, { onProgress: (done, total) => console.log(done / total), signal: AbortSignal.timeout(9) });
  await engine.configure({ method: { ...engine.method, strangers: { name: true } }, unknown: false, balance: false });
  const choice: string = engine.choices.classifiers[0].name + engine.method.embedder.kind + engine.info.sound;
  await engine.replace({ classifier: choice }, async (draft) => {
    const id = await draft.addClass("cup", { enabled: false });
    const { embedding } = await draft.addExample(id, file, { id: "1" });
    console.log(embedding.length === (await draft.network()).nodes);
  });
  const { examples, known, balanced, worst = "" } = await engine.review();
  console.log(examples[0]?.taken, examples[0]?.problem === "dark", known[0] < balanced, worst, (await engine.classify(file, { unknown: true })).unknown?.unknown);
  const labels: string[] = engine.classes.map((c) => c.label);
  const side: number = engine.info.inputSize + labels.length + (why?.length ?? 0);
  try {
    return await engine.classify(side > 1 ? video : source, { pixels: true });
  } catch (error) {
    if (error instanceof DeepEMDError && error.code === "empty") console.log(error.message);
    // @ts-expect-error: no such code
    if (error instanceof DeepEMDError && error.code === "tired") console.log(error.message);
    throw error;
  } finally {
    engine.dispose();
  }
}

export async function projects(engine: DeepEMD, file: File): Promise<Blob> {
  const { method, requires, kind } = await openProject(engine, file, { signal: AbortSignal.timeout(9), onProgress: (done, all) => console.log(done / all) });
  await openProject(engine, await unpackProject(file));
  return saveProject(engine, { name: kind, created: method.classifier, extensions: { requires } });
}

document.querySelector("deep-emd")?.addEventListener("prediction", ({ detail }) => console.log(detail.scores[0].label));
export const shown = async (element: DeepEMDElement, file: File) =>
  [(await element.teach("cup", file)).size, (await element.classify(file)).ms, (await element.explain({ label: "cup" })).score];

// @ts-expect-error: made by create
new DeepEMD();
DeepEMD.create({ pyramid: [2, 1] });
DeepEMD.create({ sound: true }).then(async (ear) => {
  const { second } = await ear.addExample("yes", { samples: new Float32Array(16000), rate: 16000 });
  await ear.classify(new AudioBuffer({ length: second?.length ?? 1, sampleRate: 16000 }));
});
DeepEMD.create({ embedder: { kind: "sampling", patches: 9, seed: 1 } });
// @ts-expect-error: fcn has no crops
DeepEMD.create({ embedder: { kind: "fcn", patches: 9 } });
// @ts-expect-error: no such classifier
DeepEMD.create({ classifier: "oracle" });
`

// programForNode is a program of a user of deepemd/node.
const programForNode = `
import { readFile, writeFile } from "node:fs/promises";
import { DeepEMD, DeepEMDError, openProject, saveProject, type Answer, type Source } from "./node.js";

export async function all(): Promise<Answer> {
  const engine = await DeepEMD.create({ workers: 2, weights: new URL("file:///weights"), onProgress: ({ stage }) => console.log(stage) });
  engine.addEventListener("crash", (event) => console.log(event.detail.restarting), { once: true });
  engine.addEventListener("other", () => {});
  const id = await engine.addClass("cup");
  const sources: Source[] = [await readFile("cup.jpg"), new Blob([]), { width: 1, height: 1, data: new Uint8Array(3) }, { samples: new Float32Array(9), rate: 16000 }];
  for (const source of sources) await engine.addExample(id, source);
  const file: Blob = await saveProject(engine, { to: "cups.deepemd", name: "Cups" });
  await openProject(engine, "cups.deepemd", { signal: AbortSignal.timeout(9) });
  const { kind } = await openProject(engine, await readFile("cups.deepemd"));
  await writeFile(kind, file.stream());
  // @ts-expect-error: no picture
  await engine.classify(7);
  // @ts-expect-error: no picture
  await engine.classify({ width: 1 });
  try {
    return await engine.classify(new Uint8Array(9));
  } catch (error) {
    if (error instanceof DeepEMDError && error.code === "bad-image") console.log(error.message);
    throw error;
  } finally {
    engine.dispose();
  }
}
`

// TestTypes compiles users' programs against deepemd.d.ts and node.d.ts, and checks the code
// of the package against its own types, all under --strict.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no TypeScript compiler is fetched")
	}
	tsc := typescript.Compiler(t)
	dir := t.TempDir()
	sources, err := filepath.Glob("npm/*.*s")
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range sources {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(from)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"consumer.ts": consumer, "program-for-node.ts": programForNode, "page-with-element.ts": pageWithElement, "package.json": `{ "type": "module" }`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		args string
	}{
		{"consumer", "--lib es2022,dom,dom.iterable consumer.ts"},
		{"page with the element", "--lib es2022,dom,dom.iterable --exactOptionalPropertyTypes --noUncheckedIndexedAccess page-with-element.ts"},
		{"page", "--lib es2022,dom,dom.iterable --allowJs --checkJs " + strings.Join(scriptsOfPages(t), " ")},
		// A program is compiled without the DOM's library; our scripts, which share some with pages, with it.
		{"program for node", "--lib es2022 --exactOptionalPropertyTypes --noUncheckedIndexedAccess program-for-node.ts --types node --typeRoots " + typescript.NodeTypes(t)},
		{"node", "--lib es2022,dom,dom.iterable --allowJs --checkJs " + strings.Join(scriptsOfNode(t), " ") + " --types node --typeRoots " + typescript.NodeTypes(t)},
		// The types name elements of pages, which workers do not know.
		{"worker", "--lib es2022,webworker --skipLibCheck --allowJs --checkJs platform.js " + strings.Join(scriptsOfWorkers, " ")},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append(strings.Fields("--noEmit --strict --target es2022 --module nodenext"), strings.Fields(c.args)...)
			cmd := exec.Command(tsc, args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// scriptsOfWorkers run in workers only; platform.js does in both.
var scriptsOfWorkers = []string{"worker.js", "download.js", "frames.js", "program.js", "reply.js", "pool.js", "unfuse.js"}

// scriptsOfPages lists the package's other scripts that are ours.
func scriptsOfPages(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("npm/*.js")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		if name := filepath.Base(path); name != "wasm_exec.js" && name != "esbuild.js" && !strings.HasPrefix(name, "node") && !slices.Contains(scriptsOfWorkers, name) {
			names = append(names, name)
		}
	}
	return names
}

// scriptsOfNode lists the scripts that only Node runs.
func scriptsOfNode(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("npm/node*.js")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts for Node: %v", err)
	}
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	return append(names, "esbuild.js")
}
