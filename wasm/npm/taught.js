// @ts-check
/**
 * The page's record of an engine's content: every class, and every example's pixels and embedding.
 *
 * @typedef {{ -readonly [K in keyof import("./deepemd.d.ts").Example]: import("./deepemd.d.ts").Example[K] }} Example
 * @typedef {{ id: string, label: string, enabled: boolean, nothing: boolean, examples: Example[] }} TaughtClass
 * @typedef {import("./protocol.d.ts").Request} Request
 */

import { DeepEMDError } from "./error.js";
import { handOutClass } from "./handout.js";

/** The most bytes of originals, enough for some hundred examples; later originals are dropped. */
const MAX_ORIGINALS = 128e6;

/**
 * An example for the record. It is never modified: see handout.js.
 *
 * @param {string} id
 * @param {string} classId
 * @param {import("./protocol.d.ts").Added} reply the engine's
 * @param {Float32Array | undefined} known its embedding, if given; the record owns it, like more
 * @param {Example["original"]} [more] its original, if given
 * @returns {Example}
 */
export function exampleOf(id, classId, { pixels: seen, embedding, second, original }, known, more) {
  const { width: size, data: pixels } = seen ?? { width: 0, data: new Uint8Array(0) };
  /** @type {Example} */
  const example = { id, classId, size, pixels, embedding: /** @type {Float32Array} */ (known ?? embedding) };
  if (second) example.second = second;
  if (original) example.original = { size: original.width, pixels: original.data };
  else if (more && more.size > size) example.original = more;
  return example;
}

/** Classes by id, in the order in which they were added. */
export class Taught {
  /** @type {Map<string, TaughtClass>} */
  classes = new Map();
  /** @type {Set<string>} Ids of pending examples. */ #reserved = new Set();
  #lastId = 0;

  /** A snapshot of all classes in order, for callers. */
  snapshot() {
    return Array.from(this.classes.values(), handOutClass);
  }

  /**
   * Adds a class without examples and returns its id.
   *
   * @param {string} label
   * @param {string} [id] default: a new one
   * @param {boolean} [nothing] whether it is a background class
   */
  addClass(label, id, nothing = false) {
    id ??= this.#newId("class", (id) => this.classes.has(id));
    if (this.classes.has(id)) throw new DeepEMDError("bad-argument", `a class with id "${id}" exists already: choose another id`);
    this.classes.set(id, { id, label, enabled: true, nothing, examples: [] });
    return id;
  }

  /**
   * The class with an id; throws if there is none.
   *
   * @param {string} id
   */
  class(id) {
    const found = this.classes.get(id);
    if (!found) throw new DeepEMDError("unknown-class", `there is no class "${id}": addClass returns the id to use`);
    return found;
  }

  /**
   * Reserves the id of an example until it is freed.
   *
   * @param {string} [id] default: a new one
   */
  reserve(id) {
    const taken = (/** @type {string} */ id) => this.#reserved.has(id) || this.example(id) !== undefined;
    id ??= this.#newId("example", taken);
    if (taken(id)) throw new DeepEMDError("bad-argument", `an example with id "${id}" exists already: choose another id`);
    this.#reserved.add(id);
    return id;
  }

  /**
   * Frees a reserved id, after success or failure.
   *
   * @param {string} id
   */
  free(id) {
    this.#reserved.delete(id);
  }

  /**
   * Adds an example to its class. Drops its original if the originals are too large together.
   *
   * @param {Example} example
   * @returns {Example} the stored one
   */
  addExample(example) {
    if (example.original && this.#originals() + example.original.pixels.byteLength > MAX_ORIGINALS) delete example.original;
    this.class(example.classId).examples.push(example);
    return example;
  }

  /**
   * The example with an id and its class; undefined if there is none.
   *
   * @param {string} id
   */
  example(id) {
    for (const owner of this.classes.values()) {
      const example = owner.examples.find((e) => e.id === id);
      if (example) return { owner, example };
    }
    return undefined;
  }

  /**
   * Removes an example and returns its class; undefined if there is none.
   *
   * @param {string} id
   */
  removeExample(id) {
    const found = this.example(id);
    if (found) found.owner.examples = found.owner.examples.filter((e) => e !== found.example);
    return found?.owner;
  }

  /**
   * The requests that teach a new worker everything, without a pass through the model.
   *
   * @returns {Generator<Request>}
   */
  *requests() {
    for (const { id, label, enabled, nothing, examples } of this.classes.values()) {
      yield { type: "addClass", classId: id, label, nothing };
      if (!enabled) yield { type: "enableClass", classId: id, enabled };
      for (const { id: exampleId, size, pixels, embedding } of examples) {
        yield { type: "addExample", classId: id, exampleId, ...(size > 0 && { picture: { width: size, height: size, data: pixels } }), embedding };
      }
    }
  }

  /** The total bytes of originals. */
  #originals() {
    let bytes = 0;
    for (const { examples } of this.classes.values()) {
      for (const { original } of examples) bytes += original?.pixels.byteLength ?? 0;
    }
    return bytes;
  }

  /**
   * @param {string} prefix
   * @param {(id: string) => boolean} taken
   */
  #newId(prefix, taken) {
    let id;
    do id = `${prefix}-${++this.#lastId}`;
    while (taken(id));
    return id;
  }
}
