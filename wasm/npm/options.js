// @ts-check
/**
 * What the options of an engine mean, and which of them make no sense. What they
 * leave out of the method is the engine's to say.
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 * @typedef {import("./deepemd.d.ts").MethodOption} MethodOption
 *
 * @typedef {object} Own what stands in the place of a network
 * @property {import("./protocol.d.ts").Features} [features] that the page computes
 * @property {Backbone} [backbone] that computes them
 *
 * @typedef {Options & Own} Settled
 */

import { bad, options, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { Backbone, shapeOf } from "./features.js";
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

/** What options there are, and of what kind. @type {Parameters<typeof options>[2]} */
const OPTIONS = {
  weights: "file", sound: "flag", base: "address", engine: "program", worker: "file", method: "object", classifier: "text", weighting: "text",
  solver: "text", temperature: "number", balance: "flag", unknown: "flag", strictness: "number", embedder: "object", pyramid: "numbers",
  skip: "flag", workers: "any", timeout: "duration", onProgress: "call",
};

/** Options that are about our network, and what they are about. */
const NETWORK = ["weights", "sound", "embedder", "pyramid", "workers"];

/** Options about features of one's own. @type {Parameters<typeof options>[2]} */
const FEATURES = { name: "text", nodes: "count", channels: "count", regions: "any" };

/** Options that an engine keeps for life. */
const LASTING = ["base", "engine"];

/**
 * Throws for unknown options and for those that make no sense; what the engine knows
 * best is left to it.
 *
 * @param {Options & { signal?: AbortSignal | undefined }} given to create
 */
export function check(given) {
  options("create", given, { ...OPTIONS, signal: "signal" });
  checkSense(given);
}

/**
 * The options of an engine for features that the page computes. Throws for options that
 * make no sense.
 *
 * @param {string} call its name
 * @param {import("./deepemd.d.ts").MatcherOptions | import("./deepemd.d.ts").BackboneOptions<any>} given
 * @returns {Settled & { signal?: AbortSignal | undefined }}
 */
export function checkFeatures(call, given) {
  withoutNetwork(given, "with features of your own");
  const { name, nodes, channels, regions, backbone, ...others } = /** @type {import("./deepemd.d.ts").BackboneOptions<any>} */ (
    options(call, given, { ...kinds(), ...FEATURES, ...(call === "create" && { backbone: "call" }), signal: "signal" })
  );
  if (call === "matcher" && !(nodes && channels)) throw bad(`matcher needs the shape of your features: nodes is ${shown(nodes)} and channels is ${shown(channels)}, want two whole numbers above 0`);
  checkSense(others);
  return { ...others, features: shapeOf({ name, nodes, channels, regions }), ...(backbone && { backbone: new Backbone(backbone) }) };
}

/** The options that are not about our network. */
function kinds() {
  return Object.fromEntries(Object.entries(OPTIONS).filter(([name]) => !NETWORK.includes(name)));
}

/**
 * Throws for options about our network.
 *
 * @param {object} given
 * @param {string} why there is none
 */
function withoutNetwork(given, why) {
  const wrong = NETWORK.find((name) => Object.entries(given ?? {}).some(([key, value]) => key === name && value !== undefined));
  if (wrong) throw bad(`${wrong} is about a network of ours, and ${why} there is none: leave it out`);
}

/**
 * Throws for changes of options that make no sense by themselves.
 *
 * @param {Options} changes
 * @param {Settled} former
 */
export function checkChanges(changes, former) {
  if (typeof changes === "object" && changes !== null && "signal" in changes) throw bad("configure takes its signal in a second object: configure(changes, { signal })");
  if (former.features) withoutNetwork(changes, "with features of your own");
  options("configure", changes, OPTIONS);
  for (const name of LASTING) {
    if (name in changes) throw bad(`${name} cannot be changed: make another engine with DeepEMD.create`);
  }
  checkSense(changes);
}

/** @param {Options} given */
function checkSense({ workers = 1, method, embedder, base, weights, engine, worker }) {
  if (!Number.isInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
    throw bad(`workers is ${shown(workers)}: want a whole number from 1 to ${MAX_WORKERS}, such as navigator.hardwareConcurrency`);
  }
  if (method !== undefined) checkMethod(method);
  if (embedder !== undefined) checkEmbedder(embedder);
  if (base !== undefined) folder(base);
  for (const [name, file] of Object.entries({ weights, engine, worker })) {
    if (typeof file === "string" || file instanceof URL) platform.locate(file);
    else if (/** @type {any} */ (file)?.byteLength === 0) {
      throw new DeepEMDError(name === "weights" ? "bad-weights" : "bad-argument", `${name} is empty: was its memory handed on (transferred) before?`);
    }
  }
}

/**
 * Throws for a method with unknown settings.
 *
 * @param {MethodOption} method
 */
export function checkMethod(method) {
  const { embedder, strangers } = options("the method", method, {
    embedder: "object", classifier: "text", weighting: "text", solver: "text", temperature: "number", balance: "flag", strangers: "object",
  });
  if (embedder !== undefined) checkEmbedder(embedder);
  if (strangers !== undefined) options("strangers", strangers, { name: "flag", strictness: "number" });
}

/** @param {object} embedder */
function checkEmbedder(embedder) {
  options("the embedder", embedder, { kind: "text", pyramid: "numbers", grid: "numbers", ratio: "number", patches: "number", seed: "count" });
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
