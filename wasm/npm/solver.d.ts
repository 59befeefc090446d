/**
 * Types of deepemd/solver: optimal transport by itself, exact, in the page, in a worker or in Node, on the thread that calls.
 */

import type { Abortable, Given } from "./deepemd.js";
import type { WebAssemblyModule } from "./global.js";

export { DeepEMDError } from "./deepemd.js";

/** Numbers of a problem, which are copied. Solutions are in float64 whatever the problem is in. */
export type Numbers = Float64Array | Float32Array;

/** An optimal flow with its certificate: no flow costs less than u·supply + v·demand, and this one costs just that. */
export interface Solution {
  /** What goes from each source to each sink, row after row; at most sources + sinks − 1 of them above zero. */
  flow: Float64Array;
  /** The sum of cost · flow. */
  objective: number;
  /** A dual for each source: u + v ≤ cost everywhere, and equal where the flow is above zero. */
  u: Float64Array;
  /** A dual for each sink. */
  v: Float64Array;
}

/** Optimal flows of problems of one shape, one after the other. */
export interface Solutions {
  /** [problems, supplies, demands]: what goes where. */
  flow: Float64Array;
  /** One for each problem. */
  objective: Float64Array;
  /** [problems, supplies]: the duals of the supplies. */
  u: Float64Array;
  /** [problems, demands]: the duals of the demands. */
  v: Float64Array;
}

/** What a solver is made with. */
export interface SolverOptions extends Abortable {
  /** The program, deepemd-solver.wasm: its address or its content. Default: the package's own. */
  engine?: Given | WebAssemblyModule | undefined;
}

/**
 * Solves the balanced transportation problem
 *
 *     minimise Σ cost_ij · flow_ij  such that  Σ_j flow_ij = supply_i,  Σ_i flow_ij = demand_j,  flow ≥ 0
 *
 * between supply.length sources and demand.length sinks. The first call loads the program. The solving itself cannot be
 * aborted: it holds the thread. After a crash the next call starts the program again.
 *
 * Supplies and demands must have the same sum. Differences of 1e-9 of it (1e-5 where either is a Float32Array) count as
 * rounding, and the demands are scaled. Where more is to be left over, add a sink with that weight, or a source, whose costs are 0.
 *
 * @param cost of each source to each sink, row after row: finite, of any sign
 * @param supply the weight of each source: finite, not negative
 * @param demand the weight of each sink, likewise
 * @throws `bad-argument` for sizes that do not fit, numbers that are not finite, negative or unbalanced weights, and
 *   for numbers so large that their sums overflow;
 *   `out-of-memory`; `network` where the program does not arrive.
 */
export function emd(cost: Numbers, supply: Numbers, demand: Numbers, options?: Abortable): Promise<Solution>;

/**
 * Loads a solver of one's own, for calls that answer at once.
 *
 * @throws `network` where the program does not arrive, `unsupported` without WebAssembly, and `bad-argument` for a module that is another.
 */
export function loadSolver(options?: SolverOptions): Promise<Solver>;

/** A loaded solver. Its memory grows to what the largest problem took, and is freed with it. */
export interface Solver {
  /** Solves a problem at once: see {@link emd}, whose errors it throws. */
  emd(cost: Numbers, supply: Numbers, demand: Numbers): Solution;

  /**
   * Solves problems of one shape at once.
   *
   * @param cost theirs, one after the other; so are supply and demand
   * @param count how many there are
   * @throws as {@link emd}, for the first one at fault, counted from 0.
   */
  emdMany(cost: Numbers, supply: Numbers, demand: Numbers, count: number): Solutions;

  /** Lets go of the memory. Later calls throw with code `disposed`. */
  dispose(): void;
  /** dispose, for `using solver = await loadSolver()`. */
  [Symbol.dispose](): void;
}
