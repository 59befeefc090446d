// @ts-check
/**
 * Trains on the examples, one training at a time.
 *
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./deepemd.d.ts").Training} Training
 * @typedef {import("./deepemd.d.ts").TrainOptions} TrainOptions
 */

import { bad, options as checked } from "./check.js";

/** As in the paper. */
const DEFAULT_PASSES = 100;

/** Runs the trainings of one engine. */
export class Trainer {
  #engine;
  /** @type {object | undefined} The current training. */ #under;

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
    const { passes = DEFAULT_PASSES, check = true, onProgress, signal } = checked("train", options, { passes: "count", check: "flag", onProgress: "call", signal: "signal" });
    const engine = this.#engine;
    engine.assertOpen();
    if (this.#under) throw bad("the classes are being learned already: wait for the end, or abort by the signal");
    const mine = (this.#under = {});
    const begin = performance.now();
    try {
      const gain = await engine.job({ type: "train", passes, check }, { signal, onProgress });
      engine.learned = true;
      return { passes, ms: performance.now() - begin, ...(gain.of > 0 && { heldOut: gain }) };
    } finally {
      if (this.#under === mine) this.#under = undefined;
    }
  }
}
