// @ts-check
/**
 * What the options of an engine mean, and which of them make no sense.
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 */

import { DeepEMDError } from "./error.js";
import { pageAddress } from "./link.js";

/** Silence, in milliseconds, after which a busy worker counts as dead. */
export const DEFAULT_TIMEOUT = 60_000;

/** More workers than any device has cores are a mistake. */
const MAX_WORKERS = 64;

/** Some more are let in than balance would: to be turned away annoys more. */
const DEFAULT_STRICTNESS = 0.4;

/**
 * What the options say of how pictures are classified once they are embedded.
 *
 * @param {Options} options
 */
export function methods({ classifier = "prototype", weighting = "cross-reference", solver = "simplex", temperature, strictness, skip = false }) {
  return { classifier, weighting, solver, temperature, strictness, skip };
}

/**
 * Throws for options that make no sense; what the engine knows best is left to it.
 *
 * @param {Options} options
 */
export function check(options) {
  const { workers = 1, strictness = DEFAULT_STRICTNESS } = options;
  if (!Number.isInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
    throw new DeepEMDError("bad-argument", `workers is ${workers}: want a whole number from 1 to ${MAX_WORKERS}, such as navigator.hardwareConcurrency`);
  }
  if (!(strictness >= 0 && strictness <= 1)) throw new DeepEMDError("bad-argument", `strictness is ${strictness}: want a number from 0 to 1`);
  describe(options);
}

/**
 * The embedder that the options mean. What its numbers may be, the engine knows.
 *
 * @param {Options} options
 */
export function describe({ embedder = { kind: "fcn" }, pyramid }) {
  const described = pyramid === undefined ? { ...embedder } : { pyramid, ...embedder };
  for (const name of ["pyramid", "grid"]) {
    const list = /** @type {any} */ (described)[name];
    if (list !== undefined && !Array.isArray(list)) throw new DeepEMDError("bad-argument", `${name} is ${list}: want a list of numbers, such as [2, 1]`);
  }
  const { seed = 0 } = /** @type {any} */ (described);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new DeepEMDError("bad-argument", `seed is ${seed}: want a whole number that is not negative`);
  return described;
}

/**
 * The address of a folder, with the slash that makes it one.
 *
 * @param {string | URL} base
 */
export function folder(base) {
  const url = new URL(base, pageAddress());
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}
