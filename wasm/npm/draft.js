// @ts-check
/**
 * What is to take the place of all that an engine was taught: laid out beside it in
 * the same worker, by a method of its own, and put in place whole or not at all.
 *
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").MethodOption} MethodOption
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./protocol.d.ts").Replies} Replies
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./link.js").Link} Link
 */

import { DeepEMDError, isCrash } from "./error.js";
import { withoutMethod } from "./options.js";
import { perceive } from "./source.js";
import { Taught, exampleOf } from "./taught.js";

/** A draft; see Draft of deepemd.d.ts. */
export class Draft {
  /** What it was taught so far. */
  taught = new Taught();
  #engine;
  #link;
  #reply;

  /**
   * @param {Supervisor} engine
   * @param {MethodOption} method
   */
  static async begin(engine, method) {
    const link = await engine.link();
    const { workers = 1 } = engine.options;
    // The worker has helpers where pictures had crops already.
    const weights = workers > 1 && engine.info.workers === 1 && engine.weights instanceof ArrayBuffer ? engine.weights : undefined;
    return new Draft(engine, link, await link.request({ type: "begin", method, workers, weights }));
  }

  /**
   * @param {Supervisor} engine
   * @param {Link} link
   * @param {Replies["begin"]} reply
   */
  constructor(engine, link, reply) {
    this.#engine = engine;
    this.#link = link;
    this.#reply = reply;
  }

  get info() {
    return this.#reply.info;
  }

  get method() {
    return this.#reply.method;
  }

  /**
   * @param {string} label
   * @param {{ id?: string, enabled?: boolean }} [options]
   */
  async addClass(label, { id, enabled = true } = {}) {
    const classId = this.taught.addClass(String(label), id);
    await this.#link.request({ type: "addClass", classId, label: String(label), draft: true });
    if (!enabled) {
      this.taught.class(classId).enabled = false;
      await this.#link.request({ type: "enableClass", classId, enabled, draft: true });
    }
    return classId;
  }

  /**
   * @param {string} classId
   * @param {Source} source
   * @param {{ id?: string, embedding?: Float32Array }} [options]
   * @returns {Promise<Example>}
   */
  async addExample(classId, source, { id, embedding } = {}) {
    this.taught.class(classId);
    const exampleId = this.taught.exampleId(id);
    const { parts, release } = await perceive(this.#engine, source, {});
    try {
      const reply = await this.#link.request({ type: "addExample", classId, exampleId, ...parts, embedding, draft: true });
      const example = exampleOf(exampleId, classId, reply, embedding);
      this.taught.addExample(example);
      return example;
    } finally {
      release();
    }
  }

  /**
   * Puts the draft in place. From the call on, it is what the page keeps; should the
   * worker die over it, the next one is taught the draft.
   *
   * @param {() => void} record called when there is no way back
   */
  async commit(record) {
    const engine = this.#engine;
    if (!engine.uses(this.#link)) throw new DeepEMDError("crashed", "the engine died meanwhile: all is as it was; try again");
    engine.follow({ ...withoutMethod(engine.options), method: this.method }, this.#reply);
    engine.learned = false;
    record();
    try {
      await this.#link.request({ type: "commit" });
    } catch (error) {
      if (!isCrash(error)) throw error;
      await engine.start();
    }
  }

  /** Drops the draft. */
  async discard() {
    await this.#link.request({ type: "discard" }).catch(() => {}); // a worker that died has none
  }
}
