// @ts-check
/**
 * What the options of an engine mean, and which of them make no sense. What they
 * leave out of the method is the engine's to say.
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 * @typedef {import("./deepemd.d.ts").MethodOption} MethodOption
 */

import { DeepEMDError } from "./error.js";
import { platform } from "./platform.js";

/** Silence, in milliseconds, after which a busy worker counts as dead. */
export const DEFAULT_TIMEOUT = 60_000;

/** More workers than any device has cores are a mistake. */
const MAX_WORKERS = 64;

/**
 * The method that the options mean: the one given, and what they name besides.
 *
 * @param {Options} options
 * @returns {MethodOption}
 */
export function methodOf({ method = {}, classifier, weighting, solver, temperature, balance, unknown, strictness, embedder, pyramid }) {
  const chosen = embedder ?? method.embedder;
  return {
    ...method,
    ...named({ classifier, weighting, solver, temperature, balance }),
    embedder: pyramid === undefined ? chosen : { pyramid, ...chosen },
    strangers: { ...method.strangers, ...named({ name: unknown, strictness }) },
  };
}

/**
 * Options with some of them changed. A whole method takes the place of everything
 * that was said of it before, and so does an embedder.
 *
 * @param {Options} options
 * @param {Options} changes
 * @returns {Options}
 */
export function changed(options, changes) {
  const kept = { ...options };
  if (changes.embedder) delete kept.pyramid;
  return { ...(changes.method ? withoutMethod(kept) : kept), ...changes };
}

/**
 * The options that say nothing of the method.
 *
 * @param {Options} options
 * @returns {Options}
 */
export function withoutMethod({ method, classifier, weighting, solver, temperature, balance, unknown, strictness, embedder, pyramid, ...others }) {
  return others;
}

/**
 * Throws for options that make no sense; what the engine knows best is left to it.
 *
 * @param {Options} options
 */
export function check(options) {
  const { workers = 1 } = options;
  if (!Number.isInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
    throw new DeepEMDError("bad-argument", `workers is ${workers}: want a whole number from 1 to ${MAX_WORKERS}, such as navigator.hardwareConcurrency`);
  }
  const { embedder = {} } = methodOf(options);
  for (const name of /** @type {const} */ (["pyramid", "grid"])) {
    const list = embedder[name];
    if (list !== undefined && !Array.isArray(list)) throw new DeepEMDError("bad-argument", `${name} is ${list}: want a list of numbers, such as [2, 1]`);
  }
  const { seed = 0 } = embedder;
  if (!Number.isSafeInteger(seed) || seed < 0) throw new DeepEMDError("bad-argument", `seed is ${seed}: want a whole number that is not negative`);
}

/**
 * The address of a folder, with the slash that makes it one.
 *
 * @param {string | URL} base
 */
export function folder(base) {
  const url = new URL(platform.locate(base));
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/**
 * What of an object is not undefined.
 *
 * @template {object} T
 * @param {T} all
 * @returns {Partial<T>}
 */
function named(all) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
}
