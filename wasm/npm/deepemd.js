// @ts-check
/**
 * Few-shot image and sound classification by optimal matching, on the device. The engine (Go,
 * compiled to WebAssembly) runs in a Web Worker, so that the page's main thread stays free.
 *
 * The page keeps every class, and every example's pixels and embedding. If the worker crashes,
 * a new one gets them all, without a pass through the model.
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

import { abortable } from "./abort.js";
import { classify, classifyAll, embed, explain } from "./asking.js";
import { bad, demand, label, newId, options as checked, shown } from "./check.js";
import { configure } from "./configure.js";
import { Draft } from "./draft.js";
import { DeepEMDError } from "./error.js";
import { arrived } from "./given.js";
import { check, checkChanges, checkFeatures, checkMethod } from "./options.js";
import { sha256 } from "./sha256.js";
import { Supervisor } from "./supervisor.js";
import { Taught } from "./taught.js";
import { Teaching } from "./teaching.js";
import { train } from "./train.js";

export { DeepEMDError };

/** A classifier: an engine in a worker, with its classes and examples. */
export class DeepEMD extends EventTarget {
  /** @type {Supervisor} */ #engine;
  #taught = new Taught();
  /** @type {Promise<string> | undefined} The SHA-256 of the weights. */ #digest;
  #teaching;
  /** @type {Promise<unknown>} The last change of classes and examples. */ #turns = Promise.resolve();

  /**
   * See deepemd.d.ts, also for the other public members.
   *
   * @param {import("./deepemd.d.ts").CreateOptions} [options]
   * @returns {Promise<DeepEMD>}
   */
  static async create(options = {}) {
    if (/** @type {any} */ (options)?.backbone !== undefined) return DeepEMD.#start(checkFeatures("create", /** @type {any} */ (options)));
    check(options);
    return DeepEMD.#start(options);
  }

  /**
   * @param {import("./deepemd.d.ts").MatcherOptions} options
   * @returns {Promise<DeepEMD>}
   */
  static async matcher(options) {
    return DeepEMD.#start(checkFeatures("matcher", options));
  }

