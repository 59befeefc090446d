/**
 * A model for the matcher: runs an ONNX model, which computes a feature map, in onnxruntime-web. This file does
 * not depend on deepemd.
 */
import * as ort from "onnxruntime-web";

// More threads require a cross-origin isolated page.
ort.env.wasm.numThreads = 1;

/**
 * Loads a model and returns it as a backbone: a function of an image.
 *
 * @param {string} address
 * @param {{ size: number, mean: number[], std: number[] }} input the model's input: side in pixels, and the normalization of red, green and blue
 */
export async function backbone(address, { size, mean, std }) {
  const session = await ort.InferenceSession.create(address, { executionProviders: ["wasm"] });
  const [name] = session.inputNames, [result] = session.outputNames;
  const canvas = new OffscreenCanvas(size, size).getContext("2d", { alpha: false, willReadFrequently: true });

  return async (source) => {
    const input = new ort.Tensor("float32", await pixels(source), [1, 3, size, size]);
    const { [result]: map } = await session.run({ [name]: input });
    const [, channels, high, wide] = map.dims;
    return { data: byNode(map.data, channels), nodes: high * wide, channels };
  };

  /** The central square of an image, normalized: [3, size, size]. */
  async function pixels(source) {
    const picture = await createImageBitmap(source);
    const side = Math.min(picture.width, picture.height);
    canvas.imageSmoothingQuality = "high";
    canvas.drawImage(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side, 0, 0, size, size);
    picture.close();
    const { data } = canvas.getImageData(0, 0, size, size);
    return Float32Array.from({ length: 3 * size * size }, (_, i) => {
      const color = Math.floor(i / (size * size));
      return (data[4 * (i % (size * size)) + color] / 255 - mean[color]) / std[color];
    });
  }
}

/** Transposes [channels, nodes], the order of models, to [nodes, channels]. */
function byNode(map, channels) {
  const nodes = map.length / channels;
  return Float32Array.from(map, (_, i) => map[(i % channels) * nodes + Math.floor(i / channels)]);
}
