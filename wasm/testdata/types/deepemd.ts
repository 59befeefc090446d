// A program of a user with every call, option and answer of the package. TestTypes compiles it
// and reports missing ones.

import {
  DeepEMD, DeepEMDError, type Abortable, type AddExampleOptions, type Answer, type Backbone, type BackboneOptions, type Changes,
  type Choice, type Choices, type ClassifyAllOptions, type ClassifyOptions, type Computed, type ConfigureOptions, type Crash, type CreateOptions, type DeepEMDEvents,
  type Draft, type Embedder, type Embedding, type Example, type ExplainOptions, type Explanation, type Features, type Given, type Link,
  type MatcherOptions, type MethodOption, type Node, type Options, type Pixels, type Progress, type Shape, type Shares, type Sound, type Source,
  type Growth, type GrowthOptions, type TaughtClass, type TrainOptions, type Training,
} from "deepemd";
import { openProject, saveProject, type Network } from "deepemd/project";

const levels = [2, 1] as const;
const corners = [[0, 0, 1, 1], [0, 0, 1, 1]] as const;

export async function start(file: File, maybe: AbortSignal | undefined): Promise<DeepEMD> {
  const stages: Progress["stage"][] = [];
  const options: CreateOptions = {
    weights: new URL("weights.safetensors", location.href),
    base: "/deepemd/",
    engine: await WebAssembly.compileStreaming(fetch("/deepemd/deepemd.wasm")),
    worker: "/deepemd/worker.js",
    sound: false,
    method: { temperature: 9 },
    classifier: "nearest",
    weighting: "equal",
    solver: "simplex",
    temperature: 12.5,
    balance: true,
    unknown: true,
    strictness: 0.5,
    embedder: { kind: "grid", grid: [2, 3], ratio: 2 },
    pyramid: levels,
    skip: true,
    workers: navigator.hardwareConcurrency,
    timeout: 1000,
    onProgress: ({ stage, loaded, total }) => stages.push(loaded <= total ? stage : "ready"),
    signal: maybe,
  };
  const given: Given[] = ["weights.safetensors", file, new Blob([]), new ArrayBuffer(9), new Uint8Array(9), new DataView(new ArrayBuffer(9)), await fetch("weights.safetensors")];
  for (const weights of given) (await DeepEMD.create({ weights, engine: weights, worker: weights })).dispose();
  const embedders: Embedder[] = [{ kind: "fcn", pyramid: levels }, { kind: "grid", grid: levels }, { kind: "sampling", patches: 9, seed: 1 }];
  for (const embedder of embedders) (await DeepEMD.create({ embedder }))[Symbol.dispose]();
  await DeepEMD.create();
  return DeepEMD.create(options satisfies Options);
}

export function listen(engine: DeepEMD): void {
  engine.addEventListener("crash", ({ detail }: { detail: Crash }) => console.log(detail.code, detail.message, detail.restarting));
  const restarted = ({ detail }: DeepEMDEvents["restart"]) => console.log(detail.message);
  engine.addEventListener("restart", restarted, { once: true });
  engine.removeEventListener("restart", restarted);
  engine.addEventListener("embed", (event) => console.log(event.detail.message));
}

