// @ts-check
/**
 * Runs the solver's program: starts it, writes problems into its memory, and restarts it after a
 * crash.
 *
 * @typedef {import("./solver.d.ts").Numbers} Numbers
 * @typedef {{ count: number, rows: number, cols: number, cost: Numbers, supply: Numbers, demand: Numbers, tolerance: number }} Problems
 * @typedef {object} Exports of wasm/solver
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {(count: number, rows: number, cols: number) => number} arrange
 * @property {(tolerance: number) => number} solve
 * @property {() => number} fault
 * @property {() => number} faultLength
 */

import { DeepEMDError } from "./error.js";
import { Host } from "./wasi.js";

/** The bytes that 32 bits can address. */
const MOST = 2 ** 32;

/** A program that solves problems. */
export class SolverProgram {
  #module;
  /** The running program; undefined before the start and after a crash. @type {Exports | undefined} */
  #exports;
  #host = new Host();

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
  }

  /** Starts the program unless it runs. */
  async start() {
    if (this.#exports) return;
    const host = new Host();
    try {
      this.#begin(host, await WebAssembly.instantiate(this.#module, host.imports));
    } catch (error) {
      throw this.#unstarted(error);
    }
  }

  /**
   * Solves problems of one shape.
   *
   * @param {Problems} problems
   */
  solve({ count, rows, cols, cost, supply, demand, tolerance }) {
    const cells = count * rows * cols;
    const sizes = [cells, count * rows, count * cols];
    const bytes = Float64Array.BYTES_PER_ELEMENT * (2 * (sizes[0] + sizes[1] + sizes[2]) + count);
    if (bytes >= MOST) {
      throw new DeepEMDError("out-of-memory", `${count} problems of ${rows} × ${cols} take ${(bytes / 2 ** 30).toFixed(1)} GB with their solutions, more than the 4 GB of a program: solve fewer at a time`);
    }
    const exports = this.#exports ?? this.#again();
    const at = this.#call(() => exports.arrange(count, rows, cols));
    const into = arrays(exports.memory, at, sizes);
    into[0].set(cost);
    into[1].set(supply);
    into[2].set(demand);
    const solved = this.#call(() => exports.solve(tolerance));
    if (solved < count) throw new DeepEMDError("bad-argument", fault(exports));
    const [, , , flow, u, v, objective] = arrays(exports.memory, at, [...sizes, ...sizes, count]);
    return { flow: flow.slice(), objective: objective.slice(), u: u.slice(), v: v.slice() };
  }

  /** Restarts the program synchronously. Older browsers support this on the page's thread only for small programs. */
  #again() {
    const host = new Host();
    try {
      return this.#begin(host, new WebAssembly.Instance(this.#module, host.imports));
    } catch (error) {
      throw this.#unstarted(error);
    }
  }

  /**
   * @param {Host} host
   * @param {WebAssembly.Instance} instance
   */
  #begin(host, instance) {
    const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    host.memory = exports.memory;
    exports._initialize();
    this.#host = host;
    this.#exports = exports;
    return exports;
  }

  /** @param {unknown} error */
  #unstarted(error) {
    if (error instanceof WebAssembly.LinkError || error instanceof TypeError) {
      return new DeepEMDError("bad-argument", `the module that was given is not the solver (${error}): give deepemd-solver.wasm of this version`);
    }
    const memory = error instanceof RangeError;
    return new DeepEMDError(memory ? "out-of-memory" : "crashed", `the solver could not be started (${error}): load another one with loadSolver`);
  }

  /**
   * Calls the program. After a crash, the next problem restarts it.
   *
   * @param {() => number} call
   */
  #call(call) {
    try {
      return call() >>> 0; // addresses and lengths are unsigned
    } catch (error) {
      this.#exports = undefined;
      const why = this.#host.reason() ?? String(error);
      throw /out of memory|cannot allocate|allocation failed/i.test(why)
        ? new DeepEMDError("out-of-memory", `there is no more memory for the problem (${why}): solve smaller ones, or fewer at a time`)
        : new DeepEMDError("crashed", `the solver crashed (${why})`);
    }
  }
}

/**
 * Consecutive arrays of the given lengths in the program's memory.
 *
 * @param {WebAssembly.Memory} memory
 * @param {number} at
 * @param {number[]} lengths
 */
function arrays(memory, at, lengths) {
  return lengths.map((length) => {
    const array = new Float64Array(memory.buffer, at, length);
    at += array.byteLength;
    return array;
  });
}

/**
 * The program's message about a problem that it cannot solve.
 *
 * @param {Exports} exports
 */
function fault(exports) {
  return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.fault() >>> 0, exports.faultLength()));
}
