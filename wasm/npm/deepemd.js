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
 * @typedef {import("./deepemd.d.ts").Info} Info
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").Explanation} Explanation
 * @typedef {import("./deepemd.d.ts").Review} Review
 * @typedef {import("./deepemd.d.ts").Request} Request
 * @typedef {import("./deepemd.d.ts").Training} Training
 * @typedef {import("./deepemd.d.ts").TrainOptions} TrainOptions
 */

import { DeepEMDError, isCrash } from "./error.js";
import { explanation } from "./explanation.js";
import { Link, pageAddress } from "./link.js";
import { networks } from "./networks.js";
import { DEFAULT_TIMEOUT, check, describe, folder, methods } from "./options.js";
import { keep, pack } from "./picture.js";
import { Reteaching } from "./reteach.js";
import { sha256 } from "./sha256.js";
import { Taught } from "./taught.js";
import { train } from "./train.js";

export { DeepEMDError };

/** How often a start is tried before the caller is told that it fails. */
const START_ATTEMPTS = 2;

/** One classifier: a worker, and what it was taught. */
export class DeepEMD extends EventTarget {
  /** @type {Options} */ #options;
  /** @type {URL} */ #base;
  /** @type {string | ArrayBuffer} */ #weights;
  /** @type {WebAssembly.Module | undefined} */ #module;
  /** @type {Info | undefined} */ #info;
  #taught = new Taught();
  /** @type {Link | undefined} The worker in use; undefined when none runs. */ #link;
  /** True once the worker in use has been told everything in #taught. */
  #told = false;
  /** Whether answers come from what train has learned. */
  #learned = false;
  #training = false;
  /** @type {Promise<void> | undefined} The start under way, if one is. */ #starting;
  /** @type {Promise<string> | undefined} Of the weights file. */ #digest;
  /** @type {Set<Promise<unknown>>} Examples on their way to the worker. */ #adding = new Set();
  /** @type {Promise<unknown>} The last change of options. */ #configured = Promise.resolve();
  #lowMemory = false;
  #disposed = false;
  #lastId = 0;

