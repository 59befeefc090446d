// @ts-check
/**
 * deepemd/solver in Node, which reads the program from the disk.
 */

import { node } from "./node-platform.js";
import { install } from "./platform.js";

install(node);

export { DeepEMDError, emd, loadSolver } from "./solver.js";
