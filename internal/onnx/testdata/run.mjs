// Runs an ONNX model in onnxruntime-web under Node:
//
//   node run.mjs PACKAGE MODEL < requests > replies
//
// A request is a line of JSON {"dims": [N, 3, H, W], "data": "base64 of float32"},
// its reply the same of the output. The first reply holds the model's names.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { readFile } from "node:fs/promises";
import path from "node:path";

const [folder, model] = process.argv.slice(2);
const ort = await import(pathToFileURL(path.join(folder, "dist/ort.node.min.mjs")));
ort.env.wasm.numThreads = 1;
const session = await ort.InferenceSession.create(await readFile(model), { executionProviders: ["wasm"] });
console.log(JSON.stringify({ inputs: session.inputNames, outputs: session.outputNames, version: ort.env.versions.web }));
for await (const line of createInterface({ input: process.stdin })) {
  const { dims, data } = JSON.parse(line);
  const bytes = Uint8Array.from(Buffer.from(data, "base64"));
  const x = new ort.Tensor("float32", new Float32Array(bytes.buffer), dims);
  const y = (await session.run({ [session.inputNames[0]]: x }))[session.outputNames[0]];
  console.log(JSON.stringify({ dims: y.dims, data: Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength).toString("base64") }));
}