export async function sources(engine: DeepEMD, video: HTMLVideoElement, image: HTMLImageElement, canvas: HTMLCanvasElement): Promise<Answer[]> {
  const pixels: Pixels = { width: 1, height: 1, data: new Uint8ClampedArray(4) };
  const sound: Sound = { samples: new Float32Array(16000), rate: 16000 };
  const list: Source[] = [
    video, image, canvas, pixels, sound, new OffscreenCanvas(9, 9), await createImageBitmap(video), new VideoFrame(video), new ImageData(9, 9), new Blob([]),
    new Uint8Array(9), new ArrayBuffer(9), new AudioBuffer({ length: 1, sampleRate: 16000 }), "cat.jpg", new URL("cat.jpg", location.href), { embedding: new Float32Array(9) },
  ];
  const how: ClassifyAllOptions = { unknown: true, onProgress: (done, total) => console.log(done / total) };
  const results = await engine.classifyAll(list, how);
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

export async function teach(engine: DeepEMD, files: FileList, signal: AbortSignal): Promise<TaughtClass[]> {
  const id: string = await engine.addClass("cup", { id: "cup" });
  await engine.renameClass(id, "mug");
  await engine.enableClass(id, false);
  const options: AddExampleOptions = { id: "first", answer: true, signal };
  for (const file of files) {
    const example: Example & { answer?: Answer } = await engine.addExample(id, file, options);
    const { id: exampleId, classId, size, pixels, embedding, original, second, answer } = example;
    const back: AddExampleOptions = original ? { embedding, original } : { embedding };
    await engine.addExample(classId, { width: size, height: size, data: pixels }, back);
    await engine.addExample(classId, second ? { samples: second, rate: 16000 } : "cat.jpg", { id: answer ? exampleId : undefined, original, embedding: undefined });
    await engine.removeExample(exampleId);
  }
  await engine.removeClass(id);
  return engine.classes.filter(({ label, enabled, nothing, examples }) => enabled && !nothing && label !== "" && examples.length > 0);
}

export async function ask(engine: DeepEMD, source: Source, signal: AbortSignal | undefined): Promise<Explanation | undefined> {
  const options: ClassifyOptions = { pixels: true, explain: "cup", unknown: true, live: false, signal };
  const { scores, ms, embedMs, matchMs, unknown, pixels, second, explanation } = await engine.classify(source, options);
  for (const { id, label, score, logit, bound } of scores) console.log(id, label, score, logit, bound ?? false);
  console.log(ms - embedMs - matchMs, unknown?.unknown, unknown?.nothing, unknown?.score, pixels?.data.length, pixels?.width, pixels?.height, second?.length);
  // With noUncheckedIndexedAccess, an index may be undefined.
  const best: string | undefined = scores[0]?.label;
  const about: ExplainOptions = { source, classId: best, signal };
  const { classId, label, example, score, total, temperature, query, support, flow, similarity, head } = await engine.explain(about);
  for (const { from, to, amount, similarity: alike, score: adds } of flow satisfies Link[]) console.log(query[from]?.weight, support[to]?.x0, amount, alike, adds);
  for (const { x0, y0, x1, y1, weight } of query satisfies Node[]) console.log(x1 - x0, y1 - y0, weight);
  for (const { classId: of, label: named, match, head: added } of head ?? []) console.log(of, named, match + added satisfies Shares["match"]);
  console.log(classId, label, example.pixels, score, total, temperature, similarity[0]);
  await engine.explain();
  const once: Abortable = { signal };
  const { nodes, channels, data, regions, summary }: Embedding = await engine.embed(source, once);
  console.log(data.length === nodes * channels, regions.length === 4 * nodes, summary?.length);
  await engine.classify({ embedding: data });
  return explanation;
}

export async function improve(engine: DeepEMD, signal: AbortSignal): Promise<Training> {
  const { examples, known, balanced } = await engine.review({ signal });
  console.log(examples[0]?.taken, examples[0]?.problem === "dark", (known[0] ?? 0) < balanced, examples[0]?.mislabeled);
  const how: GrowthOptions = { signal, onProgress: ({ done, total, points }) => console.log(done / total, points[0]?.right) };
  const { points, classes }: Growth = await engine.growth(how);
  console.log(points[0]?.examples === 1, points.at(-1)?.spread, classes[0]?.id, (classes[0]?.right[0] ?? 0) <= (classes[0]?.asked[0] ?? 0));
  const options: TrainOptions = { passes: 10, check: true, signal, onProgress: ({ done, total }) => console.log(done / total) };
  const training = await engine.train(options);
  const { passes, ms, heldOut } = training;
  console.log(passes, ms, heldOut && heldOut.after - heldOut.before, heldOut?.of, engine.learned);
  return training;
}

export async function change(engine: DeepEMD, file: File, signal: AbortSignal | undefined): Promise<string> {
  const changes: Changes = { method: { ...engine.method, strangers: { name: true } }, unknown: false, balance: false, embedder: undefined };
  const how: ConfigureOptions = { onProgress: (done, total) => console.log(done / total), signal };
  await engine.configure(changes, how);
  const [choice] = engine.choices.classifiers;
  if (choice) await engine.configure({ classifier: choice.name satisfies Choice["name"], embedder: engine.method.embedder });
  const { embedders, weightings, solvers }: Choices = engine.choices;
  for (const { name: kind } of embedders) await engine.configure({ embedder: { kind } });
  const method: MethodOption = { classifier: choice?.name, weighting: weightings[0]?.name, solver: solvers[0]?.name, embedder: undefined, strangers: undefined };
  const draw = async (draft: Draft) => {
    const id = await draft.addClass("cup", { id: "1", enabled: false });
    await draft.addClass("empty", { nothing: true });
    const { embedding } = await draft.addExample(id, file, { id: "1", embedding: undefined });
    console.log(embedding.length === (await draft.network()).nodes);
  };
  await engine.replace(method, draw, { signal });
  const { nodes, channels, name } = await engine.network();
  return name + nodes * channels + engine.info.inputSize + engine.weights.byteLength + engine.method.embedder.kind;
}

export async function features(signal: AbortSignal, embedding: Float32Array, file: File): Promise<Answer> {
  const shape: Shape = { name: "words", nodes: 2, channels: 3, regions: corners };
  const options: MatcherOptions = { ...shape, classifier: "nearest", unknown: undefined, signal };
  const matcher: DeepEMD<Computed> = await DeepEMD.matcher(options);
  const id = await matcher.addClass("rain");
  const { size, pixels } = await matcher.addExample(id, { embedding }, { thumbnail: file });
  await matcher.addExample(id, embedding);
  await matcher.classifyAll([embedding, { embedding }], { signal });
  await matcher.explain({ source: embedding });
  const { sha256 = "", name }: Network = await matcher.network();
  console.log(size, pixels.length, sha256, name, matcher.info.features);
  await openProject(matcher, await saveProject(matcher));

  const backbone: Backbone<{ text: string }> = async ({ text }, how) => {
    how.signal?.throwIfAborted();
    const made: Features = { data: [text.length, 2, 3, 4], nodes: 2, channels: 2 };
    return made;
  };
  const how: BackboneOptions<{ text: string }> = { backbone, name: "texts", nodes: undefined, channels: 2, strictness: 0.5, signal };
  const texts = await DeepEMD.create(how);
  await texts.addExample(id, { text: "it rains" });
  await texts.replace({}, async (draft) => {
    await draft.reshape({ nodes: 2, channels: 2 });
    await draft.addExample(await draft.addClass("rain"), embedding, { thumbnail: file });
  });
  const pictures = await DeepEMD.create({ backbone: (source: ImageBitmap | string) => ({ data: new Float64Array(4), nodes: 2, channels: typeof source === "string" ? 2 : 1 }) });
  await pictures.classify("https://example.org/a.png");
  return texts.classify({ text: "it pours" }, { pixels: true });
}

export function remedy(error: unknown): string {
  if (!(error instanceof DeepEMDError)) throw new DeepEMDError("internal", String(error));
  const { code, message } = error;
  return code === "empty" ? "teach me first" : message;
}
