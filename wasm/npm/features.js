// @ts-check
/**
 * Features that the page computes itself, in place of a network of ours: of which shape
 * they are, and what a backbone of the caller's makes of a source.
 *
 * @typedef {import("./deepemd.d.ts").Backbone<any>} Run
 * @typedef {import("./deepemd.d.ts").Shape} ShapeOption
 * @typedef {import("./protocol.d.ts").Features} Shape
 */

import { bad, shown } from "./check.js";
import { DeepEMDError } from "./error.js";

/**
 * The shape that options say; nodes and channels are 0 where the first answer of a
 * backbone says them.
 *
 * @param {Partial<ShapeOption>} options
 * @returns {Shape}
 */
export function shapeOf({ name = "", nodes = 0, channels = 0, regions }) {
  if (nodes > 0 !== channels > 0) throw bad(`nodes is ${nodes} and channels is ${channels}: say both${regions ? "" : ", or neither and let the backbone's first answer say"}`);
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
 * A copy of a list of numbers, as the engine takes it.
 *
 * @param {any} values
 * @returns {Float32Array | undefined} undefined for anything else
 */
function numbers(values) {
  if (values instanceof Float32Array) return values.slice();
  if (values instanceof Float64Array || (Array.isArray(values) && values.every((v) => typeof v === "number"))) return Float32Array.from(values);
  return undefined;
}

/** What a backbone made of a source. @typedef {Shape & { data: Float32Array, ms: number }} Made */

/** A network of the caller's. It is asked for one source at a time. */
export class Backbone {
  #run;
  /** @type {Promise<unknown>} What it is asked now. */ #busy = Promise.resolve();

  /** @param {Run} run */
  constructor(run) {
    this.#run = run;
  }

  /**
   * What it makes of a source. Rejects with code "backbone" where it fails or makes
   * nothing that can be matched.
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
 * The shape that an engine is to have, which takes features of one shape: undefined where
 * it has it already. Throws for features of another.
 *
 * @param {Shape} has
 * @param {Omit<Shape, "name">} gets
 * @returns {Shape | undefined}
 */
export function reshaped(has, { nodes, channels, regions }) {
  if (has.nodes === 0) return { ...has, nodes, channels, ...(regions && { regions }) };
  if (has.nodes === nodes && has.channels === channels) return undefined;
  throw failed(`gave ${nodes} nodes of ${channels} channels, where this engine has ${has.nodes} of ${has.channels}: features of one engine have one shape, so bring all sources to one size`);
}

/**
 * @param {string} what it did
 * @param {unknown} [cause]
 */
function failed(what, cause) {
  const error = new DeepEMDError("backbone", `the backbone ${what}`);
  if (cause !== undefined) error.cause = cause;
  return error;
}
