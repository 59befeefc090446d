// @ts-check
/**
 * New content of an engine. The worker builds it next to the current content, with its own method,
 * and replaces the current content atomically.
 *
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").MethodOption} MethodOption
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./protocol.d.ts").Replies} Replies
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./link.js").Link} Link
 */

import { bad, label, newId, options as checked } from "./check.js";
import { DeepEMDError, isCrash } from "./error.js";
import { reshaped } from "./features.js";
import { handOut } from "./handout.js";
import { withoutMethod } from "./options.js";
import { perceive } from "./source.js";
import { Taught, exampleOf } from "./taught.js";

/** A draft; see Draft of deepemd.d.ts. */
export class Draft {
  /** The classes and examples of the draft. */
  taught = new Taught();
  #engine;
  #link;
  #reply;
  /** @type {import("./protocol.d.ts").Features | undefined} The shape of its features, if known. */ #features;
  /** Whether the draft was committed or discarded. */ #over = false;

  /**
   * @param {Supervisor} engine
   * @param {MethodOption} method
   */
  static async begin(engine, method) {
    const link = await engine.link();
    const { workers = 1 } = engine.options;
    // A worker with helpers already has its weights.
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

  /** The caller's backbone, if there is one. */
  get backbone() {
    return this.#engine.backbone;
  }

  /**
   * See Draft of deepemd.d.ts.
   *
   * @param {{ nodes: number, channels: number, regions?: Float32Array }} made
   */
  async reshape(made) {
    const { name, nodes, channels } = this.info;
    const features = reshaped({ ...this.#engine.options.features, name, nodes, channels }, made);
    if (!features) return;
    this.#assertOpen();
    this.#reply = { ...this.#reply, info: { ...this.info, nodes: features.nodes, channels: features.channels } };
    this.#features = features;
    await this.#link.request({ type: "reshape", features, draft: true });
  }

  /**
   * See Draft of deepemd.d.ts.
   *
   * @param {string} name of the class
   * @param {{ id?: string, enabled?: boolean, nothing?: boolean }} [options]
   */
  async addClass(name, options = {}) {
    const { id, enabled = true, nothing = false } = checked("addClass", options, { id: "text", enabled: "flag", nothing: "flag" });
    const text = label(name);
    this.#assertOpen();
    const classId = this.taught.addClass(text, newId(id), nothing);
    await this.#link.request({ type: "addClass", classId, label: text, nothing, draft: true });
    if (!enabled) {
      this.taught.class(classId).enabled = false;
      this.#assertOpen();
      await this.#link.request({ type: "enableClass", classId, enabled, draft: true });
    }
    return classId;
  }

  /**
   * See Draft of deepemd.d.ts.
   *
   * @param {string} classId
   * @param {Source} source
   * @param {{ id?: string, embedding?: Float32Array, thumbnail?: Source }} [options]
   * @returns {Promise<Example>}
   */
  async addExample(classId, source, options = {}) {
    const { id, embedding, thumbnail } = checked("addExample", options, { id: "text", embedding: "any", thumbnail: "any" });
    this.taught.class(classId);
    const exampleId = this.taught.reserve(newId(id));
    let release = () => {};
    try {
      const perceived = await perceive(this, source, { embedding, thumbnail });
      release = perceived.release;
      this.#assertOpen();
      const reply = await this.#link.request({ type: "addExample", classId, exampleId, ...perceived.parts, draft: true });
      return handOut(this.taught.addExample(exampleOf(exampleId, classId, reply, perceived.parts.embedding)));
    } finally {
      release();
      this.taught.free(exampleId);
    }
  }

  /**
   * Makes the draft the engine's content. If the worker crashes, the next one gets the draft.
   *
   * @param {() => void} record called at the first irreversible step
   */
  async commit(record) {
    const engine = this.#engine;
    const { features } = engine.options;
    if (features && this.info.nodes === 0 && features.nodes > 0) await this.reshape(features); // known since the draft began
    // Learn the head of many examples while the old content answers.
    if (engine.uses(this.#link)) await this.#link.request({ type: "learn", draft: true });
    this.#over = true;
    if (!engine.uses(this.#link)) throw new DeepEMDError("crashed", "the engine crashed during the call: nothing has changed; try again");
    engine.follow({ ...withoutMethod(engine.options), ...(this.#features && { features: this.#features }), method: this.method }, this.#reply);
    engine.forget();
    engine.shown = undefined;
    record();
    try {
      await this.#link.request({ type: "commit" });
    } catch (error) {
      if (!isCrash(error)) throw error;
      await engine.start();
    }
  }

  /** Discards the draft. */
  async discard() {
    this.#over = true;
    await this.#link.request({ type: "discard" }).catch(() => {}); // a crashed worker has no draft
  }

  #assertOpen() {
    if (this.#over) throw bad("the draft has ended: fill it before the function passed to replace returns");
  }
}
