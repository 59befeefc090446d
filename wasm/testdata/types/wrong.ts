// Code that must not compile: TypeScript reports lines that do.

import { DeepEMD, DeepEMDError, type Example } from "deepemd";
import { DeepEMDElement } from "deepemd/element";
import { openProject, saveProject, unpackProject } from "deepemd/project";
import { emd, loadSolver } from "deepemd/solver";

declare const engine: DeepEMD;
declare const file: File;
declare const example: Example;
declare const element: DeepEMDElement;
declare const stop: AbortController;

// @ts-expect-error: made by create
new DeepEMD();
// @ts-expect-error: no options
DeepEMD.create(null);
// @ts-expect-error: misspelled
DeepEMD.create({ wieghts: "weights.safetensors" });
// @ts-expect-error: no such classifier
DeepEMD.create({ classifier: "oracle" });
// @ts-expect-error: no such solver
DeepEMD.create({ solver: "guess" });
// @ts-expect-error: a number
DeepEMD.create({ workers: "4" });
// @ts-expect-error: fcn has no crops
DeepEMD.create({ embedder: { kind: "fcn", patches: 9 } });
// @ts-expect-error: a kind is missing
DeepEMD.create({ embedder: { grid: [2] } });
// @ts-expect-error: no file
DeepEMD.create({ weights: 7 });
// @ts-expect-error: no file
DeepEMD.create({ weights: null });
// @ts-expect-error: the signal of it
DeepEMD.create({ signal: stop });
// @ts-expect-error: a call
DeepEMD.create({ onProgress: "log" });
// @ts-expect-error: misspelled
DeepEMD.create({ method: { temprature: 3 } });
// @ts-expect-error: no promise of an engine
DeepEMD.create().classify(file);
// @ts-expect-error: a text
engine.addClass();
// @ts-expect-error: options, not an id
engine.addClass("cup", "cup");
// @ts-expect-error: true or false
engine.enableClass("cup", "no");
// @ts-expect-error: the class comes first
engine.addExample(file, "cup");
// @ts-expect-error: which class?
engine.addExample(file);
// @ts-expect-error: no picture
engine.addExample("cup", 7);
// @ts-expect-error: bytes
engine.addExample("cup", { width: 1, height: 1, data: new Float32Array(3) });
// @ts-expect-error: bytes
engine.addExample("cup", { width: 1, height: 1, data: [1, 2, 3] });
// @ts-expect-error: how large?
engine.addExample("cup", { data: new Uint8Array(3) });
// @ts-expect-error: 32-bit floats
engine.addExample("cup", { embedding: new Float64Array(9) });
// @ts-expect-error: 32-bit floats
engine.addExample("cup", file, { embedding: [1, 2] });
// @ts-expect-error: misspelled
engine.addExample("cup", file, { answers: true });
// @ts-expect-error: how fast?
engine.addExample("cup", { samples: new Float32Array(9) });
// @ts-expect-error: its id
engine.removeExample(example);
// @ts-expect-error: no picture
engine.classify(null);
// @ts-expect-error: a list is for classifyAll
engine.classify([file]);
// @ts-expect-error: an element that shows no picture
engine.classify(document.body);
// @ts-expect-error: misspelled
engine.classify(file, { pixel: true });
// @ts-expect-error: options
engine.classify(file, stop.signal);
// @ts-expect-error: a list
engine.classifyAll(file);
// @ts-expect-error: as source
engine.explain(file);
// @ts-expect-error: misspelled
engine.explain({ classID: "cup" });
// @ts-expect-error: misspelled
engine.train({ pass: 10 });
// @ts-expect-error: the draws are its own
engine.growth({ draws: 3 });
// @ts-expect-error: only a signal
engine.review({ examples: 3 });
// @ts-expect-error: for life
engine.configure({ base: "/" });
// @ts-expect-error: for life
engine.configure({ sound: true });
// @ts-expect-error: in the second object
engine.configure({ signal: stop.signal });
// @ts-expect-error: what is to be taught?
engine.replace({});
// @ts-expect-error: only read
engine.learned = true;
// @ts-expect-error: only read
engine.info = engine.info;
// @ts-expect-error: there may be none
engine.classes[0].label;
// @ts-expect-error: there may be none
example.original.size;
// @ts-expect-error: no such event
engine.addEventListener("crash", ({ detail }) => detail.restart);
// @ts-expect-error: no such code
new DeepEMDError("tired", "");
// @ts-expect-error: left out, or an explanation
const answer: import("deepemd").Answer = { scores: [], ms: 0, embedMs: 0, matchMs: 0, explanation: undefined };
// @ts-expect-error: how many channels?
DeepEMD.matcher({ nodes: 4 });
// @ts-expect-error: there is no network
DeepEMD.matcher({ nodes: 4, channels: 9, weights: "weights.safetensors" });
// @ts-expect-error: it has no network to look with
DeepEMD.matcher({ nodes: 4, channels: 9 }).then((matcher) => matcher.classify(file));
// @ts-expect-error: features have a shape
DeepEMD.create({ backbone: async () => new Float32Array(9) });
// @ts-expect-error: the backbone takes files
DeepEMD.create({ backbone: (source: File) => ({ data: [source.size, 0], nodes: 1, channels: 2 }) }).then((engine) => engine.classify("cat.jpg"));
// @ts-expect-error: which file?
openProject(engine);
// @ts-expect-error: no file
openProject(engine, null);
// @ts-expect-error: an engine, not the promise of one
openProject(DeepEMD.create(), file);
// @ts-expect-error: options
saveProject(engine, "Cups");
// @ts-expect-error: no file
unpackProject({});
// @ts-expect-error: no such camera
element.camera = "front";
// @ts-expect-error: no such event
element.addEventListener("answer", ({ detail }) => detail);
// @ts-expect-error: which class?
element.teach();
// @ts-expect-error: a list of texts
element.classes = [1];
// @ts-expect-error: it answers, nobody tells it what
element.answer = undefined;
// @ts-expect-error: the detail of a prediction is an answer
element.addEventListener("prediction", ({ detail }) => detail.label);

// @ts-expect-error: typed arrays
emd([1, 2], [1], [1]);
// @ts-expect-error: no bytes
emd(new Uint8Array(2), new Uint8Array(1), new Uint8Array(2));
// @ts-expect-error: no demands
emd(new Float64Array(2), new Float64Array(1));
// @ts-expect-error: misspelled
loadSolver({ program: "solver.wasm" });
// @ts-expect-error: how many?
loadSolver().then((solver) => solver.emdMany(new Float64Array(2), new Float64Array(1), new Float64Array(2)));

// @ts-expect-error: no shape
DeepEMD.matcher({ name: "words" });
// @ts-expect-error: a network of ours
DeepEMD.matcher({ nodes: 2, channels: 3, weights: "weights.safetensors" });
// @ts-expect-error: nothing is in front of it
DeepEMD.matcher({ nodes: 2, channels: 3 }).then((matcher) => matcher.classify(file));
// @ts-expect-error: no features
DeepEMD.create({ backbone: () => 7 });
// @ts-expect-error: the backbone takes texts
DeepEMD.create({ backbone: (text: string) => ({ data: [text.length, 1], nodes: 1, channels: 2 }) }).then((e) => e.classify(file));
