// @ts-check
/**
 * The workers that help the engine's own with the crops of a picture: each has
 * an engine of the same network, and encodes what it is given.
 *
 * They are workers of the worker, so that the page sees one engine still, whose
 * requests are answered in order. One that fails is done without.
 */

import { platform } from "./platform.js";

/** How many parts a helper is given before the first of them is back: it need not wait for the next. */
const AHEAD = 2;

/**
 * How many crops a part has at most: the more, the less often the network's filters are read from memory; but everyone
 * should be done at the same time.
 */
const PART = 4;

/** Helpers that encode crops beside the caller. */
export class Pool {
  /** @type {Helper[]} */ #helpers;

  /** @param {Helper[]} helpers */
  constructor(helpers) {
    this.#helpers = helpers;
  }

  /**
   * Starts helpers: as many of the wanted ones as the browser and its memory
   * allow, which may be none.
   *
   * @param {number} wanted
   * @param {string} script the address of worker.js
   * @param {object} init the request that starts an engine; its weights are copied
   */
  static async start(wanted, script, init) {
    const starting = Array.from({ length: wanted }, async () => {
      let helper;
      try {
        helper = new Helper(script);
        await helper.request(init);
        return helper;
      } catch {
        helper?.close();
        return undefined;
      }
    });
    return new Pool((await Promise.all(starting)).filter((helper) => helper !== undefined));
  }

  get size() {
    return this.#helpers.length;
  }

  /**
   * Encodes crops: every helper takes one part after the other, and so does the caller.
   *
   * @param {{ count: number, pixels: Uint8Array }} crops all of one size
   * @param {(crops: Uint8Array) => Float32Array} own how the caller encodes a part
   * @returns {Promise<Float32Array>} the features of all, in their order
   */
  async encode({ count, pixels }, own) {
    const size = pixels.length / count;
    const helpers = [...this.#helpers];
    const part = Math.max(1, Math.min(PART, Math.floor(count / (AHEAD * (1 + helpers.length)))));
    const waiting = Array.from({ length: Math.ceil(count / part) }, (_, i) => i);
    /** @type {Float32Array[]} */
    const features = [];
    const crops = (/** @type {number} */ i) => pixels.subarray(i * part * size, (i + 1) * part * size);
    const feed = async (/** @type {Helper} */ helper) => {
      for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) {
        try {
          const copy = crops(i).slice();
          features[i] = (await helper.request({ type: "encode", crops: copy }, [copy.buffer])).features;
        } catch {
          waiting.push(i);
          this.#drop(helper);
          return;
        }
      }
    };
    const fed = helpers.map(feed);
    let next = waiting.shift(); // the caller's first, before the helpers' second
    for (let i = 1; i < AHEAD; i++) fed.push(...helpers.map(feed));
    for (;;) {
      for (; next !== undefined; next = waiting.shift()) {
        features[next] = own(crops(next));
        await turn(); // for what the helpers have answered
      }
      await Promise.all(fed);
      next = waiting.shift(); // what a helper could not do
      if (next === undefined) break;
    }
    const all = new Float32Array(features.reduce((sum, f) => sum + f.length, 0));
    let at = 0;
    for (const f of features) {
      all.set(f, at);
      at += f.length;
    }
    return all;
  }

  /** @param {Helper} helper */
  #drop(helper) {
    helper.close();
    this.#helpers = this.#helpers.filter((h) => h !== helper);
  }
}

/** One helper: a worker with the same script as the one that it helps. */
class Helper {
  /** @type {Worker} */ #worker;
  /** @type {Map<number, { resolve: (reply: any) => void, reject: (error: Error) => void }>} */ #pending = new Map();
  #lastId = 0;
  #closed = false;

  /** @param {string} script */
  constructor(script) {
    this.#worker = platform.startWorker(new URL(script), "deepemd-helper");
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onmessageerror = () => this.close();
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.close();
    };
  }

  /**
   * @param {object} request
   * @param {Transferable[]} [transfer]
   * @returns {Promise<any>}
   */
  request(request, transfer = []) {
    if (this.#closed) return Promise.reject(new Error("closed"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...request }, transfer);
    });
  }

  close() {
    this.#closed = true;
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(new Error("closed"));
    this.#pending.clear();
  }

  /** @param {any} message */
  #receive(message) {
    if (message.type === "down") return this.close();
    const call = this.#pending.get(message.id);
    if (!call) return; // progress
    this.#pending.delete(message.id);
    if (message.ok) call.resolve(message);
    else call.reject(new Error(message.error.message));
  }
}

const { port1, port2 } = new MessageChannel();

/** Lets messages that have arrived be handled. */
function turn() {
  return new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
}
