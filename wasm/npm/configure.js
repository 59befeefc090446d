// @ts-check
/**
 * Changes an engine's options and keeps its classes and examples.
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 * @typedef {import("./deepemd.d.ts").Method} Method
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./taught.js").Taught} Taught
 */

import { bad } from "./check.js";
import { weightsOf } from "./given.js";
import { changed, methodOf } from "./options.js";
import { Reteaching } from "./reteach.js";

/**
 * Changes options. If the embeddings stay valid, the change takes effect at once. Otherwise a second
 * worker embeds every example again, while the current one answers.
 *
 * @param {Supervisor} engine
 * @param {Taught} taught
 * @param {Options} changes
 * @param {{ onProgress?: ((done: number, total: number) => void) | undefined, signal?: AbortSignal | undefined, keep: () => void,
 *   adding: () => Promise<unknown> | undefined }} how keep: called before the first irreversible step, see abort.js. adding: resolves
 *   when pending examples have arrived
 * @returns {Promise<boolean>} whether every example was embedded again
 */
export async function configure(engine, taught, changes, { onProgress, signal, keep, adding }) {
  engine.assertOpen();
  const next = changed(engine.options, changes);
  if (!next.sound !== !engine.options.sound) throw bad("sound cannot be changed: make another engine with DeepEMD.create");
  if (changes.weights === undefined && (next.workers ?? 1) === (engine.options.workers ?? 1)) {
    if (await adjust(engine, next, { signal, keep })) return false;
  }
  for (const { examples } of taught.classes.values()) {
    const blind = examples.find((e) => e.size === 0);
    if (blind) throw bad(`example "${blind.id}" has no picture to embed again: remove it, or teach the classes to another engine`);
  }
  const link = engine.spare(next);
  const off = () => link.close(signal?.reason);
  signal?.addEventListener("abort", off, { once: true });
  try {
    signal?.throwIfAborted();
    const reply = await engine.init(link, next, changes.weights === undefined ? engine.weights : weightsOf(changes));
    const teaching = new Reteaching(link, onProgress, signal);
    const record = () => taught.classes;
    for (;;) {
      while (!(await teaching.round(record)));
      // The rest runs without interruption, unless a start or an addExample is pending.
      const busy = engine.starting ?? adding();
      if (busy) await busy;
      else if (teaching.complete(taught.classes)) {
        engine.assertOpen();
        if (link.closed) throw link.closed; // it may have crashed during the wait
        keep();
        teaching.enter(taught.classes);
        break;
      }
    }
    engine.replace(link, next, reply);
    return true;
  } catch (error) {
    link.close(/** @type {Error} */ (error));
    throw error;
  } finally {
    signal?.removeEventListener("abort", off);
  }
}

/**
 * Changes the options of the current worker, unless they need new embeddings. An abort restores
 * the former options.
 *
 * @param {Supervisor} engine
 * @param {Options} next
 * @param {{ signal?: AbortSignal | undefined, keep: () => void }} how
 * @returns {Promise<boolean>} whether the worker has them
 */
async function adjust(engine, next, { signal, keep }) {
  const request = (/** @type {Options} */ options) => /** @type {const} */ ({ type: "configure", method: methodOf(options), skip: options.skip ?? false });
  const former = request({ ...engine.options, method: engine.method });
  let sent = false;
  const back = () => sent && void engine.tell(former).catch(() => {}); // its former options
  signal?.addEventListener("abort", back, { once: true });
  try {
    const reply = await engine.request(request(next), { signal, onSent: () => (sent = true) });
    if (reply.embeds) return false;
    const other = answers(reply.method, next) !== answers(engine.method, engine.options);
    if (other) engine.learned = false;
    keep();
    engine.follow(next, reply);
    return true;
  } finally {
    signal?.removeEventListener("abort", back);
  }
}

/**
 * The settings that affect scores, and so the validity of a training.
 *
 * @param {Method} method
 * @param {Options} options
 */
function answers({ strangers, ...method }, { skip = false }) {
  return JSON.stringify([method, skip]);
}
