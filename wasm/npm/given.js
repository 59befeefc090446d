// @ts-check
/**
 * What an engine is started with: the files that options give, or the package's own.
 *
 * A file is given by its address, or as a Blob, an ArrayBuffer or a view of one, or a
 * Response; the worker is told an address with the bytes to expect there (0 where nobody
 * knows), or the content.
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 * @typedef {import("./deepemd.d.ts").Given} Given
 * @typedef {{ url: string, bytes: number }} Address
 * @typedef {Address | Blob | ArrayBuffer} File
 */

import { engine, soundEngine, worker } from "./assets.js";
import { DeepEMDError } from "./error.js";
import { networks } from "./networks.js";
import { folder } from "./options.js";
import { platform } from "./platform.js";
import { arriving } from "./progress.js";

/**
 * Options whose responses have arrived: a Response can be read once, an engine may
 * need its files again.
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
 * The address of the script that workers are started with.
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

/** Scripts that were given as their content, and the addresses that they have got. @type {WeakMap<any, URL>} */
const scripts = new WeakMap();

/**
 * The program that a worker runs.
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
 * The network's file.
 *
 * @param {Options} options
 * @returns {File}
 */
export function weightsOf({ weights, sound }) {
  if (weights !== undefined) return fileOf(weights);
  const { url, bytes } = sound ? networks.sounds : networks.pictures;
  return { url: url.href, bytes };
}

/**
 * A file of the package, or the one of that name in a folder.
 *
 * @param {URL} own
 * @param {string} name
 * @param {string | URL | undefined} base
 */
function beside(own, name, base) {
  return base === undefined ? own : new URL(name, folder(base));
}

/**
 * @param {Given} given but for a Response
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
async function body(response, stage, onProgress) {
  const name = response.url || "the response that was given";
  if (!response.ok) throw new DeepEMDError("network", `${name} is no ${stage}: its status is ${response.status} ${response.statusText}`);
  if (response.bodyUsed) throw new DeepEMDError("bad-argument", `${name}, given as ${stage}, was read already: give a copy (response.clone())`);
  try {
    if (stage === "worker" || !onProgress) return await response.blob();
    return await new Response(arriving(response, stage, 0, (loaded, total) => onProgress({ stage, loaded, total }))).blob();
  } catch (error) {
    throw new DeepEMDError("network", `${name} did not arrive whole (${error}): check the connection and try again`);
  }
}
