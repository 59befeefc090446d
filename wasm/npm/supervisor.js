// @ts-check
/**
 * Starts the worker of an engine, watches it, and restarts it after a crash with the same
 * options, classes and examples. One worker is in use at a time.
 *
 * @typedef {import("./options.js").Settled} Options
 * @typedef {import("./deepemd.d.ts").Info} Info
 * @typedef {import("./deepemd.d.ts").Method} Method
 * @typedef {import("./protocol.d.ts").Choices} Choices
 * @typedef {import("./protocol.d.ts").Request} Request
 * @typedef {import("./protocol.d.ts").Replies} Replies
 * @typedef {import("./taught.js").Taught} Taught
 */

import { abortable } from "./abort.js";
import { DeepEMDError, isCrash } from "./error.js";
import { reshaped } from "./features.js";
import { programOf, scriptOf, weightsOf } from "./given.js";
import { Link } from "./link.js";
import { DEFAULT_TIMEOUT, methodOf } from "./options.js";

/** Tries of a start before it is reported as failed. */
const START_ATTEMPTS = 2;

/** Runs the workers of one engine, one at a time. */
export class Supervisor {
  /** @type {WebAssembly.Module | undefined} */ #module;
  /** @type {Info | undefined} */ #info;
  /** @type {Method | undefined} */ #method;
  /** @type {Choices | undefined} */ #choices;
  /** @type {Link | undefined} The current worker; undefined if none runs. */ #link;
  /** @type {Link | undefined} The worker of the latest spare, which may have ended or be the current one. */ #spare;
  /** Whether the current worker has all classes and examples. */
  #told = false;
  /** @type {Promise<void> | undefined} The current start, if there is one. */ #starting;
  #lowMemory = false;
  #report;

  /** @type {Options} */ options;
  /** The weights file or, before it has arrived, its address; none with features. @type {import("./given.js").File | undefined} */ weights;
  disposed = false;

  /** Whether answers come from the result of train. */
  learned = false;

  /** Returns the classes and examples for a new worker. @type {() => Taught} */
  record;

  /** The number of calls of forget. */
  forgotten = 0;

  /** @type {Request | undefined} The request that showed the worker the image that explanations are about. */
  shown;

  /**
   * @param {Options} options
   * @param {() => Taught} record
   * @param {(type: "crash" | "restart", detail: object) => void} report
   */
  constructor(options, record, report) {
    this.options = options;
    this.record = record;
    this.#report = report;
    this.weights = options.features ? undefined : weightsOf(options);
  }

