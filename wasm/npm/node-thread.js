// @ts-check
/**
 * A Node thread with the interface of a page's Worker. It keeps the program running only while a
 * request is pending, so that a program with idle engines can exit.
 */

import { Worker } from "node:worker_threads";

/** The part of Worker that Link uses. */
export class Thread {
  /** @type {((event: { data: any }) => void) | undefined} */ onmessage;
  /** @type {(() => void) | undefined} */ onmessageerror;
  /** @type {((event: { message: string, preventDefault: () => void }) => void) | undefined} */ onerror;
  #worker;
  /** The number of pending requests. */
  #open = 0;
  #ended = false;

  /**
   * @param {URL} script
   * @param {string} name
   */
  constructor(script, name) {
    // The program's flags, such as --input-type or --import, do not apply to our scripts.
    this.#worker = new Worker(new URL("./node-worker.js", import.meta.url), { name, execArgv: [], workerData: { script: script.href } });
    this.#worker.unref();
    this.#worker.on("message", (data) => {
      if ("ok" in data && --this.#open === 0) this.#worker.unref(); // jobs also send progress
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
