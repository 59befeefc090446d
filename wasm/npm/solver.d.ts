/**
 * Exact optimal transport without a model, from its own program (0.33 MB, brotli). It runs on the calling thread of a page, a worker
 * or Node: solve large problems in a worker.
 *
 * @packageDocumentation
 */

import type { Abortable, Given } from "./deepemd.js";
import type { WebAssemblyModule } from "./global.js";

export { DeepEMDError } from "./deepemd.js";

/** Numbers of a problem, which are copied. Solutions are always in float64. */
export type Numbers = Float64Array | Float32Array;

/** An optimal flow with its certificate: no flow costs less than u·supply + v·demand, and this one costs just that. */
export interface Solution {
  /** The flow from each source to each sink, row by row. At most sources + sinks − 1 values are above zero. */
  flow: Float64Array;
  /** The sum of cost · flow. */
  objective: number;
  /** A dual for each source: u + v ≤ cost everywhere, with equality where the flow is above zero. */
  u: Float64Array;
  /** A dual for each sink. */
  v: Float64Array;
}

/** Optimal flows of several problems of one shape, in order. */
export interface Solutions {
  /** [problems, supplies, demands]: the flow of each problem. */
  flow: Float64Array;
  /** One for each problem. */
  objective: Float64Array;
  /** [problems, supplies]: the duals of the supplies. */
  u: Float64Array;
  /** [problems, demands]: the duals of the demands. */
  v: Float64Array;
}

/** Options of {@link loadSolver}. */
export interface SolverOptions extends Abortable {
  /** The program, deepemd-solver.wasm: its address or its content. Default: the package's own. */
  engine?: Given | WebAssemblyModule | undefined;
}

/**
 * Solves the balanced transportation problem
 *
 *     minimize Σ cost_ij · flow_ij  such that  Σ_j flow_ij = supply_i,  Σ_i flow_ij = demand_j,  flow ≥ 0
 *
 * between supply.length sources and demand.length sinks. The first call loads the program. Solving blocks the thread and cannot be
 * aborted. After a crash, the next call starts the program again.
 *
 * Supplies and demands must have the same sum. Relative differences up to 1e-6 (1e-5 if either is a Float32Array) count as
 * rounding, and the demands are scaled. For unbalanced problems, add a sink or a source with the difference as its weight and
 * costs of 0.
 *
 * @example
 * ```js
 * import { emd } from "deepemd/solver";
 *
 * const cost = new Float64Array([1, 2, 3, 1]); // 2 sources × 2 sinks, row by row
 * const { flow, objective, u, v } = await emd(cost, new Float64Array([1, 1]), new Float64Array([1, 1]));
 * ```
 *
 * @param cost the cost from each source to each sink, row by row: finite, of any sign
 * @param supply the weight of each source: finite, not negative
 * @param demand the weight of each sink: finite, not negative
 * @throws `bad-argument` for sizes that do not fit, numbers that are not finite, negative or unbalanced weights, and
 *   numbers whose sums overflow; `out-of-memory`, which does not affect the next call; `network` if the program cannot be loaded.
 */
export function emd(cost: Numbers, supply: Numbers, demand: Numbers, options?: Abortable): Promise<Solution>;

/**
 * Loads a solver whose calls return at once, without a promise.
 *
 * @throws `network` if the program cannot be loaded, `unsupported` without WebAssembly, and `bad-argument` for another module and for a response that was read.
 */
export function loadSolver(options?: SolverOptions): Promise<Solver>;

/** A loaded solver. Its memory grows with the largest problem, and is freed by dispose. */
export interface Solver {
  /** Solves a problem. It throws the same errors as {@link emd}. */
  emd(cost: Numbers, supply: Numbers, demand: Numbers): Solution;

  /**
   * Solves several problems of one shape.
   *
   * @param cost the costs of all problems, in order; supply and demand likewise
   * @param count the number of problems
   * @throws as {@link emd}, with the index of the first invalid problem, from 0.
   */
  emdMany(cost: Numbers, supply: Numbers, demand: Numbers, count: number): Solutions;

  /** Frees the memory. Later calls throw with the code `disposed`. */
  dispose(): void;
  /** dispose, for `using solver = await loadSolver()`. */
  [Symbol.dispose](): void;
}
