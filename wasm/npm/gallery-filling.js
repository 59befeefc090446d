// @ts-check
/**
 * Adds images to a gallery: embeds the new ones with all engines in parallel, and reports
 * progress.
 *
 * @typedef {import("./gallery-requests.d.ts").GalleryRequest} GalleryRequest
 * @typedef {import("./gallery-requests.d.ts").GalleryState} GalleryState
 * @typedef {{ name: string, source: any }} Named
 * @typedef {(request: GalleryRequest, transfer?: Transferable[]) => Promise<any>} Ask
 */

import { bad, demandName, kindOf, shown } from "./check.js";

/** Images in progress per engine: one is decoded while another is embedded. */
const AT_ONCE = 2;

/** Errors that would affect every image. */
const OF_ALL = ["disposed", "in-use", "wrong-network", "crashed", "out-of-memory", "internal"];

/**
 * Images with their names.
 *
 * @param {Iterable<any>} pictures
 * @returns {Named[]}
 */
export function named(pictures) {
  if (typeof pictures === "string" || typeof pictures?.[Symbol.iterator] !== "function") {
    throw bad(`the pictures are ${shown(pictures)}: want a list of them, such as an array or a FileList`);
  }
  return Array.from(pictures, (picture) => {
    const given = kindOf(picture) === "Object" && "source" in picture ? picture : { name: nameOf(picture), source: picture };
    if (given.name === undefined) throw bad("a picture has no name: give { name, source }");
    demandName(given.name, "a picture's name");
    return given;
  });
}

/**
 * An image's default name: a file's path, or an address.
 *
 * @param {any} picture
 */
function nameOf(picture) {
  if (kindOf(picture) === "File") return picture.webkitRelativePath || picture.name;
  return typeof picture === "string" || picture instanceof URL ? String(picture) : undefined;
}

/**
 * Adds the images that the gallery lacks.
 *
 * @param {import("./deepemd.d.ts").DeepEMD<any>[]} engines
 * @param {Ask} ask
 * @param {Named[]} all
 * @param {import("./gallery.d.ts").AddOptions} options
 * @returns {Promise<import("./gallery.d.ts").Added>}
 */
export function fill(engines, ask, all, options) {
  return writing(ask, async () => {
    /** @type {{ there: boolean[] }} */
    const { there } = await ask({ type: "has", names: all.map(({ name }) => name) });
    const seen = new Set();
    const lacking = all.filter(({ name }, i) => !there[i] && !seen.has(name) && seen.add(name));
    const failed = await embedAll(engines, ask, lacking, options);
    return { added: lacking.length - failed.length, there: all.length - lacking.length, failed };
  });
}

/**
 * Does work that changes the gallery, which ends in any case.
 *
 * @template T
 * @param {Ask} ask
 * @param {(before: GalleryState) => Promise<T>} work
 */
export async function writing(ask, work) {
  const before = await ask({ type: "begin" });
  let result;
  try {
    result = await work(before);
  } catch (error) {
    await ask({ type: "end" }).catch(() => {}); // report the first failure
    throw error;
  }
  await ask({ type: "end" });
  return result;
}

/**
 * @param {import("./deepemd.d.ts").DeepEMD<any>[]} engines
 * @param {Ask} ask
 * @param {Named[]} pictures
 * @param {import("./gallery.d.ts").AddOptions} options
 * @returns {Promise<import("./gallery.d.ts").Added["failed"]>}
 */
async function embedAll(engines, ask, pictures, { signal, onProgress }) {
  const begin = performance.now(), all = pictures.length;
  /** @type {import("./gallery.d.ts").Added["failed"]} */
  const failed = [];
  let next = 0, done = 0, stopped = false;
  const add = async (/** @type {import("./deepemd.d.ts").DeepEMD<any>} */ engine, /** @type {Named} */ { name, source }) => {
    signal?.throwIfAborted();
    /** @type {Partial<GalleryState>} */
    let state = {};
    try {
      const { data, summary } = await engine.embed(source, { signal });
      state = await ask({ type: "add", name, embedded: { data, summary } }, [data.buffer]);
    } catch (error) {
      const { code } = /** @type {import("./error.js").DeepEMDError} */ (error);
      if (signal?.aborted || code === undefined || OF_ALL.includes(code)) throw error;
      failed.push({ name, error: /** @type {import("./error.js").DeepEMDError} */ (error) });
    }
    const left = ((performance.now() - begin) / ++done) * (all - done);
    onProgress?.({ name, done, total: all, left, failed: failed.length, ...(state.pictures !== undefined && { kept: state.pictures }) });
  };
  const work = async (/** @type {import("./deepemd.d.ts").DeepEMD<any>} */ engine) => {
    try {
      while (next < all && !stopped) await add(engine, pictures[next++]);
    } catch (error) {
      stopped = true;
      throw error;
    }
  };
  const works = engines.flatMap((engine) => Array.from({ length: AT_ONCE }, () => work(engine)));
  const [failure] = (await Promise.allSettled(works)).filter((result) => result.status === "rejected");
  if (failure) throw failure.reason;
  return failed;
}
