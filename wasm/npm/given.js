// @ts-check
/**
 * The files that start an engine: given in options, or the package's own.
 *
 * A file is an address, Blob, ArrayBuffer, view of one, or Response. The worker gets its content, or
 * its address with the expected size in bytes (0 if unknown).
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 * @typedef {import("./deepemd.d.ts").Given} Given
 * @typedef {{ url: string, bytes: number }} Address
 * @typedef {Address | Blob | ArrayBuffer} File
 */

import { engine, soundEngine, worker } from "./assets.js";
import { networks } from "./networks.js";
import { folder } from "./options.js";
import { platform, received } from "./platform.js";
import { arriving } from "./progress.js";

/**
 * Replaces Responses in options by their content, because a Response can be read only once and an
 * engine may need its files again.
 *
 * @param {Options} options
 * @returns {Promise<Options>}
 */
export async function arrived(options) {
  const { weights, engine, worker, onProgress } = options;
  const [w, e, s] = await Promise.all([
    weights instanceof Response ? body(weights, "weights", onProgress) : weights,
    engine instanceof Response ? body(engine, "engine", onProgress) : engine,
    worker instanceof Response ? body(worker, "worker") : worker,
  ]);
  return w === weights && e === engine && s === worker ? options : { ...options, weights: w, engine: e, worker: s };
}

/**
 * The address of the workers' script.
 *
 * @param {Options} options
 * @returns {URL}
 */
export function scriptOf({ worker: given, base }) {
  if (given === undefined) return beside(worker.url, "worker.js", base);
  const file = fileOf(given);
  if ("url" in file) return new URL(file.url);
  const known = scripts.get(given);
  if (known) return known;
  const url = new URL(URL.createObjectURL(new Blob([file], { type: "text/javascript" })));
  scripts.set(/** @type {object} */ (given), url);
  return url;
}

/** The addresses of scripts that were given as content. @type {WeakMap<any, URL>} */
const scripts = new WeakMap();

/**
 * The engine's program.
 *
 * @param {Options} options
 * @returns {File | WebAssembly.Module}
 */
export function programOf({ engine: given, sound = false, base }) {
  if (given instanceof WebAssembly.Module) return given;
  if (given !== undefined) return fileOf(given);
  const { url, bytes } = sound ? soundEngine : engine;
  return { url: beside(url, sound ? "deepemd-sound.wasm" : "deepemd.wasm", base).href, bytes };
}

/**
 * The model's weights.
 *
 * @param {Options} options
 * @returns {File}
 */
export function weightsOf({ weights, sound }) {
  if (weights !== undefined) return fileOf(weights);
  const { url, bytes } = sound ? networks.sounds : networks.pictures;
  return { url: platform.locate(url).href, bytes };
}

/**
 * A file of the package, or the file of that name in a folder. Some bundlers (Next's) replace the package's addresses by
 * objects without an origin.
 *
 * @param {URL} own
 * @param {string} name
 * @param {string | URL | undefined} base
 */
function beside(own, name, base) {
  return base === undefined ? platform.locate(own) : new URL(name, folder(base));
}

/**
 * @param {Given} given not a Response
 * @returns {File}
 */
function fileOf(given) {
  if (typeof given === "string" || given instanceof URL) return { url: platform.locate(given).href, bytes: 0 };
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength).slice().buffer;
  return /** @type {Blob | ArrayBuffer} */ (given);
}

/**
 * @param {Response} response
 * @param {"engine" | "weights" | "worker"} stage
 * @param {Options["onProgress"]} [onProgress]
 * @returns {Promise<Blob>}
 */
function body(response, stage, onProgress) {
  if (stage === "worker" || !onProgress) return received(response, stage);
  return received(response, stage, () => new Response(arriving(response, stage, 0, (loaded, total) => onProgress({ stage, loaded, total }))).blob());
}
