// @ts-check
/**
 * The one place where what a caller shows the engine becomes what a request says of it.
 *
 * @typedef {import("./deepemd.d.ts").Info} Info
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 */

import { abortable } from "./abort.js";
import { bad, kindOf, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { keep, pack } from "./picture.js";
import { platform } from "./platform.js";

/**
 * A source on its way to the worker.
 *
 * @typedef {object} Perceived
 * @property {{ picture?: Picture, embedding?: Float32Array }} parts what the request says of it
 * @property {Transferable[]} transfer what may be handed over, where the source is looked at once
 * @property {() => void} release frees what was made for the journey
 */

/**
 * Makes a source ready for the worker.
 *
 * @param {{ info: Info }} engine that is to look at it
 * @param {Source} source
 * @param {{ signal?: AbortSignal, embedding?: Float32Array }} how embedding: where it is known
 * @returns {Promise<Perceived>}
 */
export async function perceive(engine, source, { signal, embedding }) {
  let late = false;
  const work = async () => {
    if (embedding !== undefined) checkEmbedding(embedding, engine.info);
    if (holdsEmbedding(source)) {
      if (embedding !== undefined) throw bad("the embedding is given twice: as the source, and as an option");
      return { parts: { embedding: checkEmbedding(source.embedding, engine.info) }, transfer: [], release: keep };
    }
    const { picture, release } = await pack(isAddress(source) ? await fetched(source, signal) : source);
    const refused = engine.info.sound && refusal(source, picture, engine.info);
    if (late || refused) release();
    if (refused) throw new DeepEMDError("bad-sound", refused);
    const transfer = "frame" in picture && release !== keep ? [picture.frame] : [];
    return { parts: { picture, ...(embedding && { embedding }) }, transfer, release };
  };
  return abortable(signal, work, () => (late = true));
}

/**
 * Reads what lies at an address.
 *
 * @param {string | URL} address
 * @param {AbortSignal} [signal]
 * @returns {Promise<File>}
 */
export async function fetched(address, signal) {
  const url = platform.locate(address);
  const name = url.href.length > 100 ? `${url.href.slice(0, 97)}…` : url.href;
  let response;
  try {
    response = await platform.read(url, { signal });
    if (response.ok && !response.headers.get("Content-Type")?.startsWith("text/html")) return new File([await response.blob()], name);
  } catch (error) {
    signal?.throwIfAborted();
    throw new DeepEMDError("network", `${name} could not be fetched (${error}): is the server reachable, and does it allow this page to read it (CORS)?`);
  }
  if (response.ok) throw new DeepEMDError("network", `${name} is a web page: the server answers unknown addresses with a page; correct the address`);
  throw new DeepEMDError("network", `${name} could not be fetched: the server answered ${response.status} ${response.statusText}: is the address right?`);
}

/**
 * Whether something is an address of what is meant.
 *
 * @param {unknown} source
 * @returns {source is string | URL}
 */
export function isAddress(source) {
  return typeof source === "string" || source instanceof URL;
}

/**
 * @param {Source} source
 * @returns {source is { embedding: Float32Array }}
 */
function holdsEmbedding(source) {
  return typeof source === "object" && source !== null && kindOf(source) === "Object" && "embedding" in source && !("data" in source);
}

/**
 * @param {unknown} values
 * @param {Info} info
 * @returns {Float32Array}
 */
function checkEmbedding(values, { nodes, channels, features }) {
  if (!(values instanceof Float32Array)) throw bad(`the embedding is ${shown(values)}: want a Float32Array of ${nodes}×${channels} values, as embed gives it`);
  if (nodes > 0 && values.length !== nodes * channels) {
    const remedy = values.length === 0 ? "was its memory handed on (transferred) before?" : features ? "compute it as the examples'" : "leave it out, and the network computes it";
    throw bad(`the embedding has ${values.length} values: this engine takes ${nodes}×${channels}; ${remedy}`);
  }
  return values;
}

/**
 * What is wrong with a picture for an engine that hears, or "".
 *
 * @param {Source} source
 * @param {Picture} picture
 * @param {Info} info
 */
function refusal(source, picture, { inputSize }) {
  if ("file" in picture || "samples" in picture) return "";
  // What was embedded of a sound comes back as an example's pixels.
  const kept = kindOf(source) === "Object" && "data" in picture;
  if (kept && picture.width === inputSize && picture.height === inputSize && picture.data.length === inputSize * inputSize * 3) return "";
  return `this engine hears and does not see: pass an AudioBuffer, {samples, rate}, or a File or Blob with MP3 or WAV, not ${shown(source)}`;
}
