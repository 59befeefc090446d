// One transport problem.
import { emd } from "deepemd/solver.js";

try {
  const { objective } = await emd(Float64Array.of(1, 2, 3, 4), Float64Array.of(1, 1), Float64Array.of(1, 1));
  globalThis.answered = objective === 5 || `it says ${objective}`;
} catch (error) {
  globalThis.answered = error;
}
