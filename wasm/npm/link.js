// @ts-check
/**
 * The connection to one worker: sends requests, matches replies by id, and reports a crash once,
 * for any cause.
 *
 * @typedef {import("./protocol.d.ts").Request} Request
 * @typedef {import("./deepemd.d.ts").Message} Message
 * @typedef {import("./deepemd.d.ts").Progress} Progress
 */

import { DeepEMDError } from "./error.js";
import { platform } from "./platform.js";

/** A connection to one worker. */
export class Link {
  /** @type {Worker} */ #worker;
  /** @type {Map<number, { resolve: (reply: any) => void, reject: (error: Error) => void, onProgress?: ((progress: any) => void) | undefined }>} */ #pending = new Map();
  /** @type {((p: Progress) => void) | undefined} */ #onProgress;
  #lastId = 0;
  /** @type {Error | undefined} Why the link is closed, if it is. */ #closed;
  /** Milliseconds without a message, not counting times when the page sleeps. */
  #silence = 0;
  /** @type {Error | undefined} Why the link closes after its pending requests. */ #retiring;
  /** Milliseconds without a message after which a busy worker counts as crashed. */ timeout;
  /** @type {ReturnType<typeof setInterval> | undefined} */ #watch;
  #heard = false;
  /** @type {((error: DeepEMDError) => void) | undefined} Called when the worker crashes. */ onDown;

  /**
   * @param {URL} script the worker's
   * @param {number} timeout
   * @param {((p: Progress) => void) | undefined} onProgress
   * @param {string} [name] the worker's
   */
  constructor(script, timeout, onProgress, name = "deepemd") {
    this.script = script;
    this.timeout = timeout;
    this.#onProgress = onProgress;
    this.#worker = platform.startWorker(script, name);
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onmessageerror = () => this.#fail(new DeepEMDError("crashed", "a reply of the engine could not be read"));
    this.#worker.onerror = (event) => {
      event.preventDefault();
      const { message } = event; // browsers give none for a script that cannot be loaded
      this.#fail(
        this.#heard
          ? new DeepEMDError("crashed", `the engine's worker failed: ${message || "no reason given"}`)
          : new DeepEMDError("network", `${script} could not be started${message ? ` (${message})` : ""}: ${platform.remedies.start}`),
      );
    };
  }

  /** Why the worker ended; undefined while it runs. */
  get closed() {
    return this.#closed;
  }

  /**
   * @param {Request | import("./gallery-requests.d.ts").GalleryRequest} request
   * @param {Transferable[]} [transfer]
   * @param {{ onProgress?: ((progress: any) => void) | undefined, signal?: AbortSignal | undefined }} [job] of a job: signal ends it
   * @returns {Promise<any>}
   */
  request(request, transfer = [], { onProgress, signal } = {}) {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      try {
        this.#worker.postMessage({ id, ...request }, transfer);
      } catch (error) {
        reject(new DeepEMDError("bad-image", `the picture cannot be handed to the engine (${error}): a picture from another site needs crossOrigin="anonymous"`));
        return;
      }
      if (this.#pending.size === 0) this.#silence = 0;
      this.#pending.set(id, { resolve, reject, onProgress });
      // A stop after the end undoes the training.
      signal?.addEventListener("abort", () => void this.request({ type: "stop", job: id }).catch(() => {}), { once: true });
      // A start may wait for a slow network; computing may not.
      if (request.type !== "init") this.#watch ??= setInterval(() => this.#tick(), 1000);
    });
  }

  /**
   * Ends the worker; pending requests reject with the given error.
   *
   * @param {Error} reason
   */
  close(reason) {
    if (this.#closed) return;
    this.#closed = reason;
    clearInterval(this.#watch);
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  /**
   * Ends the worker after its pending requests. Send no more requests.
   *
   * @param {Error} reason
   */
  retire(reason) {
    this.#retiring = reason;
    for (const [id, { onProgress }] of this.#pending) {
      if (onProgress) void this.request({ type: "stop", job: id }).catch(() => {});
    }
    if (this.#pending.size === 0) this.close(reason);
  }

  /** @param {Message} message */
  #receive(message) {
    this.#heard = true;
    this.#silence = 0;
    if ("type" in message) {
      switch (message.type) {
        case "progress":
          try {
            this.#onProgress?.({ stage: message.stage, loaded: message.loaded, total: message.total });
          } catch (error) {
            this.close(/** @type {Error} */ (error)); // the start rejects
          }
          break;
        case "down":
          this.#fail(new DeepEMDError(message.error.code, message.error.message));
          break;
      }
      return;
    }
    const call = this.#pending.get(message.id);
    if (!call) return;
    if ("progress" in message) {
      try {
        call.onProgress?.(message.progress);
      } catch (error) {
        call.onProgress = undefined;
        call.reject(/** @type {Error} */ (error));
        void this.request({ type: "stop", job: message.id }).catch(() => {});
      }
      return;
    }
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      if (this.#retiring) this.close(this.#retiring);
    }
    if (!message.ok) return call.reject(new DeepEMDError(message.error.code, message.error.message));
    const { id, ok, ...reply } = message;
    call.resolve(reply);
  }

  #tick() {
    this.#silence += 1000;
    if (this.#silence < this.timeout) return;
    this.#fail(new DeepEMDError("crashed", `the engine has not answered for ${Math.round(this.#silence / 1000)} s`));
  }

  /** @param {DeepEMDError} error */
  #fail(error) {
    if (this.#closed) return;
    this.close(error);
    this.onDown?.(error);
  }
}
