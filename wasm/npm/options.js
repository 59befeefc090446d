// @ts-check
/**
 * Checks and combines the options of an engine. The engine sets the method's defaults.
 *
 * @typedef {import("./deepemd.d.ts").Options} Options
 * @typedef {import("./deepemd.d.ts").MethodOption} MethodOption
 *
 * @typedef {object} Own the page's replacement of our model
 * @property {import("./protocol.d.ts").Features} [features] the shape of features that the page computes
 * @property {Backbone} [backbone] a function that computes them
 *
 * @typedef {Options & Own} Settled
 */

import { bad, options, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { Backbone, shapeOf } from "./features.js";
import { platform } from "./platform.js";

/** Milliseconds without a message after which a busy worker counts as crashed. */
export const DEFAULT_TIMEOUT = 60_000;

/** More workers than the cores of any device are a mistake. */
const MAX_WORKERS = 64;

/**
 * The method, with the options that override single settings.
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
 * Applies changes to options. A complete method, or an embedder, replaces all of its earlier
 * settings.
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
 * The options without the method's.
 *
 * @param {Options} options
 * @returns {Options}
 */
export function withoutMethod({ method, classifier, weighting, solver, temperature, balance, unknown, strictness, embedder, pyramid, ...others }) {
  return others;
}

/** All options and their kinds. @type {Parameters<typeof options>[2]} */
const OPTIONS = {
  weights: "file", sound: "flag", base: "address", engine: "program", worker: "file", method: "object", classifier: "text", weighting: "text",
  solver: "text", temperature: "positive", balance: "flag", unknown: "flag", strictness: "number", embedder: "object", pyramid: "numbers",
  skip: "flag", workers: "any", timeout: "duration", onProgress: "call",
};

/** The options of our model. */
const NETWORK = ["weights", "sound", "embedder", "pyramid", "workers"];

/** The options of custom features. @type {Parameters<typeof options>[2]} */
const FEATURES = { name: "text", nodes: "count", channels: "count", regions: "any" };

/** Options that cannot change. */
const LASTING = ["base", "engine"];

/**
 * Throws for unknown and invalid options. The engine checks the settings of the method.
 *
 * @param {Options & { signal?: AbortSignal | undefined }} given to create
 */
export function check(given) {
  options("create", given, { ...OPTIONS, signal: "signal" });
  checkSense(given);
}

/**
 * Returns the options of an engine for custom features; throws for invalid ones.
 *
 * @param {string} call the call's name
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

/** The kinds of all options except our model's options. */
function kinds() {
  return Object.fromEntries(Object.entries(OPTIONS).filter(([name]) => !NETWORK.includes(name)));
}

/**
 * Throws for options of our model.
 *
 * @param {object} given
 * @param {string} why this engine does not use it
 */
function withoutNetwork(given, why) {
  const wrong = NETWORK.find((name) => Object.entries(given ?? {}).some(([key, value]) => key === name && value !== undefined));
  if (wrong) throw bad(`${wrong} applies to our model, and ${why} there is none: leave it out`);
}

/**
 * Throws for invalid changes.
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
    embedder: "object", classifier: "text", weighting: "text", solver: "text", temperature: "positive", balance: "flag", strangers: "object",
  });
  if (embedder !== undefined) checkEmbedder(embedder);
  if (strangers !== undefined) options("strangers", strangers, { name: "flag", strictness: "number" });
}

/** @param {object} embedder */
function checkEmbedder(embedder) {
  options("the embedder", embedder, { kind: "text", pyramid: "numbers", grid: "numbers", ratio: "positive", patches: "positive", seed: "count" });
}

/**
 * The address of a folder, with a slash at the end.
 *
 * @param {string | URL} base
 */
export function folder(base) {
  const url = new URL(platform.locate(base));
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/**
 * The properties of an object that are not undefined.
 *
 * @template {object} T
 * @param {T} all
 * @returns {Partial<T>}
 */
function named(all) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
}
