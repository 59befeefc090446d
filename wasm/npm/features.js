// @ts-check
/**
 * Features that the page computes instead of our model: their shape, and the calls of the
 * caller's backbone.
 *
 * @typedef {import("./deepemd.d.ts").Backbone<any>} Run
 * @typedef {import("./deepemd.d.ts").Shape} ShapeOption
 * @typedef {import("./protocol.d.ts").Features} Shape
 */

import { bad, shown } from "./check.js";
import { DeepEMDError } from "./error.js";

/**
 * The shape in the options; nodes and channels are 0 if they come from the backbone's first
 * answer.
 *
 * @param {Partial<ShapeOption>} options
 * @returns {Shape}
 */
export function shapeOf({ name = "", nodes = 0, channels = 0, regions }) {
  if (nodes > 0 !== channels > 0) throw bad(`nodes is ${nodes} and channels is ${channels}: give both${regions ? "" : ", or neither, and the backbone's first output sets them"}`);
  return { name, nodes, channels, ...(regions !== undefined && { regions: regionsOf(regions, nodes) }) };
}

/**
 * @param {unknown} regions
 * @param {number} nodes
 */
function regionsOf(regions, nodes) {
  const list = numbers(Array.isArray(regions) ? regions.flat() : regions);
  if (list?.length === 4 * nodes && nodes > 0) return list;
  throw bad(`regions is ${shown(regions)}${list ? ` of ${list.length} numbers` : ""}: want x0, y0, x1 and y1 of each of the ${nodes} nodes, ${4 * nodes} numbers in a Float32Array`);
}

/**
 * Copies a list of numbers to a Float32Array.
 *
 * @param {any} values
 * @returns {Float32Array | undefined} undefined for anything else
 */
function numbers(values) {
  if (values instanceof Float32Array) return values.slice();
  if (values instanceof Float64Array || (Array.isArray(values) && values.every((v) => typeof v === "number"))) return Float32Array.from(values);
  return undefined;
}

/** The features of a source, and the time in milliseconds. @typedef {Shape & { data: Float32Array, ms: number }} Made */

/** The caller's backbone. It gets one source at a time. */
export class Backbone {
  #run;
  /** @type {Promise<unknown>} The current call of the backbone. */ #busy = Promise.resolve();

  /** @param {Run} run */
  constructor(run) {
    this.#run = run;
  }

  /**
   * Computes the features of a source. Rejects with the code "backbone" if the backbone fails or
   * returns unusable features.
   *
   * @param {unknown} source
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Made>}
   */
  features(source, signal) {
    const asked = this.#busy.then(() => this.#ask(source, signal));
    this.#busy = asked.catch(() => {});
    return asked;
  }

  /**
   * @param {unknown} source
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Made>}
   */
  async #ask(source, signal) {
    signal?.throwIfAborted();
    const begin = performance.now();
    let made;
    try {
      made = await this.#run(source, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw failed(`failed: ${error instanceof Error ? error.message : error}`, error);
    }
    const ms = performance.now() - begin;
    if (typeof made !== "object" || made === null) throw failed(`gave ${shown(made)}: want { data, nodes, channels }`);
    const { nodes, channels, data, regions } = made;
    const count = (/** @type {unknown} */ n) => Number.isSafeInteger(n) && /** @type {number} */ (n) > 0;
    if (!count(nodes) || !count(channels)) throw failed(`gave features of ${shown(nodes)} nodes and ${shown(channels)} channels: want two whole numbers above 0`);
    const values = numbers(data);
    if (values?.length !== nodes * channels) {
      throw failed(`gave as data ${shown(data)}${values ? ` of ${values.length} numbers` : ""}: want ${nodes}×${channels}, ${nodes * channels} numbers in a Float32Array, node after node`);
    }
    if (!values.every(Number.isFinite)) throw failed("gave numbers that are not finite (NaN or infinite)");
    return { name: "", nodes, channels, data: values, ms, ...(regions !== undefined && { regions: regionsOf(regions, nodes) }) };
  }
}

/**
 * The new shape of an engine that gets features: undefined if it has that shape already. Throws
 * if the shapes differ.
 *
 * @param {Shape} has
 * @param {Omit<Shape, "name">} gets
 * @returns {Shape | undefined}
 */
export function reshaped(has, { nodes, channels, regions }) {
  if (has.nodes === 0) return { ...has, nodes, channels, ...(regions && { regions }) };
  if (has.nodes === nodes && has.channels === channels) return undefined;
  throw failed(`gave ${nodes}×${channels} values, where this engine has ${has.nodes}×${has.channels}: features of one engine have one shape, so bring all sources to one size`);
}

/**
 * @param {string} what the failed step
 * @param {unknown} [cause]
 */
function failed(what, cause) {
  const error = new DeepEMDError("backbone", `the backbone ${what}`);
  if (cause !== undefined) error.cause = cause;
  return error;
}
