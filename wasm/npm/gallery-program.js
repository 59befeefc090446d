// @ts-check
/**
 * Starts and calls the gallery's program, wasm/gallery. Requests are JSON followed by numbers, in
 * the program's memory.
 *
 * @typedef {object} Exports of wasm/gallery
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {(bytes: number) => number} arrange
 * @property {(text: number) => number} ask
 * @property {() => number} answer
 * @property {() => number} compacted
 */

import { DeepEMDError } from "./error.js";
import { post } from "./reply.js";
import { Host } from "./wasi.js";

/** The program of one gallery. */
export class GalleryProgram {
  #exports;
  #host;

  /**
   * @param {Exports} exports
   * @param {Host} host
   */
  constructor(exports, host) {
    this.#exports = exports;
    this.#host = host;
  }

  /**
   * Starts a program.
   *
   * @param {WebAssembly.Module} module
   * @param {import("./gallery-file.js").GalleryFile} file the file that it writes
   */
  static async start(module, file) {
    const host = new Host();
    const imports = { ...host.importsOf(module), file: file.imports(() => new Uint8Array(/** @type {WebAssembly.Memory} */ (host.memory).buffer)) };
    let instance;
    try {
      instance = await WebAssembly.instantiate(module, imports);
    } catch (error) {
      throw new DeepEMDError(error instanceof RangeError ? "out-of-memory" : "internal", `the gallery could not be set up: ${error}`);
    }
    const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    host.memory = exports.memory;
    exports._initialize();
    return new GalleryProgram(exports, host);
  }

  /**
   * Sends a request and returns the answer.
   *
   * @param {{ what: string, [name: string]: unknown }} request see wasm/gallery/request.go
   * @param {...(Uint8Array | Float32Array)} values
   * @returns {any}
   */
  ask(request, ...values) {
    const text = new TextEncoder().encode(JSON.stringify(request));
    const bytes = values.map((v) => new Uint8Array(v.buffer, v.byteOffset, v.byteLength));
    const begin = Math.ceil(text.length / 4) * 4;
    let answer;
    try {
      const at = this.#exports.arrange(bytes.reduce((sum, { length }) => sum + length, begin)) >>> 0;
      const memory = new Uint8Array(this.#exports.memory.buffer);
      memory.set(text, at);
      let to = at + begin;
      for (const part of bytes) {
        memory.set(part, to);
        to += part.length;
      }
      const length = this.#exports.ask(text.length);
      answer = JSON.parse(new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, this.#exports.answer() >>> 0, length)));
    } catch (error) {
      throw this.#ended(error);
    }
    if (answer.error) throw new DeepEMDError(answer.error.code, answer.error.message);
    return answer;
  }

  /** A copy of the index without deleted images. */
  compacted() {
    const { size } = this.ask({ what: "compact" });
    return new Uint8Array(this.#exports.memory.buffer, this.#exports.compacted() >>> 0, size).slice();
  }

  /**
   * Reports that this worker cannot continue.
   *
   * @param {unknown} error
   */
  #ended(error) {
    const why = this.#host.reason() ?? String(error);
    const memory = /out of memory|cannot allocate|allocation failed/i.test(why);
    const said = memory
      ? /** @type {const} */ ({ code: "out-of-memory", message: `the device gave the gallery no more memory (${why}): close other pages, or keep fewer pictures` })
      : /** @type {const} */ ({ code: "crashed", message: `the gallery crashed (${why})` });
    post({ type: "down", error: said });
    return new DeepEMDError(said.code, said.message);
  }
}
