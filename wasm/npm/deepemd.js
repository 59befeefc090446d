// @ts-check
/**
 * deepemd.js: few-shot image classification by optimal matching, in the page,
 * on the device. This module is what a page imports; the engine behind it (Go,
 * compiled to WebAssembly) lives in a Web Worker, so that nothing heavy runs on
 * the page's main thread.
 *
 * The page keeps what was taught: every class, and of every example the pixels
 * that the network saw and what it made of them. Should the worker die, a new one
 * is started and told all of it, which takes no pass through the network.
 *
 * @example
 * import { DeepEMD } from "./deepemd.js";
 * const engine = await DeepEMD.create();
 * const cup = await engine.addClass("cup"), pen = await engine.addClass("pen");
 * await engine.addExample(cup, cupFile);
 * await engine.addExample(pen, penFile);
 * const { scores } = await engine.classify(video);   // best first
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").Explanation} Explanation
 * @typedef {import("./deepemd.d.ts").MethodOption} MethodOption
 * @typedef {import("./deepemd.d.ts").Review} Review
 * @typedef {import("./deepemd.d.ts").Training} Training
 * @typedef {import("./deepemd.d.ts").TrainOptions} TrainOptions
 */

import { classify, explain } from "./asking.js";
import { configure } from "./configure.js";
import { Draft } from "./draft.js";
import { DeepEMDError } from "./error.js";
import { arrived } from "./given.js";
import { check } from "./options.js";
import { sha256 } from "./sha256.js";
import { Supervisor } from "./supervisor.js";
import { Taught } from "./taught.js";
import { Teaching } from "./teaching.js";
import { train } from "./train.js";

export { DeepEMDError };

/** One classifier: an engine in a worker, and what it was taught. */
export class DeepEMD extends EventTarget {
  /** @type {Supervisor} */ #engine;
  #taught = new Taught();
  #training = false;
  /** @type {Promise<string> | undefined} Of the weights file. */ #digest;
  #teaching;
  /** @type {Promise<unknown>} The last change of all that was taught. */ #turns = Promise.resolve();

  /**
   * Starts an engine: fetches and compiles it, fetches the weights, and
   * resolves when it can be taught.
   *
   * @param {Options} [options]
   * @returns {Promise<DeepEMD>}
   */
  static async create(options = {}) {
    const engine = new DeepEMD(CREATE, await arrived(options));
    try {
      await engine.#engine.start();
    } catch (error) {
      engine.dispose();
      throw error;
    }
    return engine;
  }

  /**
   * Not for callers: use DeepEMD.create.
   *
   * @param {symbol} key
   * @param {Options} options
   */
  constructor(key, options) {
    super();
    if (key !== CREATE) throw new TypeError("DeepEMD is made by `await DeepEMD.create(options)`, not by `new`");
    check(options);
    this.#engine = new Supervisor({ ...options }, () => this.#taught, (type, detail) => this.#report(type, detail));
    this.#teaching = new Teaching(this.#engine);
  }

  /** What runs: network, kernels, sizes. */
  get info() {
    return this.#engine.info;
  }