  /**
   * @param {import("./options.js").Settled & { signal?: AbortSignal | undefined }} options
   * @returns {Promise<DeepEMD>}
   */
  static async #start({ signal, ...others }) {
    /** @type {DeepEMD | undefined} */ let engine;
    return abortable(
      signal,
      async (keep) => {
        const settled = await arrived(others);
        signal?.throwIfAborted();
        engine = new DeepEMD(CREATE, settled);
        try {
          await engine.#engine.start();
          keep();
        } catch (error) {
          engine.dispose();
          throw error;
        }
        return engine;
      },
      () => engine?.dispose(),
    );
  }

  /**
   * Internal: use DeepEMD.create.
   *
   * @param {symbol} key
   * @param {import("./deepemd.d.ts").Options} options
   */
  constructor(key, options) {
    super();
    if (key !== CREATE) throw bad("DeepEMD is made by `await DeepEMD.create(options)`, not by `new`");
    this.#engine = new Supervisor(options, () => this.#taught, (type, detail) => this.#report(type, detail));
    this.#teaching = new Teaching(this.#engine);
  }

  /** The running engine: model, kernels, sizes. */
  get info() {
    return this.#engine.info;
  }

  /** The complete method, including defaults. */
  get method() {
    return structuredClone(this.#engine.method);
  }

  /** The available settings. */
  get choices() {
    return structuredClone(this.#engine.choices);
  }

  /**
   * The model that made the embeddings, as in a project file. Engines with the same network can
   * exchange embeddings.
   *
   * @returns {Promise<import("./project.d.ts").Network>}
   */
  async network() {
    return this.#network(this.#engine);
  }

  /** A copy of the weights file. */
  get weights() {
    if (!this.#engine.weights) throw bad("this engine has no weights: its features are computed elsewhere");
    return /** @type {ArrayBuffer} */ (this.#engine.weights).slice(0);
  }

  /** A snapshot of the classes and examples, in order. */
  get classes() {
    return this.#taught.snapshot();
  }

  /**
   * @param {string} name
   * @param {{ id?: string, nothing?: boolean }} [options]
   */
  async addClass(name, options = {}) {
    const { id, nothing = false } = checked("addClass", options, { id: "text", nothing: "flag" });
    const text = label(name);
    this.#engine.assertOpen();
    const classId = this.#taught.addClass(text, newId(id), nothing);
    await this.#engine.tell({ type: "addClass", classId, label: text, nothing });
    return classId;
  }

  /**
   * @param {string} id
   * @param {string} name
   */
  async renameClass(id, name) {
    const text = label(name);
    this.#engine.assertOpen();
    this.#taught.class(id).label = text;
    await this.#engine.tell({ type: "renameClass", classId: id, label: text });
  }

  /** @param {string} id */
  async removeClass(id) {
    this.#engine.assertOpen();
    const { examples, enabled, nothing } = this.#taught.class(id);
    if (examples.length > 0 && enabled && !nothing) this.#engine.forget();
    this.#taught.classes.delete(id);
    await this.#engine.tell({ type: "removeClass", classId: id });
  }

  /**
   * @param {string} id
   * @param {boolean} enabled
   */
  async enableClass(id, enabled) {
    demand(enabled, "flag", "enabled");
    this.#engine.assertOpen();
    const taught = this.#taught.class(id);
    // Pending examples forget when they arrive.
    if (taught.enabled !== enabled && taught.examples.length > 0 && !taught.nothing) this.#engine.forget();
    taught.enabled = enabled;
    await this.#engine.tell({ type: "enableClass", classId: id, enabled });
  }

  /**
   * @param {import("./deepemd.d.ts").Changes} changes
   * @param {import("./deepemd.d.ts").ConfigureOptions} [how]
   */
  async configure(changes, how = {}) {
    const { onProgress, signal } = checked("configure", how, { onProgress: "call", signal: "signal" });
    checkChanges(changes, this.#engine.options);
    return this.#turn(signal, async (keep) => {
      const adding = () => this.#teaching.settled;
      const embedded = await configure(this.#engine, this.#taught, await arrived(changes), { onProgress, signal, keep, adding });
      if (changes.weights !== undefined) this.#digest = undefined;
      if (embedded) this.#report("embed", { message: "every example was embedded again" });
    });
  }

  /**
   * @param {MethodOption} method
   * @param {(draft: import("./deepemd.d.ts").Draft) => Promise<void>} teach
   * @param {{ signal?: AbortSignal | undefined }} [how]
   */
  async replace(method, teach, how = {}) {
    const { signal } = checked("replace", how, { signal: "signal" });
    checkMethod(method);
    demand(teach, "call", "teach");
    return this.#turn(signal, async (keep) => {
      this.#engine.assertOpen();
      const before = this.#engine.method;
      const draft = await Draft.begin(this.#engine, method);
      try {
        const open = {
          addClass: draft.addClass.bind(draft),
          addExample: draft.addExample.bind(draft),
          network: () => this.#network(draft),
          reshape: draft.reshape.bind(draft),
        };
        await abortable(signal, async () => teach(open));
        keep();
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
   * @param {{ signal?: AbortSignal | undefined }} [options]
   * @returns {Promise<Review>}
   */
  async review(options = {}) {
    const { signal } = checked("review", options, { signal: "signal" });
    return this.#engine.job({ type: "review" }, { signal });
  }

  /**
   * @param {import("./deepemd.d.ts").GrowthOptions} [options]
   * @returns {Promise<import("./deepemd.d.ts").Growth>}
   */
  async growth(options = {}) {
    const { onProgress, signal } = checked("growth", options, { onProgress: "call", signal: "signal" });
    return this.#engine.job({ type: "growth" }, { signal, onProgress });
  }

  /**
   * @param {string} classId
   * @param {Source} source
   * @param {import("./deepemd.d.ts").AddExampleOptions} [options]
   * @returns {Promise<Example & { answer?: Answer }>}
   */
  async addExample(classId, source, options = {}) {
    return this.#teaching.add(classId, source, options);
  }

  /** @param {string} exampleId */
  async removeExample(exampleId) {
    this.#engine.assertOpen();
    const owner = this.#taught.removeExample(exampleId);
    if (!owner) throw new DeepEMDError("unknown-example", `there is no example ${shown(exampleId)}: was it removed already?`);
    if (owner.enabled && !owner.nothing) this.#engine.forget();
    await this.#engine.tell({ type: "removeExample", exampleId });
  }

  /**
   * @param {Source} source
   * @param {import("./deepemd.d.ts").ClassifyOptions} [options]
   * @returns {Promise<Answer>}
   */
  async classify(source, options = {}) {
    return classify(this.#engine, source, options);
  }

  /**
   * @param {Iterable<Source>} sources
   * @param {import("./deepemd.d.ts").ClassifyAllOptions} [options]
   * @returns {Promise<PromiseSettledResult<Answer>[]>}
   */
  async classifyAll(sources, options = {}) {
    return classifyAll(this.#engine, sources, options);
  }

  /**
   * @param {import("./deepemd.d.ts").ExplainOptions} [options]
   * @returns {Promise<Explanation>}
   */
  async explain(options = {}) {
    return explain(this.#engine, options);
  }

  /**
   * @param {Source} source
   * @param {{ signal?: AbortSignal | undefined }} [options]
   * @returns {Promise<import("./deepemd.d.ts").Embedding>}
   */
  async embed(source, options = {}) {
    return embed(this.#engine, source, options);
  }

  /**
   * @param {TrainOptions} [options]
   * @returns {Promise<Training>}
   */
  async train(options = {}) {
    return train(this.#engine, options);
  }

  /** Whether answers come from the result of train. A change of the examples ends this. */
  get learned() {
    return this.#engine.learned;
  }

  /** Ends the worker. Pending and later calls reject with the code "disposed". */
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

  /** For measurements: the engine's memory in bytes, after a garbage collection if `collect` is set, and its pauses. */
  async [Symbol.for("deepemd.memory")](collect = false) {
    const { wasm, heap, allocated, collections, worstPauseMs } = await this.#engine.request({ type: "memory", collect });
    return { wasm, heap, allocated, collections, worstPauseMs };
  }

  /**
   * Runs changes of classes and examples in sequence.
   *
   * @param {AbortSignal | undefined} signal
   * @param {(keep: () => void) => Promise<void>} change see abort.js
   */
  #turn(signal, change) {
    return abortable(signal, (keep) => {
      const turn = this.#turns.then(() => {
        signal?.throwIfAborted();
        return change(keep);
      });
      this.#turns = turn.catch(() => {});
      return turn;
    });
  }

  /**
   * @param {{ info: import("./deepemd.d.ts").Info, method: import("./deepemd.d.ts").Method }} of
   * @returns {Promise<import("./project.d.ts").Network>}
   */
  async #network({ info, method }) {
    this.#engine.assertOpen();
    if (info.features) return { name: info.name, nodes: info.nodes, channels: info.channels };
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

// `using engine = await DeepEMD.create()`, in runtimes that support it.
if (Symbol.dispose) Object.defineProperty(DeepEMD.prototype, Symbol.dispose, { value: DeepEMD.prototype.dispose, writable: true, configurable: true });
