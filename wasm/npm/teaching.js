// @ts-check
/**
 * Teaching one example, to what is in use or to a draft.
 *
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./protocol.d.ts").AddExampleReply} AddExampleReply
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./taught.js").Taught} Taught
 */

import { isCrash } from "./error.js";
import { perceive } from "./source.js";
import { exampleOf } from "./taught.js";

/** Examples on their way to the worker in use. */
export class Teaching {
  /** @type {Set<Promise<unknown>>} */ #adding = new Set();
  #engine;

  /** @param {Supervisor} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /** Resolves when the examples on their way have arrived; undefined when there are none. */
  get settled() {
    return this.#adding.size > 0 ? Promise.allSettled([...this.#adding]) : undefined;
  }

  /**
   * See addExample of deepemd.d.ts.
   *
   * @param {() => Taught} record where the example belongs
   * @param {string} classId
   * @param {Source} source
   * @param {{ id?: string, embedding?: Float32Array, answer?: boolean }} options
   * @returns {Promise<Example & { answer?: Answer }>}
   */
  async add(record, classId, source, { id, embedding, answer = false }) {
    const engine = this.#engine;
    engine.assertOpen();
    const taught = record();
    taught.class(classId);
    const exampleId = taught.exampleId(id);
    const begin = performance.now();
    const { parts, release } = await perceive(engine, source, {});
    try {
      const request = /** @type {const} */ ({ type: "addExample", classId, exampleId, ...parts, embedding, answer });
      const added = engine.request(request).catch((error) => {
        if (!isCrash(error) || engine.disposed || record() !== taught) throw error;
        return engine.request(request);
      }).then((/** @type {AddExampleReply} */ reply) => {
        const example = exampleOf(exampleId, classId, reply, embedding);
        engine.learned = false;
        taught.addExample(example);
        const { scores, matchMs = 0 } = reply;
        if (!scores) return example;
        const ms = performance.now() - begin;
        return { ...example, answer: { scores, ms, embedMs: ms - matchMs, matchMs } };
      });
      this.#adding.add(added);
      return await added.finally(() => this.#adding.delete(added));
    } finally {
      release();
    }
  }
}