  get info() {
    return /** @type {Info} */ (this.#info);
  }

  get method() {
    return /** @type {Method} */ (this.#method);
  }

  get choices() {
    return /** @type {Choices} */ (this.#choices);
  }

  /** The caller's backbone, if there is one. */
  get backbone() {
    return this.options.backbone;
  }

  /**
   * Takes over the shape of a backbone's features; throws if it differs from the previous shape.
   *
   * @param {Omit<import("./protocol.d.ts").Features, "name">} made
   */
  async reshape(made) {
    const former = this.options;
    const features = former.features && reshaped(former.features, made);
    if (!features) return;
    this.options = { ...former, features };
    try {
      await this.request({ type: "reshape", features });
      this.#info = { ...this.info, nodes: features.nodes, channels: features.channels };
    } catch (error) {
      if (isCrash(error)) return; // the next worker starts with it
      this.options = former;
      throw error instanceof DeepEMDError && error.code === "bad-argument" ? new DeepEMDError("backbone", `the backbone gave ${error.message}`) : error;
    }
  }

  /** Reports a change that ends learned when it is sent, before a reply of train that may be on its way. */
  forget() {
    this.learned = false;
    this.forgotten++;
  }

  /** Resolves when the current start has ended, in success or failure; undefined if there is none. */
  get starting() {
    return this.#starting?.catch(() => {});
  }

  /** Starts a worker unless there is one; concurrent callers share one start. */
  start() {
    return (this.#starting ??= this.#tryStart().finally(() => {
      this.#starting = undefined;
    }));
  }

  async #tryStart() {
    for (let attempt = 1; ; attempt++) {
      this.assertOpen();
      const link = this.#open(this.options);
      this.#link = link;
      this.#told = this.learned = false;
      try {
        this.#remember(await this.init(link, this.options, this.weights));
        await this.#teach(link);
        link.onDown = (error) => this.#crashed(link, error);
        return;
      } catch (error) {
        link.close(/** @type {Error} */ (error));
        if (this.#link === link) this.#link = undefined;
        this.#told = false;
        if (this.disposed) throw disposed();
        this.#saveMemory(error);
        if (!isCrash(error) || attempt === START_ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Returns a second worker, without an engine.
   *
   * @param {Options} options
   */
  spare(options) {
    return (this.#spare = this.#open(options));
  }

  /** @param {Options} options */
  #open(options) {
    const { timeout = DEFAULT_TIMEOUT, onProgress } = options;
    return new Link(scriptOf(options), timeout, onProgress);
  }

  /**
   * Starts a worker's engine.
   *
   * @param {Link} link
   * @param {Options} options
   * @param {import("./given.js").File | undefined} weights
   * @returns {Promise<Replies["init"]>}
   */
  async init(link, options, weights) {
    const { sound = false, skip = false, workers = 1, features } = options;
    const engine = this.#module ?? programOf(options);
    const reply = await link.request({
      type: "init", script: link.script.href, engine, weights, features, skip, method: methodOf(options), workers: this.#lowMemory ? 1 : workers, lowMemory: this.#lowMemory,
    });
    if (reply.info.sound === sound) return reply;
    throw new DeepEMDError("bad-argument", `the given engine is for ${sound ? "images: leave out sound" : "sounds: set sound: true"}`);
  }

  /**
   * Replaces the current worker by a spare one that has all classes and examples.
   *
   * @param {Link} link
   * @param {Options} options
   * @param {Replies["init"]} reply
   */
  replace(link, options, reply) {
    const former = this.#link;
    this.shown = undefined;
    this.options = options;
    this.#remember(reply);
    this.#link = link;
    this.#told = true;
    this.learned = false;
    link.onDown = (error) => this.#crashed(link, error);
    former?.retire(new DeepEMDError("crashed", "the engine was replaced by one with other options"));
  }

  /**
   * Takes over options that the current worker already uses.
   *
   * @param {Options} options
   * @param {Partial<Replies["begin"]>} reply the worker's
   */
  follow(options, { info = this.#info, method = this.#method }) {
    const { features } = this.options; // the shape may have been set since
    this.options = features && !options.features?.nodes ? { ...options, features } : options;
    if (this.#link) this.#link.timeout = options.timeout ?? DEFAULT_TIMEOUT;
    this.#info = info;
    this.#method = method;
  }

  /** The current worker; starts one if necessary. */
  async link() {
    if (this.#starting || !this.#link) await this.start();
    this.assertOpen();
    if (!this.#link) throw new DeepEMDError("crashed", "the engine stopped while it was starting: try again");
    return this.#link;
  }

  /**
   * Whether a worker is still the current one.
   *
   * @param {Link} link
   */
  uses(link) {
    return this.#link === link && this.#told;
  }

  /**
   * Sends a request to the engine, and starts one if necessary.
   *
   * @param {Request} request
   * @param {{ transfer?: Transferable[], signal?: AbortSignal | undefined, check?: () => void, onSent?: () => void }} [how]
   *   signal: nothing is sent once it is aborted. check and onSent: called directly before and after sending; nothing is sent
   *   if check throws
   */
  async request(request, { transfer, signal, check, onSent } = {}) {
    const link = await this.link();
    signal?.throwIfAborted();
    check?.();
    const reply = link.request(request, transfer);
    onSent?.();
    return reply;
  }

  /**
   * Runs a job in the background of other requests.
   *
   * @param {Request} request
   * @param {{ signal: AbortSignal | undefined, onProgress?: ((progress: any) => void) | undefined, onSent?: () => void }} how
   *   signal: aborts the job. onSent: called directly after sending
   * @returns {Promise<any>}
   */
  job(request, { signal, onProgress, onSent }) {
    this.assertOpen();
    const over = new AbortController();
    return abortable(
      signal,
      async (keep) => {
        for (;;) {
          const link = await this.link();
          signal?.throwIfAborted();
          const sent = link.request(request, [], { signal: over.signal, onProgress: (now) => signal?.aborted || onProgress?.(now) }).catch((error) => {
            if (this.uses(link) || isCrash(error)) throw error;
          });
          onSent?.();
          const reply = await sent;
          if (this.uses(link)) {
            keep();
            return reply;
          }
          this.assertOpen();
          // configure replaced the worker.
          if (request.type === "train") throw new DeepEMDError("changed", "the engine was configured while the classes were learned: train again");
        }
      },
      () => over.abort(),
    );
  }

  /**
   * Sends a change that the page has already recorded. If there is no worker or it crashes, the change is
   * not lost: the next worker is taught from the record.
   *
   * @param {Request} request
   */
  async tell(request) {
    if (!this.#link || !this.#told) return;
    try {
      await this.#link.request(request);
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
  }

  assertOpen() {
    if (this.disposed) throw disposed();
  }

  /** Ends the workers; pending requests reject. */
  dispose() {
    if (this.disposed) return;
    this.disposed = true;
    this.#link?.close(disposed());
    this.#spare?.close(disposed());
    this.#link = this.#spare = undefined;
  }

  /**
   * Keeps the downloads of a start, so that a restart needs none.
   *
   * @param {Replies["init"]} reply
   */
  #remember({ module, weights, info, method, choices }) {
    this.#module = module;
    if (weights) this.weights = weights;
    this.#info = info;
    this.#method = method;
    this.#choices = choices;
  }

  /**
   * Sends all classes and examples to a new worker. Later changes follow in order, because all
   * requests are sent at once.
   *
   * @param {Link} link
   */
  async #teach(link) {
    const replies = Array.from(this.record().requests(), (request) => link.request(request));
    this.#told = true;
    await Promise.all(replies);
  }

  /**
   * Reports a crash and starts another worker.
   *
   * @param {Link} link
   * @param {DeepEMDError} error
   */
  #crashed(link, error) {
    if (this.disposed || this.#link !== link) return;
    this.#link = undefined;
    this.#told = false;
    this.#saveMemory(error);
    const restarted = this.start();
    this.#report("crash", { code: error.code, message: error.message, restarting: true });
    restarted.then(
      () => this.#report("restart", { message: "the engine was restarted; every example was taught again" }),
      (failure) => {
        if (!this.disposed) this.#report("crash", { code: failure.code ?? "internal", message: failure.message, restarting: false });
      },
    );
  }

  /**
   * After a lack of memory, later engines keep their weights in a smaller,
   * slower form.
   *
   * @param {unknown} error
   */
  #saveMemory(error) {
    if (error instanceof DeepEMDError && error.code === "out-of-memory") this.#lowMemory = true;
  }
}

function disposed() {
  return new DeepEMDError("disposed", "this engine was disposed of: make another with DeepEMD.create");
}
