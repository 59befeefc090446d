// @ts-check
/**
 * How recognition grew with the examples: the engine finds it out in slices, one request
 * each, and rests between two of them while it is asked something else.
 *
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./deepemd.d.ts").Growth} Growth
 * @typedef {import("./deepemd.d.ts").GrowthOptions} GrowthOptions
 */

import { abortable } from "./abort.js";
import { options as checked } from "./check.js";

/** Milliseconds of a slice. */
const SLICE = 8;

/** Milliseconds of rest after one, in which live answers go on: they lose a tenth of the time. */
const REST = 72;

/**
 * See growth of deepemd.d.ts.
 *
 * @param {Supervisor} engine
 * @param {GrowthOptions} options
 * @returns {Promise<Growth>}
 */
export async function grow(engine, options) {
  const { onProgress, signal } = checked("growth", options, { onProgress: "call", signal: "signal" });
  engine.assertOpen();
  return abortable(signal, async () => {
    for (;;) {
      const before = engine.requests;
      const curve = await engine.request({ type: "growth", ms: SLICE }, { signal });
      signal?.throwIfAborted();
      onProgress?.(curve);
      if (curve.done === curve.total) return curve;
      signal?.throwIfAborted();
      if (engine.requests > before + 1) await new Promise((resolve) => setTimeout(resolve, REST));
    }
  });
}
