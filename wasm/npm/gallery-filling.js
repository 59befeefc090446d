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

/** A call of add. */
export class Filling {
  #engines;
  #ask;
  #signal;
  #onProgress;
  /** @type {import("./gallery.d.ts").Added["failed"]} */ #failed = [];
  #begin = 0;
  #done = 0;
  #total = 0;

  /**
   * @param {import("./deepemd.d.ts").DeepEMD<any>[]} engines
   * @param {Ask} ask
   * @param {import("./gallery.d.ts").AddOptions} options
   */
  constructor(engines, ask, { signal, onProgress }) {
    this.#engines = engines;
    this.#ask = ask;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /**
   * @param {Named[]} all
   * @returns {Promise<import("./gallery.d.ts").Added>}
   */
  async fill(all) {
    await this.#ask({ type: "begin" });
    let added;
    try {
      /** @type {{ there: boolean[] }} */
      const { there } = await this.#ask({ type: "has", names: all.map(({ name }) => name) });
      const seen = new Set();
      const lacking = all.filter(({ name }, i) => !there[i] && !seen.has(name) && seen.add(name));
      await this.#add(lacking);
      added = { added: this.#done - this.#failed.length, there: all.length - lacking.length, failed: this.#failed };
    } catch (error) {
      await this.#ask({ type: "end" }).catch(() => {}); // report the first failure
      throw error;
    }
    await this.#ask({ type: "end" });
    return added;
  }

  /** @param {Named[]} pictures */
  async #add(pictures) {
    this.#begin = performance.now();
    this.#total = pictures.length;
    let next = 0, stopped = false;
    const work = async (/** @type {import("./deepemd.d.ts").DeepEMD<any>} */ engine) => {
      while (next < pictures.length && !stopped) {
        const picture = pictures[next++];
        try {
          await this.#one(engine, picture);
        } catch (error) {
          stopped = true;
          throw error;
        }
      }
    };
    const works = this.#engines.flatMap((engine) => Array.from({ length: AT_ONCE }, () => work(engine)));
    const [failure] = (await Promise.allSettled(works)).filter((result) => result.status === "rejected");
    if (failure) throw failure.reason;
  }

  /**
   * @param {import("./deepemd.d.ts").DeepEMD<any>} engine
   * @param {Named} picture
   */
  async #one(engine, { name, source }) {
    this.#signal?.throwIfAborted();
    /** @type {Partial<GalleryState>} */
    let state = {};
    try {
      const { data, summary } = await engine.embed(source, { signal: this.#signal });
      state = await this.#ask({ type: "add", name, embedded: { data, summary } }, [data.buffer]);
    } catch (error) {
      const { code } = /** @type {import("./error.js").DeepEMDError} */ (error);
      if (this.#signal?.aborted || code === undefined || OF_ALL.includes(code)) throw error;
      this.#failed.push({ name, error: /** @type {import("./error.js").DeepEMDError} */ (error) });
    }
    const took = performance.now() - this.#begin;
    const left = (took / ++this.#done) * (this.#total - this.#done);
    this.#onProgress?.({ name, done: this.#done, total: this.#total, left, failed: this.#failed.length, ...(state.pictures !== undefined && { kept: state.pictures }) });
  }
}
