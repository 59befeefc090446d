// @ts-check
/**
 * Sources of an engine without a network of ours: features, or whatever the caller's
 * backbone makes features of; and pictures of them, for showing.
 *
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 * @typedef {import("./source.js").Eye} Eye
 * @typedef {import("./source.js").How} How
 * @typedef {import("./source.js").Perceived} Perceived
 * @typedef {(source: any) => ReturnType<typeof pack>} Look what makes a picture ready, wherever it lies
 */

/**
 * What a request says of a source, with the picture if there is one.
 *
 * @template {object} T
 * @typedef {{ parts: T & { picture?: Picture }, release?: () => void }} Shown
 */

import { bad, kindOf } from "./check.js";
import { checkEmbedding, holdsEmbedding } from "./embedding.js";
import { keep, pack } from "./picture.js";

/** What shows a picture by itself, beside Blobs and pixels. */
const PICTURES = ["HTMLVideoElement", "HTMLImageElement", "HTMLCanvasElement", "OffscreenCanvas", "ImageBitmap", "VideoFrame", "ImageData", "Object"];

/** Pixels that are enough of a picture from a file, twice those that are kept. */
const HIGH = 192;

/**
 * Makes a source ready for the worker, as perceive does.
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
  // Of a video, the picture of this moment.
  /** @type {Shown<{}>} */
  const picture = !show ? { parts: {} } : thumbnail === undefined ? await glimpse(source, {}) : await seen(thumbnail, {}, look);
  try {
    const made = await engine.backbone.features(source, signal);
    signal?.throwIfAborted();
    await engine.reshape(made);
    return { transfer: [], release: keep, ...picture, parts: { ...picture.parts, embedding: made.data }, ms: made.ms };
  } catch (error) {
    picture.release?.();
    throw error;
  }
}

/**
 * A picture that the caller says is one; none where nothing is given.
 *
 * @template {object} T
 * @param {any} source
 * @param {T} parts what else the request says
 * @param {Look} look
 * @returns {Promise<Shown<T>>}
 */
async function seen(source, parts, look) {
  if (source === undefined) return { parts };
  const { picture, release } = await look(source);
  return { parts: { ...parts, picture }, release };
}

/**
 * A picture of what may be one.
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
    // It is something else, which the backbone may know.
  }
  return { parts };
}

/** @param {Eye} engine */
function notFeatures({ info: { nodes, channels } }) {
  const shape = nodes > 0 ? `, a Float32Array of ${nodes}×${channels} values` : "";
  return bad(`this engine has no network: pass { embedding } with the features that you computed${shape}, or make an engine with DeepEMD.create({ backbone })`);
}
