// A program of a user with every call, option and answer of deepemd/solver.

import { DeepEMDError, emd, loadSolver, type Numbers, type Solution, type Solutions, type Solver, type SolverOptions } from "deepemd/solver";

export async function transport(cost: Float64Array, supply: Float32Array, maybe: AbortSignal | undefined): Promise<Solution> {
  const { flow, objective, u, v } = await emd(cost, supply, supply, { signal: maybe });
  const weights: Numbers = flow;
  const options: SolverOptions = { engine: new URL("https://example.com/deepemd-solver.wasm"), signal: maybe };
  for (const engine of ["solver.wasm", new ArrayBuffer(8), new Uint8Array(8), new Blob([]), new Response()]) await loadSolver({ engine });
  const solver: Solver = await loadSolver(options);
  const many: Solutions = solver.emdMany(cost, weights, supply, 2);
  const first: number | undefined = many.objective[0];
  console.log(objective, first, many.flow.length, many.u.length + u.length, many.v.length + v.length);
  try {
    return solver.emd(cost, supply, supply);
  } catch (error) {
    if (error instanceof DeepEMDError && error.code === "out-of-memory") console.log(error.message);
    throw error;
  } finally {
    solver[Symbol.dispose]();
    solver.dispose();
  }
}
