/**
 * Types of deepemd/solver: optimal transport by itself, exact, in the page, in a worker or in Node, on the thread that calls.
 */

import type { Given } from "./deepemd.js";
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
  flow: Float64Array;
  /** One for each problem. */
  objective: Float64Array;
  u: Float64Array;
  v: Float64Array;
}

export interface SolverOptions {
  /** The program, deepemd-solver.wasm: its address or its content. Default: the package's own. */
  engine?: Given | WebAssemblyModule;
  /** Calls the loading off: it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Solves the balanced transportation problem
 *
 *     minimise Σ cost_ij · flow_ij  such that  Σ_j flow_ij = supply_i,  Σ_i flow_ij = demand_j,  flow ≥ 0
 *
 * between supply.length sources and demand.length sinks. Costs are row after row, finite, of any sign; weights are finite and
 * not negative. The first call loads the program. The solving itself cannot be called off: it holds the thread.
 *
 * Supplies and demands must have the same sum: differences of 1e-9 of it (1e-5 where either is a Float32Array) count as
 * rounding, and the demands are scaled; larger ones are refused. Scale one side, or, to leave the rest where it is, add a source or a sink with that weight
 * whose costs are 0.
 *
 * Rejects with a DeepEMDError: "bad-argument" for sizes that do not fit, numbers that are not finite, negative or
 * unbalanced weights; "out-of-memory"; "network" where the program does not arrive. It is started again after a crash.
 */
export function emd(cost: Numbers, supply: Numbers, demand: Numbers, options?: { signal?: AbortSignal }): Promise<Solution>;

/** Loads a solver of one's own, for calls that answer at once. */
export function loadSolver(options?: SolverOptions): Promise<Solver>;

/** A loaded solver. Its memory grows to what the largest problem took, and is freed with it. */
export interface Solver {
  /** See emd; what that rejects with is thrown. */
  emd(cost: Numbers, supply: Numbers, demand: Numbers): Solution;

  /**
   * Solves count problems of the same shape, whose costs, supplies and demands lie one after the other. Throws for the first
   * one at fault, counted from 0.
   */
  emdMany(cost: Numbers, supply: Numbers, demand: Numbers, count: number): Solutions;

  /** Lets go of the memory. Any call after this throws a DeepEMDError with code "disposed". */
  dispose(): void;
  [Symbol.dispose](): void;
}
