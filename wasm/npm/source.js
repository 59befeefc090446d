// @ts-check
/**
 * Converts the sources of calls to parts of requests.
 *
 * @typedef {import("./deepemd.d.ts").Info} Info
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 */

import { abortable } from "./abort.js";
import { bad, kindOf, shown } from "./check.js";
import { computed } from "./computed.js";
import { checkEmbedding, holdsEmbedding } from "./embedding.js";
import { DeepEMDError } from "./error.js";
import { keep, pack } from "./picture.js";
import { answerOf, platform, unread } from "./platform.js";
import { decoded } from "./recording.js";

/**
 * A source for the worker.
 *
 * @typedef {object} Perceived
 * @property {{ picture?: Picture, embedding?: Float32Array }} parts the request's part; the embedding is a copy, as the caller
 *   may change or transfer its own at any time
 * @property {Transferable[]} transfer objects to transfer if the source is used once
 * @property {() => void} release frees temporary images
 * @property {number} [ms] milliseconds of the caller's backbone
 */

/**
 * The user of a source: the current engine, or a draft.
 *
 * @typedef {object} Eye
 * @property {Info} info
 * @property {import("./features.js").Backbone | undefined} backbone the caller's, if there is one
 * @property {(made: import("./features.js").Made) => Promise<void>} reshape takes over the shape of its features
 */

/**
 * @typedef {object} How
 * @property {AbortSignal | undefined} [signal]
 * @property {Float32Array | undefined} [embedding] if known
 * @property {Source | undefined} [thumbnail] an image to show, for features
 * @property {boolean} [show] false if no thumbnail is needed
 */

/**
 * Prepares a source for the worker.
 *
 * @param {Eye} engine
 * @param {Source} source
 * @param {How} how
 * @returns {Promise<Perceived>}
 */
export async function perceive(engine, source, how) {
  const { signal, embedding, thumbnail } = how;
  let late = false;
  const work = async () => {
    if (engine.info.features) {
      const perceived = await computed(engine, source, how, async (picture) => pack(isAddress(picture) ? await fetched(picture, signal) : picture));
      if (late) perceived.release();
      return perceived;
    }
    if (thumbnail !== undefined) throw bad("a thumbnail requires features: this engine stores the picture that its network embedded");
    const known = embedding === undefined ? undefined : checkEmbedding(embedding, engine.info).slice();
    if (holdsEmbedding(source)) {
      if (embedding !== undefined) throw bad("the embedding is given twice: as the source, and as an option");
      return { parts: { embedding: checkEmbedding(source.embedding, engine.info).slice() }, transfer: [], release: keep };
    }
    const { picture: given, release } = await pack(isAddress(source) ? await fetched(source, signal) : ((await original(source, signal)) ?? source));
    const picture = (engine.info.sound && "file" in given && (await decoded(given.file))) || given;
    const refused = engine.info.sound && refusal(source, picture, engine.info);
    if (late || refused) release();
    if (refused) throw new DeepEMDError("bad-sound", refused);
    const transfer = "frame" in picture && release !== keep ? [picture.frame] : [];
    return { parts: { picture, ...(known && { embedding: known }) }, transfer, release };
  };
  return abortable(signal, work, () => (late = true));
}

/**
 * The file of an `<img>`, if the page may read it. The element's pixels differ: the browser has applied
 * color profiles, and ignores the orientation of some formats.
 *
 * @param {Source} source
 * @param {AbortSignal} [signal]
 * @returns {Promise<Blob | undefined>}
 */
async function original(source, signal) {
  if (kindOf(source) !== "HTMLImageElement") return undefined;
  const image = /** @type {{ complete: boolean, currentSrc: string }} */ (/** @type {unknown} */ (source));
  if (!image.complete || !image.currentSrc) return undefined;
  const url = platform.locate(image.currentSrc);
  if (url.protocol !== "data:" && url.origin !== globalThis.origin) return undefined;
  try {
    const response = await platform.read(url, { signal, cache: "force-cache" });
    const blob = await response.blob();
    return response.ok && /^image\/(jpeg|png|webp)$/.test(blob.type) ? blob : undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined; // a revoked address or the page's policy: use the element's pixels
  }
}

/**
 * Fetches the file at an address.
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
    throw new DeepEMDError("network", `${name} could not be fetched ${unread(error)}`);
  }
  if (response.ok) throw new DeepEMDError("network", `${name} is a web page: the server answers unknown addresses with a page; correct the address`);
  throw new DeepEMDError("network", `${name} could not be fetched: ${answerOf(url, response)}`);
}

/**
 * Whether a source is an address.
 *
 * @param {unknown} source
 * @returns {source is string | URL}
 */
export function isAddress(source) {
  return typeof source === "string" || source instanceof URL;
}

/**
 * Why an image is unusable for an engine for sounds, or "".
 *
 * @param {Source} source
 * @param {Picture} picture
 * @param {Info} info
 */
function refusal(source, picture, { inputSize }) {
  if ("file" in picture || "samples" in picture) return "";
  // The pixels of an example are its spectrogram, which is usable.
  const kept = kindOf(source) === "Object" && "data" in picture;
  if (kept && picture.width === inputSize && picture.height === inputSize && picture.data.length === inputSize * inputSize * 3) return "";
  return `this engine is for sounds: pass an AudioBuffer, {samples, rate}, or a File or Blob with a recording, not ${shown(source)}`;
}