  /**
   * Starts an engine: fetches and compiles it, fetches the weights, and
   * resolves when it can be taught.
   *
   * @param {Options} [options]
   * @returns {Promise<DeepEMD>}
   */
  static async create(options = {}) {
    const engine = new DeepEMD(CREATE, options);
    try {
      await engine.#start();
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
    this.#options = { ...options };
    check(options);
    this.#base = folder(options.base ?? new URL(".", import.meta.url));
    this.#weights = this.#locate(options.weights);
  }

  /**
   * What the option "weights" means.
   *
   * @param {Options["weights"]} weights
   */
  #locate(weights) {
    if (weights instanceof ArrayBuffer) return weights;
    if (weights !== undefined) return new URL(weights, pageAddress()).href;
    return new URL(this.#options.sound ? networks.sounds : networks.pictures, this.#base).href;
  }

  /** Where the worker's script lies. */
  #script() {
    return new URL(this.#options.worker ?? "worker.js", this.#base);
  }

  /** What runs: network, kernels, sizes. */
  get info() {
    return /** @type {Info} */ (this.#info);
  }

  /**
   * Whose embeddings the examples have: those of an engine that says the same may be
   * given to this one. Resolves to what a project file says of it.
   *
   * @returns {Promise<import("./project.d.ts").Network>}
   */
  async network() {
    this.#assertOpen();
    const weights = this.#weights;
    if (!(weights instanceof ArrayBuffer)) throw new DeepEMDError("internal", "the engine was not started");
    this.#digest ??= sha256(weights);
    const { name, nodes, channels, preprocess } = this.info;
    const embedder = /** @type {import("./deepemd.d.ts").Embedder} */ (describe(this.#options));
    return { name, sha256: await this.#digest, embedder, nodes, channels, preprocess };
  }

  /** The weights file, as it was fetched or given. */
  get weights() {
    return /** @type {ArrayBuffer} */ (this.#weights);
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
    this.#assertOpen();
    const id = this.#taught.addClass(String(label), options.id);
    await this.#tell({ type: "addClass", classId: id, label: String(label) });
    return id;
  }

  /**
   * @param {string} id
   * @param {string} label
   */
  async renameClass(id, label) {
    this.#assertOpen();
    this.#taught.class(id).label = String(label);
    await this.#tell({ type: "renameClass", classId: id, label: String(label) });
  }

  /** @param {string} id */
  async removeClass(id) {
    this.#assertOpen();
    if (this.#taught.class(id).examples.length > 0) this.#learned = false;
    this.#taught.classes.delete(id);
    await this.#tell({ type: "removeClass", classId: id });
  }

  /**
   * Has a class considered or passed over, with all its examples.
   *
   * @param {string} id
   * @param {boolean} enabled
   */
  async enableClass(id, enabled) {
    this.#assertOpen();
    this.#taught.class(id).enabled = Boolean(enabled);
    this.#learned = false;
    await this.#tell({ type: "enableClass", classId: id, enabled: Boolean(enabled) });
  }

  /**
   * Changes options while everything that was taught is kept. Another classifier,
   * weighting, solver or temperature takes hold at once. Another embedder, number of
   * workers or network has every example embedded anew, in a second worker, while
   * this one goes on answering; until then, and if it fails, all stays as it was.
   *
   * @param {Options} changes options that are not named stay
   * @param {{ onProgress?: (done: number, total: number) => void, signal?: AbortSignal }} [how] onProgress: examples embedded
   */
  configure(changes, how = {}) {
    const turn = this.#configured.then(() => this.#configure(changes, how));
    this.#configured = turn.catch(() => {});
    return turn;
  }

  /**
   * @param {Options} changes
   * @param {{ onProgress?: (done: number, total: number) => void, signal?: AbortSignal }} how
   */
  async #configure(changes, { onProgress, signal }) {
    this.#assertOpen();
    const next = { ...this.#options, ...changes };
    if (changes.embedder) next.pyramid = changes.pyramid;
    if (!next.sound !== !this.#options.sound) throw new DeepEMDError("bad-argument", "sound cannot be changed: make another engine with DeepEMD.create");
    check(next);
    const embeds = (/** @type {Options} */ o) => JSON.stringify([describe(o), o.workers ?? 1]);
    if (changes.weights === undefined && embeds(next) === embeds(this.#options)) {
      if (JSON.stringify(methods(next)) !== JSON.stringify(methods(this.#options))) {
        await this.#request({ type: "configure", ...methods(next) });
        this.#learned = false;
      }
      this.#options = next;
      return;
    }
    const link = new Link(this.#script(), next.timeout ?? DEFAULT_TIMEOUT, undefined);
    try {
      const stop = new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      const started = this.#init(link, next, changes.weights === undefined ? this.#weights : this.#locate(changes.weights));
      const reply = await Promise.race([started, stop]);
      const teaching = new Reteaching(link, onProgress, signal);
      const record = () => this.#taught.classes;
      for (;;) {
        while (!(await Promise.race([teaching.round(record), stop])));
        // From here to the end nothing else runs, unless something is under way.
        if (this.#starting) await this.#starting.catch(() => {});
        else if (this.#adding.size > 0) await Promise.allSettled([...this.#adding]);
        else if (teaching.complete(this.#taught.classes)) {
          this.#assertOpen();
          signal?.throwIfAborted();
          teaching.enter(this.#taught.classes);
          break;
        }
      }
      this.#options = next;
      if (changes.weights !== undefined) this.#digest = undefined;
      this.#remember(reply);
      const former = this.#link;
      this.#link = link;
      this.#told = true;
      this.#learned = false;
      link.onDown = (error) => this.#crashed(link, error);
      former?.retire(new DeepEMDError("crashed", "the engine was replaced by one with other options"));
      this.#report("embed", { message: "every example was embedded anew" });
    } catch (error) {
      link.close(/** @type {Error} */ (error));
      throw error;
    }
  }

  /**
   * What the examples say about themselves: each left out in turn and beside each
   * other. Disabled classes are passed over. Rejects with code "empty" before the
   * first example.
   *
   * @returns {Promise<Review>}
   */
  async review() {
    this.#assertOpen();
    return (await this.#request({ type: "review" })).review;
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
    this.#assertOpen();
    this.#taught.class(classId);
    const id = this.#taught.exampleId(options.id);
    const begin = performance.now();
    const { picture, release } = await pack(source);
    try {
      const { embedding, answer = false } = options;
      const request = /** @type {const} */ ({ type: "addExample", classId, exampleId: id, picture, embedding, answer });
      const added = this.#request(request).catch((error) => {
        if (!isCrash(error) || this.#disposed) throw error;
        return this.#request(request);
      }).then((reply) => {
        /** @type {Example} */
        const example = { id, classId, size: reply.size, pixels: reply.pixels, embedding: embedding ?? reply.embedding };
        if (reply.second) example.second = reply.second;
        if (reply.original) example.original = { size: reply.originalSize, pixels: reply.original };
        this.#learned = false;
        this.#taught.addExample(example);
        if (!answer) return example;
        const ms = performance.now() - begin;
        return { ...example, answer: { scores: reply.scores, ms, embedMs: ms - reply.matchMs, matchMs: reply.matchMs } };
      });
      this.#adding.add(added);
      return await added.finally(() => this.#adding.delete(added));
    } finally {
      release();
    }
  }

  /** @param {string} exampleId */
  async removeExample(exampleId) {
    this.#assertOpen();
    if (!this.#taught.removeExample(exampleId)) throw new DeepEMDError("unknown-example", `there is no example "${exampleId}": was it removed already?`);
    this.#learned = false;
    await this.#tell({ type: "removeExample", exampleId });
  }

  /**
   * Classifies one picture among the classes that have examples.
   *
   * @param {Source} source
   * @param {{ pixels?: boolean, explain?: boolean | string, unknown?: boolean }} [options] pixels: also return what the
   *   network saw; explain: also say why, for the best class or for the one with the given id; unknown: also say
   *   whether it is any of the classes
   * @returns {Promise<Answer>}
   */
  async classify(source, options = {}) {
    this.#assertOpen();
    const begin = performance.now();
    const { picture, release } = await pack(source);
    try {
      const transfer = "frame" in picture && release !== keep ? [picture.frame] : [];
      const { pixels = false, explain = false, unknown = false } = options;
      const why = explain === false ? {} : { explain: true, classId: explain === true ? undefined : explain };
      const reply = await this.#request({ type: "classify", picture, pixels, unknown, ...why }, transfer);
      /** @type {Answer} */
      const answer = { scores: reply.scores, ms: performance.now() - begin, embedMs: reply.embedMs, matchMs: reply.matchMs };
      if (pixels) answer.pixels = { width: reply.size, height: reply.size, data: reply.pixels };
      if (reply.unknown) answer.unknown = reply.unknown;
      if (reply.second) answer.second = reply.second;
      if (reply.explanation) answer.explanation = this.#explanation(reply.explanation);
      return answer;
    } finally {
      release();
    }
  }

  /**
   * Says why a picture is as like a class as it is: its match with the class's
   * example that it matches best, region by region. Without a source it is about
   * the picture that was classified last, which costs the matching only.
   *
   * @param {{ source?: Source, classId?: string }} [options] classId: default the best class
   * @returns {Promise<Explanation>}
   */
  async explain({ source, classId } = {}) {
    this.#assertOpen();
    if (classId !== undefined) this.#taught.class(classId);
    const answer = source
      ? (await this.classify(source, { explain: classId ?? true })).explanation
      : this.#explanation((await this.#request({ type: "explain", classId })).explanation);
    if (!answer) throw new DeepEMDError("unknown-example", "the example that the picture matched best was removed meanwhile: ask again");
    return answer;
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
    this.#assertOpen();
    if (this.#training) throw new DeepEMDError("bad-argument", "the classes are being learned already: wait for the end, or abort by the signal");
    this.#training = true;
    try {
      const result = await train((request) => this.#request(request), options);
      this.#learned = true;
      return result;
    } finally {
      this.#training = false;
    }
  }

  /** Whether answers come from what train has learned: until an example comes or goes. */
  get learned() {
    return this.#learned;
  }

  /** Ends the worker. Pending and later calls reject with code "disposed". */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#link?.close(disposed());
    this.#link = undefined;
  }

  /**
   * For tests: makes the engine fail in the given way.
   *
   * @param {"panic" | "memory" | "hang" | "exit"} how
   */
  async [Symbol.for("deepemd.crash")](how) {
    await this.#request({ type: "crash", how });
  }

  /** For measurements: the bytes that the engine holds, and its pauses. */
  async [Symbol.for("deepemd.memory")]() {
    const { wasm, heap, allocated, collections, worstPauseMs } = await this.#request({ type: "memory" });
    return { wasm, heap, allocated, collections, worstPauseMs };
  }

  // Starting and restarting.

  /** Starts a worker unless one is up; concurrent callers share one start. */
  #start() {
    return (this.#starting ??= this.#tryStart().finally(() => {
      this.#starting = undefined;
    }));
  }

  async #tryStart() {
    for (let attempt = 1; ; attempt++) {
      this.#assertOpen();
      const link = new Link(this.#script(), this.#options.timeout ?? DEFAULT_TIMEOUT, this.#options.onProgress);
      this.#link = link;
      this.#told = this.#learned = false;
      try {
        this.#remember(await this.#init(link, this.#options, this.#weights));
        await this.#teach(link);
        link.onDown = (error) => this.#crashed(link, error);
        return;
      } catch (error) {
        link.close(/** @type {Error} */ (error));
        if (this.#link === link) this.#link = undefined;
        this.#told = false;
        if (this.#disposed) throw disposed();
        this.#saveMemory(error);
        if (!isCrash(error) || attempt === START_ATTEMPTS) throw error;
      }
    }
  }

  /**
   * @param {Link} link
   * @param {Options} options
   * @param {string | ArrayBuffer} weights
   */
  #init(link, options, weights) {
    return link.request({
      type: "init",
      engine: this.#module ?? options.engine ?? new URL(options.sound ? "deepemd-sound.wasm" : "deepemd.wasm", this.#base).href,
      weights,
      ...methods(options),
      embedder: describe(options),
      workers: this.#lowMemory ? 1 : (options.workers ?? 1),
      lowMemory: this.#lowMemory,
      sound: this.#options.sound === true,
    });
  }

  /**
   * Keeps what a start has fetched, so that a restart needs no network.
   *
   * @param {import("./deepemd.d.ts").Replies["init"]} reply
   */
  #remember({ module, weights, info }) {
    this.#module = module;
    this.#weights = weights;
    this.#info = info;
  }

  /**
   * Tells a new worker all that was taught. The requests are sent in one go:
   * whatever changes afterwards is sent behind them, in order.
   *
   * @param {Link} link
   */
  async #teach(link) {
    const replies = Array.from(this.#taught.requests(), (request) => link.request(request));
    this.#told = true;
    await Promise.all(replies);
  }

  /**
   * The worker died: say so and start another.
   *
   * @param {Link} link
   * @param {DeepEMDError} error
   */
  #crashed(link, error) {
    if (this.#disposed || this.#link !== link) return;
    this.#link = undefined;
    this.#told = false;
    this.#saveMemory(error);
    const restarted = this.#start();
    this.#report("crash", { code: error.code, message: error.message, restarting: true });
    restarted.then(
      () => this.#report("restart", { message: "the engine was restarted; every example was taught again" }),
      (failure) => {
        if (!this.#disposed) this.#report("crash", { code: failure.code ?? "internal", message: failure.message, restarting: false });
      },
    );
  }

  /**
   * After a lack of memory, later engines hold their weights in a smaller,
   * slower form.
   *
   * @param {unknown} error
   */
  #saveMemory(error) {
    if (error instanceof DeepEMDError && error.code === "out-of-memory") this.#lowMemory = true;
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #report(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // Talking to the worker.

  /**
   * Sends a request that needs an engine, starting one when none is up.
   *
   * @param {Request} request
   * @param {Transferable[]} [transfer]
   */
  async #request(request, transfer) {
    if (this.#starting || !this.#link) await this.#start();
    this.#assertOpen();
    if (!this.#link) throw new DeepEMDError("crashed", "the engine stopped while it was starting: try again");
    return this.#link.request(request, transfer);
  }

  /**
   * Sends a change that this page has recorded already. Without a worker, and
   * when the worker dies over it, there is nothing to do: the next one is
   * taught from the record.
   *
   * @param {Request} request
   */
  async #tell(request) {
    if (!this.#link || !this.#told) return;
    try {
      await this.#link.request(request);
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
  }

  /**
   * The engine knows examples by their ids only; undefined when the example was
   * removed meanwhile.
   *
   * @param {import("./deepemd.d.ts").WireExplanation} wire
   */
  #explanation(wire) {
    const found = this.#taught.example(wire.exampleId);
    return found && explanation(wire, found.example);
  }

  #assertOpen() {
    if (this.#disposed) throw disposed();
  }
}

const CREATE = Symbol("create");

function disposed() {
  return new DeepEMDError("disposed", "this engine was disposed of: make another with DeepEMD.create");
}
