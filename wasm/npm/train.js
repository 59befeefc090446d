// @ts-check
/**
 * Learning in the page: the engine does it in slices, one request each, so that
 * whatever else is asked meanwhile is answered between two of them.
 *
 * @typedef {import("./protocol.d.ts").Request} Request
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./deepemd.d.ts").Training} Training
 * @typedef {import("./deepemd.d.ts").TrainOptions} TrainOptions
 */

import { abortable } from "./abort.js";
import { bad, options as checked } from "./check.js";

/** Milliseconds of learning between two answers. */
const SLICE = 20;

/** As the paper does. */
const DEFAULT_PASSES = 100;

/** Learning in one engine, one training at a time. */
export class Trainer {
  #engine;
  /** @type {object | undefined} The training under way. */ #under;

  /** @param {Supervisor} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /**
   * See train of deepemd.d.ts.
   *
   * @param {TrainOptions} options
   * @returns {Promise<Training>}
   */
  async train(options) {
    const { signal } = checked("train", options, { passes: "count", check: "flag", onProgress: "call", signal: "signal" });
    const engine = this.#engine;
    engine.assertOpen();
    if (this.#under) throw bad("the classes are being learned already: wait for the end, or abort by the signal");
    const mine = (this.#under = {});
    let sent = false;
    const ask = (/** @type {Request} */ request) => engine.request(request, { signal, onSent: () => (sent = true) });
    try {
      return await abortable(
        signal,
        async (keep) => {
          const result = await learn(ask, options, keep);
          engine.learned = true;
          return result;
        },
        // However far it is: the engine answers as before.
        () => sent && void engine.tell({ type: "stopTraining" }).catch(() => {}),
      );
    } finally {
      if (this.#under === mine) this.#under = undefined;
    }
  }
}

/**
 * @param {(request: Request) => Promise<any>} ask
 * @param {TrainOptions} options
 * @param {() => void} keep called when all is learned: see abort.js
 * @returns {Promise<Training>}
 */
async function learn(ask, { passes = DEFAULT_PASSES, check = true, onProgress, signal }, keep) {
  const begin = performance.now();
  let trained = await ask({ type: "train", passes, check });
  for (;;) {
    // Who aborts has sent stopTraining; another training may be under way by now.
    signal?.throwIfAborted();
    onProgress?.({ done: trained.done, total: trained.total });
    if (trained.finished) break;
    signal?.throwIfAborted();
    trained = await ask({ type: "trainSlice", ms: SLICE });
  }
  keep();
  return { passes, ms: performance.now() - begin, ...(trained.gain.of > 0 && { heldOut: trained.gain }) };
}
