//go:build !js

package wasm_test

// pageWithElement is a page's program that uses all of <deep-emd>, and what its types refuse.
const pageWithElement = `
import { DeepEMDElement, type DeepEMDElementSettings, type ElementChange, type ElementProgress } from "./element.js";

const element = document.querySelector("deep-emd") ?? document.createElement("deep-emd");
const made: DeepEMDElement = new DeepEMDElement();
element.classes = ["salt, sea", "pepper"] as const;
element.classes = "cup, pen";
const names: string[] = element.classes;
element.camera = "environment";
element.camera = true;
element.autostart = true;
element.sound = false;
element.threshold = -50;
element.project = new Blob([]);
element.project = made.save({ name: names[0] ?? "" });
element.project = "things.deepemd";
element.project = null;
element.weights = new ArrayBuffer(8);
element.base = new URL("https://example.com/deepemd/");
element.options = { timeout: 1000 };
element.method = { classifier: "nearest", strangers: { name: false } };
element.embedder = { kind: "grid", grid: [2] };
element.embedder = "sampling";
element.pyramid = [2, 1];
element.classifier = "nearest";
element.weighting = "equal";
element.solver = "dense";
element.temperature = 20;
element.balance = false;
element.unknown = undefined;
element.strictness = "0.5";
element.skip = true;
element.workers = navigator.hardwareConcurrency;
const settings: Partial<DeepEMDElementSettings> = { camera: "user", classes: null };
Object.assign(element, settings);

export async function use(picture: File) {
  await element.start();
  const { id } = await element.teach("cup", picture);
  await element.forget(id);
  const { scores } = await element.classify();
  const { flow } = await element.explain({ source: picture, label: "cup" });
  element.stop();
  const file: Blob = await element.save();
  return [scores[0]?.label, flow[0]?.amount, file.size, element.answer?.unknown?.unknown, (await element.engine).info.name];
}

function onchange(this: DeepEMDElement, { detail }: CustomEvent<ElementChange>) {
  switch (detail.action) {
    case "teach":
      return console.log(this.classes, detail.label, detail.example.id);
    case "forget":
      return console.log(detail.exampleId);
    case "rename-class":
      return console.log(detail.before, detail.label);
    case "configure":
      return console.log(detail.method.classifier);
    case "open":
      return console.log(detail.name);
    default:
      return console.log(detail.action satisfies "add-class" | "remove-class", detail.label);
  }
}
element.addEventListener("change", onchange);
element.removeEventListener("change", onchange);
element.addEventListener("ready", () => {});
element.addEventListener("progress", ({ detail }: { detail: ElementProgress }) => console.log(detail.loaded / detail.total));
element.addEventListener("prediction", ({ detail }) => console.log(detail.scores[0]?.score), { once: true });
element.addEventListener("error", ({ detail }) => console.log(detail.code));
element.addEventListener("save", ({ detail }) => (made.project = detail.save()));
element.addEventListener("pointerdown", ({ clientX }) => console.log(clientX));

// @ts-expect-error: no such camera
element.camera = "back";
// @ts-expect-error: a list of texts
element.classes = [1];
// @ts-expect-error: no such classifier
element.classifier = "oracle";
// @ts-expect-error: one answers, it is not told
element.answer = undefined;
// @ts-expect-error: the detail of a prediction is an answer
element.addEventListener("prediction", ({ detail }) => detail.label);
// @ts-expect-error: a class has a name
void element.teach(7);
`
