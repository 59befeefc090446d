// @ts-check
/**
 * Adds one example: sends it to the worker and records it.
 *
 * @typedef {import("./deepemd.d.ts").AddExampleOptions} AddExampleOptions
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./protocol.d.ts").Added} Added
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 */

import { abortable } from "./abort.js";
import { bad, kindOf, newId, options as checked, shown } from "./check.js";
import { DeepEMDError, isCrash } from "./error.js";
import { handOut } from "./handout.js";
import { perceive } from "./source.js";
import { exampleOf } from "./taught.js";

/** Pending examples of the current worker. */
export class Teaching {
  /** @type {Set<Promise<unknown>>} */ #adding = new Set();
  #engine;

  /** @param {Supervisor} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /** Resolves when the pending examples have arrived; undefined if there are none. */
  get settled() {
    return this.#adding.size > 0 ? Promise.allSettled([...this.#adding]) : undefined;
  }

  /**
   * See addExample of deepemd.d.ts.
   *
   * @param {string} classId
   * @param {Source} source
   * @param {AddExampleOptions} options
   * @returns {Promise<Example & { answer?: Answer }>}
   */
  async add(classId, source, options) {
    const { id, embedding, original, thumbnail, answer = false, signal } = checked("addExample", options, {
      id: "text", embedding: "any", original: "object", thumbnail: "any", answer: "flag", signal: "signal",
    });
    if (original && (kindOf(original.pixels) !== "Uint8Array" || original.pixels.length !== 3 * original.size ** 2)) {
      throw bad(`original has the size ${shown(original.size)} and as pixels ${shown(original.pixels)}: want the original of an example, a Uint8Array of size·size·3`);
    }
    const more = original && { size: original.size, pixels: original.pixels.slice() }; // the caller may change its own
    const engine = this.#engine;
    engine.assertOpen();
    const taught = engine.record();
    const owner = taught.class(classId);
    const exampleId = taught.reserve(newId(id));
    const begin = performance.now();
    let release = () => {};
    try {
      const perceived = await perceive(engine, source, { signal, embedding, thumbnail });
      release = perceived.release;
      const request = /** @type {const} */ ({ type: "addExample", classId, exampleId, ...perceived.parts, answer });
      // A class may have been removed, and another have its id.
      const isThere = () => taught.classes.get(classId) === owner;
      const check = () => {
        if (engine.record() !== taught || !isThere()) throw removed(classId);
      };
      let enabled = false;
      const onSent = () => {
        enabled = owner.enabled;
        if (answer) engine.shown = request;
      };
      const send = () => engine.request(request, { signal, check, onSent });
      return await abortable(
        signal,
        async (keep) => {
          const added = send().catch((error) => {
            if (!isCrash(error) || engine.disposed || engine.record() !== taught) throw error;
            return send();
          }).then((/** @type {Added} */ reply) => {
            if ((enabled || owner.enabled) && !owner.nothing) engine.learned = false;
            keep();
            if (!isThere()) throw removed(classId);
            return { reply, example: taught.addExample(exampleOf(exampleId, classId, reply, perceived.parts.embedding, more)) };
          });
          this.#adding.add(added);
          const { reply, example } = await added.finally(() => this.#adding.delete(added));
          const handed = handOut(example);
          if (!reply.answer) return handed;
          const ms = performance.now() - begin;
          return Object.assign(handed, { answer: { ...reply.answer, ms, embedMs: ms - reply.answer.matchMs } });
        },
        () => {
          // Requests run in order: the worker forgets the example directly after learning it.
          if (engine.shown === request) engine.shown = undefined;
          void engine.tell({ type: "removeExample", exampleId }).catch(() => {}); // fails if the example was not added
        },
      );
    } finally {
      release();
      taught.free(exampleId);
    }
  }
}

/** @param {string} classId */
function removed(classId) {
  return new DeepEMDError("unknown-class", `the class "${classId}" was removed during the call`);
}
