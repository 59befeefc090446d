// @ts-check
/**
 * deepemd/solver: exact optimal transport on the calling thread, without a model or a worker.
 *
 * @example
 * import { emd } from "deepemd/solver";
 * const { flow, objective } = await emd(cost, supply, demand);
 *
 * @typedef {import("./solver.d.ts").Numbers} Numbers
 * @typedef {import("./solver.d.ts").Solution} Solution
 * @typedef {import("./solver.d.ts").Solutions} Solutions
 */

import { abortable } from "./abort.js";
import { bad, options as checked, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { compiled } from "./solver-module.js";
import { SolverProgram } from "./solver-program.js";

export { DeepEMDError } from "./error.js";

/**
 * The largest relative difference of two float32 sums that counts as rounding. The program has
 * its own limit for float64.
 */
const SINGLE = 1e-5;

/** The program of emd, shared by all calls. @type {Promise<SolverProgram> | undefined} */
let shared;

/**
 * @param {Numbers} cost
 * @param {Numbers} supply
 * @param {Numbers} demand
 * @param {import("./deepemd.d.ts").Abortable} [options]
 * @returns {Promise<Solution>}
 */
export async function emd(cost, supply, demand, options = {}) {
  const { signal } = checked("emd", options, { signal: "signal" });
  shapeOf(cost, supply, demand, 1);
  const program = await abortable(signal, () => {
    shared ??= load({}).catch((error) => {
      shared = undefined;
      throw error;
    });
    return shared;
  });
  await program.start(); // restarts it after a crash
  signal?.throwIfAborted();
  return one(solve(program, cost, supply, demand, 1));
}

/**
 * @param {import("./solver.d.ts").SolverOptions} [options]
 * @returns {Promise<Solver>}
 */
export async function loadSolver(options = {}) {
  const { engine, signal } = checked("loadSolver", options, { engine: "program", signal: "signal" });
  return new Solver(await abortable(signal, () => load({ engine, signal })));
}

/**
 * @param {import("./solver.d.ts").SolverOptions} options
 */
async function load({ engine, signal }) {
  const program = new SolverProgram(await compiled(engine, signal));
  await program.start();
  return program;
}

/** A loaded solver: see solver.d.ts. */
class Solver {
  /** @type {SolverProgram | undefined} */
  #program;

  /** @param {SolverProgram} program */
  constructor(program) {
    this.#program = program;
  }

  /**
   * @param {Numbers} cost
   * @param {Numbers} supply
   * @param {Numbers} demand
   * @returns {Solution}
   */
  emd(cost, supply, demand) {
    return one(solve(this.#running(), cost, supply, demand, 1));
  }

  /**
   * @param {Numbers} cost
   * @param {Numbers} supply
   * @param {Numbers} demand
   * @param {number} count
   * @returns {Solutions}
   */
  emdMany(cost, supply, demand, count) {
    return solve(this.#running(), cost, supply, demand, count);
  }

  dispose() {
    this.#program = undefined;
  }

  #running() {
    if (!this.#program) throw new DeepEMDError("disposed", "the solver was disposed of: load another one");
    return this.#program;
  }
}

// Browsers without Symbol.dispose have no `using` either.
if (Symbol.dispose) Object.defineProperty(Solver.prototype, Symbol.dispose, { value: Solver.prototype.dispose });

/**
 * Solves problems of one shape.
 *
 * @param {SolverProgram} program
 * @param {Numbers} cost
 * @param {Numbers} supply
 * @param {Numbers} demand
 * @param {number} count
 * @returns {Solutions}
 */
function solve(program, cost, supply, demand, count) {
  const { rows, cols } = shapeOf(cost, supply, demand, count);
  const single = supply instanceof Float32Array || demand instanceof Float32Array;
  return program.solve({ count, rows, cols, cost, supply, demand, tolerance: single ? SINGLE : 0 });
}

/**
 * @param {Solutions} solutions of one problem
 * @returns {Solution}
 */
function one({ objective, ...solution }) {
  return { ...solution, objective: objective[0] };
}

/**
 * The numbers of sources and sinks of each problem. Throws for sizes that do not fit; the program
 * checks the values.
 *
 * @param {Numbers} cost
 * @param {Numbers} supply
 * @param {Numbers} demand
 * @param {number} count
 */
function shapeOf(cost, supply, demand, count) {
  if (!Number.isSafeInteger(count) || count < 1) throw bad(`count is ${shown(count)}: want the number of problems, a whole number from 1`);
  for (const [name, list] of Object.entries({ cost, supply, demand })) {
    if (!ArrayBuffer.isView(list) || !(list instanceof Float64Array || list instanceof Float32Array)) {
      throw bad(`${name} is ${shown(list)}: want a Float64Array or a Float32Array, such as Float64Array.from(list), row after row`);
    }
  }
  for (const [name, list] of Object.entries({ supply, demand })) {
    if (list.length === 0) throw bad(`${name} is empty: give at least one weight (an array whose buffer was transferred is empty)`);
    if (list.length % count !== 0) throw bad(`${name} has ${list.length} weights for ${count} problems: want as many for each`);
  }
  const [rows, cols] = [supply.length / count, demand.length / count];
  if (cost.length !== count * rows * cols) {
    throw bad(`cost has ${cost.length} numbers for ${rows} supplies and ${cols} demands${count > 1 ? ` of ${count} problems` : ""}: want ${count * rows * cols}, row after row`);
  }
  return { rows, cols };
}
