// Like deepemd.ts, for deepemd/element.

import { DeepEMDElement, type DeepEMDElementEventMap, type DeepEMDElementEvents, type DeepEMDElementSettings, type ElementChange, type ElementProgress, type ProjectSource } from "deepemd/element";

export function set(element: DeepEMDElement, project: ProjectSource): DeepEMDElementSettings {
  element.classes = ["cup", "pen, blue"];
  element.camera = "environment";
  element.autostart = true;
  element.sound = false;
  element.threshold = -40;
  element.project = Promise.resolve(project);
  element.weights = "weights.safetensors";
  element.base = "/deepemd/";
  element.options = { timeout: 1000 };
  element.method = { solver: "dense" };
  element.embedder = { kind: "grid", grid: [2] };
  element.pyramid = [2, 1] as const;
  element.classifier = "nearest";
  element.weighting = "equal";
  element.solver = "simplex";
  element.temperature = 20;
  element.balance = true;
  element.unknown = null;
  element.strictness = undefined;
  element.skip = false;
  element.workers = "2";
  return element;
}

export async function use(file: File): Promise<Blob> {
  const element = document.querySelector("deep-emd") ?? new DeepEMDElement();
  const seen = ({ detail }: DeepEMDElementEventMap["prediction"]) => console.log(detail.scores[0]?.label);
  element.addEventListener("prediction", seen);
  element.removeEventListener("prediction", seen);
  element.addEventListener("ready", () => console.log(element.answer?.ms));
  element.addEventListener("progress", ({ detail: { stage, loaded, total } }: { detail: ElementProgress }) => console.log(stage, loaded / total));
  element.addEventListener("change", ({ detail }) => console.log(told(detail)));
  element.addEventListener("error", ({ detail }: DeepEMDElementEvents["error"]) => console.log(detail.code));
  element.addEventListener("save", ({ detail }) => void detail.save({ name: "Cups" }));
  element.addEventListener("click", ({ clientX }) => console.log(clientX));
  await element.start();
  const { size, id } = await element.teach("cup", file);
  console.log(size, (await element.classify(file)).ms, (await element.explain({ source: file, label: "cup" })).score, (await element.engine).info.name);
  await element.forget(id);
  element.stop();
  return element.save({ name: "Cups" });
}

function told(change: ElementChange): string {
  return change.action === "configure" ? change.method.solver : change.action === "open" ? change.name : change.label;
}
