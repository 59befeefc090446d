// @ts-check
/**
 * Helper workers that encode an image's crops in parallel. Each has an engine with the same
 * model. They are workers of the engine's worker, so that the page sees one engine that answers
 * in order. The pool continues without a helper that fails.
 */

import { Link } from "./link.js";

/** Parts that a helper gets in advance, so that it need not wait. */
const AHEAD = 2;

/**
 * The most crops per part. Larger parts read the model's filters less often; smaller ones let all workers finish at
 * the same time.
 */
const PART = 4;

/** Helpers that encode crops in parallel with the caller. */
export class Pool {
  /** @type {Link[]} */ #helpers;

  /** @param {Link[]} helpers */
  constructor(helpers) {
    this.#helpers = helpers;
  }

  /**
   * Starts as many of the wanted helpers as the browser and its memory allow, perhaps none.
   *
   * @param {number} wanted
   * @param {string} script the address of worker.js
   * @param {any} init the request that starts an engine; its weights are copied
   */
  static async start(wanted, script, init) {
    const starting = Array.from({ length: wanted }, async () => {
      let helper;
      try {
        helper = new Link(new URL(script), Infinity, undefined, "deepemd-helper");
        await helper.request(init);
        return helper;
      } catch (error) {
        helper?.close(/** @type {Error} */ (error));
        return undefined;
      }
    });
    return new Pool((await Promise.all(starting)).filter((helper) => helper !== undefined));
  }

  get size() {
    return this.#helpers.length;
  }

  /**
   * Encodes crops: the helpers and the caller take one part after the other.
   *
   * @param {{ count: number, pixels: Uint8Array }} crops all of one size
   * @param {(crops: Uint8Array) => Float32Array} own encodes a part on the caller's thread
   * @returns {Promise<Float32Array>} the features of all crops, in order
   */
  async encode({ count, pixels }, own) {
    const size = pixels.length / count;
    const helpers = [...this.#helpers];
    const part = Math.max(1, Math.min(PART, Math.floor(count / (AHEAD * (1 + helpers.length)))));
    const waiting = Array.from({ length: Math.ceil(count / part) }, (_, i) => i);
    /** @type {Float32Array[]} */
    const features = [];
    const crops = (/** @type {number} */ i) => pixels.subarray(i * part * size, (i + 1) * part * size);
    const feed = async (/** @type {Link} */ helper) => {
      for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) {
        try {
          const copy = crops(i).slice();
          features[i] = (await helper.request({ type: "encode", crops: copy }, [copy.buffer])).features;
        } catch (error) {
          waiting.push(i);
          helper.close(/** @type {Error} */ (error));
          this.#helpers = this.#helpers.filter((h) => h !== helper);
          return;
        }
      }
    };
    const fed = helpers.map(feed);
    let next = waiting.shift(); // the caller's first part, before the helpers' second
    for (let i = 1; i < AHEAD; i++) fed.push(...helpers.map(feed));
    for (;;) {
      for (; next !== undefined; next = waiting.shift()) {
        features[next] = own(crops(next));
        await turn(); // receive the helpers' answers
      }
      await Promise.all(fed);
      next = waiting.shift(); // a part of a failed helper
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
}

const { port1, port2 } = new MessageChannel();

/** Lets pending messages arrive. */
function turn() {
  return new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
}