  /** How things are recognised, in full: what options left out is there. */
  get method() {
    return structuredClone(this.#engine.method);
  }

  /** What the engine can be told to do. */
  get choices() {
    return structuredClone(this.#engine.choices);
  }

  /**
   * Whose embeddings the examples have: those of an engine that says the same may be
   * given to this one. Resolves to what a project file says of it.
   *
   * @returns {Promise<import("./project.d.ts").Network>}
   */
  async network() {
    return this.#network(this.#engine);
  }

  /** The weights file, as it was fetched or given. */
  get weights() {
    return /** @type {ArrayBuffer} */ (this.#engine.weights);
  }

  /** What was taught, in the order of teaching: a snapshot. */
  get classes() {
    return this.#taught.snapshot();
  }

  /**
   * Adds a class without examples and resolves to its id.
   *
   * @param {string} label
   * @param {{ id?: string }} [options]
   */
  async addClass(label, options = {}) {
    this.#engine.assertOpen();
    const id = this.#taught.addClass(String(label), options.id);
    await this.#engine.tell({ type: "addClass", classId: id, label: String(label) });
    return id;
  }

  /**
   * @param {string} id
   * @param {string} label
   */
  async renameClass(id, label) {
    this.#engine.assertOpen();
    this.#taught.class(id).label = String(label);
    await this.#engine.tell({ type: "renameClass", classId: id, label: String(label) });
  }

  /** @param {string} id */
  async removeClass(id) {
    this.#engine.assertOpen();
    if (this.#taught.class(id).examples.length > 0) this.#engine.learned = false;
    this.#taught.classes.delete(id);
    await this.#engine.tell({ type: "removeClass", classId: id });
  }

  /**
   * Has a class considered or passed over, with all its examples.
   *
   * @param {string} id
   * @param {boolean} enabled
   */
  async enableClass(id, enabled) {
    this.#engine.assertOpen();
    this.#taught.class(id).enabled = Boolean(enabled);
    this.#engine.learned = false;
    await this.#engine.tell({ type: "enableClass", classId: id, enabled: Boolean(enabled) });
  }

  /**
   * Changes options while everything that was taught is kept. What changes the method
   * but for its embedder takes hold at once. Another embedder, number of workers or
   * network has every example embedded again, in a second worker, while this one goes on
   * answering; until then, and if it fails, all stays as it was.
   *
   * @param {Options} changes options that are not named stay
   * @param {{ onProgress?: (done: number, total: number) => void, signal?: AbortSignal }} [how] onProgress: examples embedded
   */
  configure(changes, { onProgress, signal } = {}) {
    return this.#turn(async () => {
      const adding = () => this.#teaching.settled;
      const embedded = await configure(this.#engine, this.#taught, await arrived(changes), { onProgress, signal, adding });
      if (changes.weights !== undefined) this.#digest = undefined;
      if (embedded) this.#report("embed", { message: "every example was embedded again" });
    });
  }

  /**
   * Puts something else in the place of all that was taught, with a method of its own:
   * whole or, where anything fails, not at all. Meanwhile the engine goes on answering.
   *
   * @param {MethodOption} method what it leaves out is as by default
   * @param {(draft: import("./deepemd.d.ts").Draft) => Promise<void>} teach
   */
  replace(method, teach) {
    return this.#turn(async () => {
      this.#engine.assertOpen();
      const before = this.#engine.method;
      const draft = await Draft.begin(this.#engine, method);
      try {
        await teach({
          addClass: (label, options) => draft.addClass(label, options),
          addExample: (classId, source, options) => draft.addExample(classId, source, options),
          network: () => this.#network(draft),
        });
      } catch (error) {
        await draft.discard();
        throw error;
      }
      await draft.commit(() => {
        this.#taught = draft.taught;
      });
      if (JSON.stringify(before.embedder) !== JSON.stringify(draft.method.embedder)) this.#report("embed", { message: "examples are embedded in another way" });
    });
  }

  /**
   * What the examples say about themselves: each left out in turn and beside each
   * other. Disabled classes are passed over. Rejects with code "empty" before the
   * first example.
   *
   * @returns {Promise<Review>}
   */
  async review() {
    return (await this.#engine.request({ type: "review" })).review;
  }

  /**
   * Shows the engine one example of a class. An example that was being added
   * when the worker died is added again after the restart.
   *
   * @param {string} classId
   * @param {Source} source
   * @param {{ id?: string, embedding?: Float32Array, answer?: boolean }} [options] embedding: of the same picture, from before; it saves a pass
   *   through the network. answer: also say what the picture is taken for now, without another pass
   * @returns {Promise<Example & { answer?: Answer }>}
   */
  async addExample(classId, source, options = {}) {
    return this.#teaching.add(() => this.#taught, classId, source, options);
  }

  /** @param {string} exampleId */
  async removeExample(exampleId) {
    this.#engine.assertOpen();
    if (!this.#taught.removeExample(exampleId)) throw new DeepEMDError("unknown-example", `there is no example "${exampleId}": was it removed already?`);
    this.#engine.learned = false;
    await this.#engine.tell({ type: "removeExample", exampleId });
  }

  /**
   * Classifies one picture among the classes that have examples.
   *
   * @param {Source} source
   * @param {{ pixels?: boolean, explain?: boolean | string, unknown?: boolean }} [options] pixels: also return what the
   *   network saw; explain: also say why, for the best class or for the one with the given id; unknown: say whether it is
   *   any of the classes, also where the method names no strangers
   * @returns {Promise<Answer>}
   */
  async classify(source, options = {}) {
    return classify(this.#engine, () => this.#taught, source, options);
  }

  /**
   * Says why a picture is so like a class, or so unlike: its match with the class's
   * example that it matches best, region by region. Without a source it is about
   * the picture that was classified last, which costs the matching only.
   *
   * @param {{ source?: Source, classId?: string }} [options] classId: default the best class
   * @returns {Promise<Explanation>}
   */
  async explain(options = {}) {
    return explain(this.#engine, () => this.#taught, options);
  }

  /**
   * Learns the classes from their examples (the structured fully connected layer):
   * from then on pictures are matched with what was learned instead of the examples'
   * means, until an example comes or goes, or the engine is restarted. Meanwhile
   * everything else goes on, by means.
   *
   * @param {TrainOptions} [options]
   * @returns {Promise<Training>}
   */
  async train(options = {}) {
    this.#engine.assertOpen();
    if (this.#training) throw new DeepEMDError("bad-argument", "the classes are being learned already: wait for the end, or abort by the signal");
    this.#training = true;
    try {
      const result = await train((request) => this.#engine.request(request), options);
      this.#engine.learned = true;
      return result;
    } finally {
      this.#training = false;
    }
  }

  /** Whether answers come from what train has learned: until an example comes or goes. */
  get learned() {
    return this.#engine.learned;
  }

  /** Ends the worker. Pending and later calls reject with code "disposed". */
  dispose() {
    this.#engine.dispose();
  }

  /**
   * For tests: makes the engine fail in the given way.
   *
   * @param {"panic" | "memory" | "hang" | "exit"} how
   */
  async [Symbol.for("deepemd.crash")](how) {
    await this.#engine.request({ type: "crash", how });
  }

  /** For measurements: the bytes that the engine holds, and its pauses. */
  async [Symbol.for("deepemd.memory")]() {
    const { wasm, heap, allocated, collections, worstPauseMs } = await this.#engine.request({ type: "memory" });
    return { wasm, heap, allocated, collections, worstPauseMs };
  }

  /** @param {() => Promise<void>} change of all that was taught: one after the other */
  #turn(change) {
    const turn = this.#turns.then(change);
    this.#turns = turn.catch(() => {});
    return turn;
  }

  /**
   * @param {{ info: import("./deepemd.d.ts").Info, method: import("./deepemd.d.ts").Method }} of
   * @returns {Promise<import("./project.d.ts").Network>}
   */
  async #network({ info, method }) {
    this.#engine.assertOpen();
    const { weights } = this.#engine;
    if (!(weights instanceof ArrayBuffer)) throw new DeepEMDError("internal", "the engine was not started");
    this.#digest ??= sha256(weights);
    const { name, nodes, channels, preprocess } = info;
    return { name, sha256: await this.#digest, embedder: method.embedder, nodes, channels, preprocess };
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #report(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

const CREATE = Symbol("create");
