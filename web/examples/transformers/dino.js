/** DINOv2 for the matcher, run by transformers.js. This file does not depend on deepemd. */
import { env, pipeline } from "@huggingface/transformers";

// All files are next to the page. Without these lines the library fetches the model from
// huggingface.co and its runtime from cdn.jsdelivr.net.
env.allowRemoteModels = false;
env.allowLocalModels = true;
env.localModelPath = new URL("models/", import.meta.url).href;
env.backends.onnx.wasm.wasmPaths = new URL("node_modules/onnxruntime-web/dist/", import.meta.url).href;
env.backends.onnx.wasm.numThreads = 1; // more threads require a cross-origin isolated page

/** As in the model's preprocessor: the shorter side becomes 256 pixels, the central 224 × 224 are used. */
const RESIZED = 256, LOOKED_AT = 224;

/** The side of a patch, which gets one token. */
const PATCH = 14;

/**
 * Loads DINOv2 and returns it as a backbone: a function of an image.
 *
 * @param {string} [model] a folder of models/ with config.json, preprocessor_config.json and onnx/
 * @param {import("@huggingface/transformers").PretrainedModelOptions} [options] such as { device: "webgpu", dtype: "fp16" }
 */
export async function backbone(model = "Xenova/dinov2-small", options = { dtype: "q8" }) {
  const dino = await pipeline("image-feature-extraction", model, options);
  return async (source) => {
    const tokens = await dino(await canvas(source)); // [1, 1 + patches, channels], the class token first
    const [, count, channels] = tokens.dims;
    return { data: tokens.data.slice(channels), nodes: count - 1, channels, regions: regions() };
  };
}

/** Converts a source for the library, which takes canvases, Blobs and addresses: a video's current image. */
async function canvas(source) {
  if (source instanceof Blob || typeof source === "string" || source instanceof URL) return source;
  const picture = await createImageBitmap(source);
  const drawn = new OffscreenCanvas(picture.width, picture.height);
  drawn.getContext("2d").drawImage(picture, 0, 0);
  picture.close();
  return drawn;
}

/** The patches' regions in the central square, for explanations: x0, y0, x1, y1 of each. */
function regions() {
  const rows = LOOKED_AT / PATCH, edge = (RESIZED - LOOKED_AT) / 2;
  const at = (i) => (edge + i * PATCH) / RESIZED;
  const list = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < rows; x++) list.push(at(x), at(y), at(x + 1), at(y + 1));
  }
  return Float32Array.from(list);
}
