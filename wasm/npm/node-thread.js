// @ts-check
/**
 * A thread of Node as pages know workers. It keeps the program running while it is asked
 * something, and no longer: a program ends by itself whose engines are idle.
 */

import { Worker } from "node:worker_threads";

/** As much of a page's Worker as the engine's line uses. */
export class Thread {
  /** @type {((event: { data: any }) => void) | undefined} */ onmessage;
  /** @type {(() => void) | undefined} */ onmessageerror;
  /** @type {((event: { message: string, preventDefault: () => void }) => void) | undefined} */ onerror;
  #worker;
  /** Requests that are not answered. */
  #open = 0;
  #ended = false;

  /**
   * @param {URL} script
   * @param {string} name
   */
  constructor(script, name) {
    // Flags of the program, such as --input-type or --import, are not meant for our scripts.
    this.#worker = new Worker(new URL("./node-worker.js", import.meta.url), { name, execArgv: [], workerData: { script: script.href } });
    this.#worker.unref();
    this.#worker.on("message", (data) => {
      if ("id" in data && --this.#open === 0) this.#worker.unref();
      this.onmessage?.({ data });
    });
    this.#worker.on("messageerror", () => this.onmessageerror?.());
    this.#worker.on("error", (error) => this.#fail(String(error?.message ?? error)));
    this.#worker.on("exit", (code) => this.#fail(`the thread ended with code ${code}`));
  }

  /**
   * @param {any} message
   * @param {any[]} [transfer]
   */
  postMessage(message, transfer = []) {
    this.#worker.postMessage(message, transfer);
    if (this.#open++ === 0) this.#worker.ref();
  }

  terminate() {
    this.#ended = true;
    this.#worker.terminate();
  }

  /** @param {string} message */
  #fail(message) {
    if (this.#ended) return;
    this.#ended = true;
    this.onerror?.({ message, preventDefault() {} });
  }
}
