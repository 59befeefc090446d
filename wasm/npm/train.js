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

/** The engines that are training. @type {WeakSet<Supervisor>} */
const training = new WeakSet();

/**
 * See train of deepemd.d.ts.
 *
 * @param {Supervisor} engine
 * @param {TrainOptions} options
 * @returns {Promise<Training>}
 */
export async function train(engine, options) {
  const { passes = DEFAULT_PASSES, check = true, onProgress, signal } = checked("train", options, { passes: "count", check: "flag", onProgress: "call", signal: "signal" });
  engine.assertOpen();
  if (training.has(engine)) throw bad("the classes are being learned already: wait for the end, or abort by the signal");
  training.add(engine);
  const begin = performance.now();
  try {
    let forgotten = 0;
    const gain = await engine.job({ type: "train", passes, check }, { signal, onProgress, onSent: () => (forgotten = engine.forgotten) });
    // The engine answers as before after a check without a gain: see answer.Gain.Useless.
    if (engine.forgotten === forgotten && (gain.of === 0 || gain.after > gain.before)) engine.learned = true;
    return { passes, ms: performance.now() - begin, ...(gain.of > 0 && { heldOut: gain }) };
  } finally {
    training.delete(engine);
  }
}
