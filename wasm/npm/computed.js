// @ts-check
/**
 * Sources of an engine without our model: features, or inputs of the caller's backbone, and
 * thumbnails to show for them.
 *
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 * @typedef {import("./source.js").Eye} Eye
 * @typedef {import("./source.js").How} How
 * @typedef {import("./source.js").Perceived} Perceived
 * @typedef {(source: any) => ReturnType<typeof pack>} Look packs an image from any source
 */

/**
 * The part of a request about a source, with its image if there is one.
 *
 * @template {object} T
 * @typedef {{ parts: T & { picture?: Picture }, release?: () => void }} Shown
 */

import { bad, kindOf } from "./check.js";
import { checkEmbedding, holdsEmbedding } from "./embedding.js";
import { keep, pack } from "./picture.js";

/** Types that show an image, besides Blobs and pixels. */
const PICTURES = ["HTMLVideoElement", "HTMLImageElement", "HTMLCanvasElement", "OffscreenCanvas", "ImageBitmap", "VideoFrame", "ImageData", "Object"];

/** The height of a decoded file in pixels: twice the thumbnail's. */
const HIGH = 192;

/**
 * Prepares a source for the worker, like perceive.
 *
 * @param {Eye} engine
 * @param {unknown} source
 * @param {How} how
 * @param {Look} look
 * @returns {Promise<Perceived>}
 */
export async function computed(engine, source, { signal, embedding, thumbnail, show = true }, look) {
  const features = holdsEmbedding(source) ? source.embedding : source;
  if (embedding === undefined && features instanceof Float32Array) {
    const parts = { embedding: checkEmbedding(features, engine.info).slice() };
    return { transfer: [], release: keep, ...(await seen(thumbnail, parts, look)) };
  }
  if (holdsEmbedding(source)) throw embedding === undefined ? notFeatures(engine) : bad("the embedding is given twice: as the source, and as an option");
  if (embedding !== undefined) {
    const parts = { embedding: checkEmbedding(embedding, engine.info).slice() };
    return { transfer: [], release: keep, ...(engine.backbone && thumbnail === undefined ? await glimpse(source, parts) : await seen(thumbnail ?? source, parts, look)) };
  }
  if (!engine.backbone) throw notFeatures(engine);
  // Take a video's image before the backbone runs.
  /** @type {Shown<{}>} */
  const picture = !show ? { parts: {} } : thumbnail === undefined ? await glimpse(source, {}) : await seen(thumbnail, {}, look);
  try {
    const made = await engine.backbone.features(source, signal);
    signal?.throwIfAborted();
    await engine.reshape(made);
    return { transfer: [], release: keep, ...picture, parts: { ...picture.parts, embedding: made.data.slice() }, ms: made.ms };
  } catch (error) {
    picture.release?.();
    throw error;
  }
}

/**
 * Adds an image that the caller declares as one, if there is one.
 *
 * @template {object} T
 * @param {any} source
 * @param {T} parts the rest of the request
 * @param {Look} look
 * @returns {Promise<Shown<T>>}
 */
async function seen(source, parts, look) {
  if (source === undefined) return { parts };
  const { picture, release } = await look(source);
  return { parts: { ...parts, picture }, release };
}

/**
 * Adds the image of a source, if the source shows one.
 *
 * @template {object} T
 * @param {any} source
 * @param {T} parts
 * @returns {Promise<Shown<T>>}
 */
async function glimpse(source, parts) {
  try {
    const kind = kindOf(source);
    if (kind === "Blob" || kind === "File") {
      const bitmap = await createImageBitmap(source, { resizeHeight: HIGH, resizeQuality: "medium" });
      const { picture } = await pack(bitmap);
      return { parts: { ...parts, picture }, release: () => bitmap.close() };
    }
    if (!PICTURES.includes(kind)) return { parts };
    const { picture, release } = await pack(source);
    if ("frame" in picture || "data" in picture) return { parts: { ...parts, picture }, release };
    release();
  } catch {
    // Not an image; the backbone may know the type.
  }
  return { parts };
}

/** @param {Eye} engine */
function notFeatures({ info: { nodes, channels } }) {
  const shape = nodes > 0 ? `, a Float32Array of ${nodes}×${channels} values` : "";
  return bad(`this engine has no network: pass { embedding } with the features that you computed${shape}, or make an engine with DeepEMD.create({ backbone })`);
}
