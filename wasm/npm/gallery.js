// @ts-check
/**
 * deepemd/gallery: images that a page stores on the device and searches by example. An engine
 * embeds them; a separate worker, loaded with the first gallery, stores and searches the
 * embeddings.
 *
 * @example
 * import { DeepEMD } from "deepemd";
 * import { openGallery } from "deepemd/gallery";
 * const gallery = await openGallery(await DeepEMD.create(), "photos");
 * await gallery.add(files);
 * const { found } = await gallery.search(file);   // best first
 *
 * @typedef {import("./deepemd.d.ts").DeepEMD<any>} DeepEMD
 * @typedef {import("./gallery-requests.d.ts").GalleryRequest} GalleryRequest
 * @typedef {import("./gallery-requests.d.ts").GalleryState} GalleryState
 * @typedef {import("./project.d.ts").Network} Network
 */

import { abortable } from "./abort.js";
import { bad, demandName, faultOf, options as checked, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { galleryProgram, galleryWorker } from "./gallery-assets.js";
import { fileOf, removeFile } from "./gallery-folder.js";
import { fill, named, writing } from "./gallery-filling.js";
import { matched } from "./gallery-match.js";
import { Link } from "./link.js";
import { DEFAULT_TIMEOUT } from "./options.js";
import { platform } from "./platform.js";

export { DeepEMDError } from "./error.js";

/** Defaults of search: the number of results, and of matched candidates. */
const LIMIT = 10, CANDIDATES = 50;

/** The longest name of a file. */
const MAX_NAME = 60;

/**
 * @param {DeepEMD | DeepEMD[]} engines
 * @param {string} name
 * @param {import("./deepemd.d.ts").Abortable} [options]
 * @returns {Promise<Gallery>}
 */
export async function openGallery(engines, name, options = {}) {
  const { signal } = checked("openGallery", options, { signal: "signal" });
  const all = Array.isArray(engines) ? [...engines] : [engines];
  if (all.length === 0 || !all.every(isEngine)) throw bad(`the engine is ${shown(engines)}: want one that DeepEMD.create has made, or a list of them`);
  checkName(name);
  return Gallery.open(all, name, signal);
}

/**
 * @param {string} name
 * @returns {Promise<void>}
 */
export async function removeGallery(name) {
  checkName(name);
  try {
    await removeFile(fileOf(name));
  } catch (error) {
    if (error instanceof DeepEMDError) throw error;
    throw new DeepEMDError("unsupported", `there are no stored galleries here (${error}): they are only in memory, and close() frees them`);
  }
}

/** A gallery: see gallery.d.ts. */
class Gallery {
  #engines;
  #name;
  /** @type {Link | undefined} The link to the worker, if one runs. */ #link;
  /** @type {Promise<Link> | undefined} */ #starting;
  /** @type {GalleryState} */ #state = { pictures: 0, bytes: 0, why: "" };
  /** @type {Network | undefined} The model of the stored embeddings. */ #network;
  /** @type {Promise<unknown>} The last change. */ #turns = Promise.resolve();
  #closed = false;

  /**
   * @param {DeepEMD[]} engines
   * @param {string} name
   */
  constructor(engines, name) {
    this.#engines = engines;
    this.#name = name;
  }

  /**
   * Opens a gallery: starts its worker.
   *
   * @param {DeepEMD[]} engines
   * @param {string} name
   * @param {AbortSignal | undefined} signal
   */
  static open(engines, name, signal) {
    const gallery = new Gallery(engines, name);
    return abortable(signal, async (keep) => {
      try {
        await gallery.#running();
        keep();
        return gallery;
      } catch (error) {
        gallery.close();
        throw error;
      }
    }, () => gallery.close());
  }

  get name() {
    return this.#name;
  }

  get size() {
    return this.#state.pictures;
  }

  get bytes() {
    return this.#state.bytes;
  }

  get kept() {
    return this.#state.why === "";
  }

  get why() {
    return this.#state.why;
  }

  /** @param {string} name */
  async has(name) {
    demandName(name, "the name");
    return (await this.#ask({ type: "has", names: [name] })).there[0];
  }

  /** @returns {Promise<string[]>} */
  async names() {
    return (await this.#ask({ type: "names" })).names;
  }

  /**
   * @param {Iterable<any>} pictures
   * @param {import("./gallery.d.ts").AddOptions} [options]
   * @returns {Promise<import("./gallery.d.ts").Added>}
   */
  async add(pictures, options = {}) {
    const { signal, onProgress } = checked("add", options, { signal: "signal", onProgress: "call" });
    const list = named(pictures);
    return this.#change(signal, (ask) => fill(this.#engines, ask, list, { signal, onProgress }));
  }

  /**
   * @param {any} source
   * @param {import("./gallery.d.ts").SearchOptions} [options]
   * @returns {Promise<import("./gallery.d.ts").Search>}
   */
  async search(source, options = {}) {
    const { limit = LIMIT, candidates = Math.max(CANDIDATES, limit), signal } = checked("search", options, { limit: "count", candidates: "count", signal: "signal" });
    if (limit < 1) throw bad(`limit is ${limit}: want the number of results, a whole number from 1`);
    if (candidates > 0 && candidates < limit) throw bad(`candidates is ${candidates} and limit ${limit}: set at least as many candidates as results, or 0 to match none`);
    return abortable(signal, async () => {
      const begin = performance.now();
      const { embedded, weighting } = await this.#embedded(source, signal);
      const embedMs = performance.now() - begin;
      const { found, matched, chooseMs, matchMs } = await this.#ask({ type: "search", embedded, weighting, limit, candidates });
      return { found, matched, ms: performance.now() - begin, embedMs, chooseMs, matchMs };
    });
  }

  /**
   * @param {any} source
   * @param {string} name
   * @param {import("./deepemd.d.ts").Abortable} [options]
   * @returns {Promise<import("./gallery.d.ts").Match>}
   */
  async explain(source, name, options = {}) {
    const { signal } = checked("explain", options, { signal: "signal" });
    demandName(name, "the name");
    if (this.#engines[0].method.embedder.kind === "sampling") throw bad("a gallery does not store the random regions of the embedder sampling: use the embedder fcn or grid");
    return abortable(signal, async () => {
      const { embedded, regions, weighting } = await this.#embedded(source, signal);
      return matched(await this.#ask({ type: "explain", embedded, weighting, name }), regions);
    });
  }

  /**
   * @param {Iterable<string>} names
   * @returns {Promise<number>}
   */
  async remove(names) {
    if (typeof names === "string" || typeof names?.[Symbol.iterator] !== "function") throw bad(`the names are ${shown(names)}: want a list of them, such as ["a.jpg"]`);
    const list = Array.from(names);
    for (const name of list) demandName(name, "a name");
    return this.#change(undefined, async (ask) => {
      const before = await writing(ask, async ({ pictures }) => {
        await ask({ type: "remove", names: list });
        return pictures;
      });
      return before - this.size;
    });
  }

  async clear() {
    await this.#change(undefined, (ask) => ask({ type: "clear" }));
  }

  close() {
    this.#closed = true;
    this.#link?.close(closed());
    this.#link = undefined;
  }

  /**
   * Runs changes in sequence, each on one worker. A crash ends the change. An abort ends the wait for the earlier ones;
   * afterwards, it is left to the change.
   *
   * @template T
   * @param {AbortSignal | undefined} signal
   * @param {(ask: import("./gallery-filling.js").Ask) => Promise<T>} change
   * @returns {Promise<T>}
   */
  #change(signal, change) {
    return abortable(signal, (keep) => {
      const turn = this.#turns.then(async () => {
        keep();
        const link = await this.#running();
        return change((request, transfer) => this.#ask(request, transfer, link));
      });
      this.#turns = turn.catch(() => {});
      return turn;
    });
  }

  /**
   * Embeds an image for the worker.
   *
   * @param {any} source
   * @param {AbortSignal | undefined} signal
   */
  async #embedded(source, signal) {
    const [engine] = this.#engines;
    const { data, summary, regions } = await engine.embed(source, { signal });
    return { embedded: { data, summary }, regions, weighting: engine.method.weighting };
  }

  /**
   * Sends a request to a worker. Throws if an engine's embeddings have changed, unless it ends a change: otherwise the
   * worker would keep the file locked.
   *
   * @param {GalleryRequest} request
   * @param {Transferable[]} [transfer]
   * @param {Link} [link] default: the current worker, which is started if necessary
   * @returns {Promise<any>}
   */
  async #ask(request, transfer, link) {
    if (link && request.type !== "end") await this.#embedsAlike();
    const reply = await (link ?? (await this.#running())).request(request, transfer);
    this.#note(reply);
    return reply;
  }

  /** The link to the running worker. */
  async #running() {
    const network = await this.#embedsAlike();
    if (this.#link) return this.#link;
    return (this.#starting ??= this.#start(network).finally(() => (this.#starting = undefined)));
  }

  /** The model of the stored embeddings; throws if an engine has another one now. */
  async #embedsAlike() {
    if (this.#closed) throw closed();
    const all = await Promise.all(this.#engines.map((engine) => engine.network()));
    if (this.#closed) throw closed(); // while it waited: start no other worker
    const network = (this.#network ??= all[0]);
    if (all.some((other) => JSON.stringify(other) !== JSON.stringify(network))) {
      throw new DeepEMDError("wrong-network", "the gallery's engines differ in model or embedder, or have changed since it was opened: open it again with engines of one model and embedder");
    }
    return network;
  }

  /** @param {Network} network */
  async #start(network) {
    const link = new Link(platform.locate(galleryWorker.url), DEFAULT_TIMEOUT, undefined);
    link.onDown = () => {
      if (this.#link === link) this.#link = undefined; // the next call starts another
    };
    this.#link = link;
    try {
      this.#note(await link.request({ type: "init", program: { url: platform.locate(galleryProgram.url).href, bytes: 0 }, name: this.#name, network }));
      return link;
    } catch (error) {
      link.close(/** @type {Error} */ (error));
      this.#link = undefined;
      throw error;
    }
  }

  /** @param {Partial<GalleryState>} reply */
  #note({ pictures = this.size, bytes = this.bytes, why = this.why }) {
    this.#state = { pictures, bytes, why };
  }
}

// Browsers without Symbol.dispose have no `using` either.
if (Symbol.dispose) Object.defineProperty(Gallery.prototype, Symbol.dispose, { value: Gallery.prototype.close });

/** @param {unknown} engine */
function isEngine(engine) {
  return engine instanceof EventTarget && "embed" in engine && "network" in engine;
}

/** @param {unknown} name */
function checkName(name) {
  if (typeof name !== "string" || name === "" || [...name].length > MAX_NAME) throw bad(`the gallery's name is ${shown(name)}: want a text of 1 to ${MAX_NAME} characters`);
  const why = faultOf(name);
  if (why) throw bad(`the gallery's name ${why}`);
}

function closed() {
  return new DeepEMDError("disposed", "the gallery was closed: open it again with openGallery");
}
