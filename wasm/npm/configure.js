// @ts-check
/**
 * Changing an engine's options while what was taught is kept.
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 * @typedef {import("./deepemd.d.ts").Method} Method
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./taught.js").Taught} Taught
 */

import { DeepEMDError } from "./error.js";
import { weightsOf } from "./given.js";
import { changed, check, methodOf } from "./options.js";
import { Reteaching } from "./reteach.js";

/**
 * Changes options. What needs no new embeddings takes hold at once; else every example
 * is embedded again in a second worker, while the one in use goes on answering.
 *
 * @param {Supervisor} engine
 * @param {Taught} taught
 * @param {Options} changes
 * @param {{ onProgress?: (done: number, total: number) => void, signal?: AbortSignal, adding: () => Promise<unknown> | undefined }} how adding:
 *   resolves when the examples on their way have arrived
 * @returns {Promise<boolean>} whether every example was embedded again
 */
export async function configure(engine, taught, changes, { onProgress, signal, adding }) {
  engine.assertOpen();
  const next = changed(engine.options, changes);
  check(next);
  if (!next.sound !== !engine.options.sound) throw new DeepEMDError("bad-argument", "sound cannot be changed: make another engine with DeepEMD.create");
  if (changes.weights === undefined && (next.workers ?? 1) === (engine.options.workers ?? 1)) {
    const reply = await engine.request({ type: "configure", method: methodOf(next), skip: next.skip ?? false });
    if (!reply.embeds) {
      if (answers(reply.method, next) !== answers(engine.method, engine.options)) engine.learned = false;
      engine.follow(next, reply);
      return false;
    }
  }
  const link = engine.spare(next);
  try {
    const stop = new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    const weights = changes.weights === undefined ? engine.weights : weightsOf(changes);
    const reply = await Promise.race([engine.init(link, next, weights), stop]);
    const teaching = new Reteaching(link, onProgress, signal);
    const record = () => taught.classes;
    for (;;) {
      while (!(await Promise.race([teaching.round(record), stop])));
      // From here to the end nothing else runs, unless something is under way.
      const busy = engine.starting ?? adding();
      if (busy) await busy;
      else if (teaching.complete(taught.classes)) {
        engine.assertOpen();
        signal?.throwIfAborted();
        teaching.enter(taught.classes);
        break;
      }
    }
    engine.replace(link, next, reply);
    return true;
  } catch (error) {
    link.close(/** @type {Error} */ (error));
    throw error;
  }
}

/**
 * What decides about scores, and so what was learned for.
 *
 * @param {Method} method
 * @param {Options} options
 */
function answers({ strangers, ...method }, { skip = false }) {
  return JSON.stringify([method, skip]);
}
