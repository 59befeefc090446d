// @ts-check
/**
 * Changing an engine's options while what was taught is kept.
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
 * Changes options. What needs no new embeddings takes hold at once; else every example
 * is embedded again in a second worker, while the one in use goes on answering.
 *
 * @param {Supervisor} engine
 * @param {Taught} taught
 * @param {Options} changes
 * @param {{ onProgress?: ((done: number, total: number) => void) | undefined, signal?: AbortSignal | undefined, keep: () => void,
 *   adding: () => Promise<unknown> | undefined }} how keep: called before what cannot be called off, see abort.js. adding: resolves when
 *   the examples on their way have arrived
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
      // From here to the end nothing else runs, unless something is under way.
      const busy = engine.starting ?? adding();
      if (busy) await busy;
      else if (teaching.complete(taught.classes)) {
        engine.assertOpen();
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
 * Has the worker in use go by other options, unless those need other embeddings. Where
 * this is called off, the worker goes by the former ones again.
 *
 * @param {Supervisor} engine
 * @param {Options} next
 * @param {{ signal?: AbortSignal | undefined, keep: () => void }} how
 * @returns {Promise<boolean>} whether it does
 */
async function adjust(engine, next, { signal, keep }) {
  const request = (/** @type {Options} */ options) => /** @type {const} */ ({ type: "configure", method: methodOf(options), skip: options.skip ?? false });
  const former = request({ ...engine.options, method: engine.method });
  let sent = false;
  const back = () => sent && void engine.tell(former).catch(() => {}); // it went by these before
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
 * What decides about scores, and so what was learned for.
 *
 * @param {Method} method
 * @param {Options} options
 */
function answers({ strangers, ...method }, { skip = false }) {
  return JSON.stringify([method, skip]);
}
