// @ts-check
/**
 * What callers get of what is kept: copies, so that they may transfer them or write
 * into them. They are made when they are read, so that lists of classes are cheap.
 * Properties that are made so are enumerable: structured clones have them.
 *
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").TaughtClass} TaughtClass
 */

/**
 * An example for callers.
 *
 * @param {Example} kept never written to
 * @returns {Example}
 */
export function handOut(kept) {
  const { id, classId, size, original, second } = kept;
  // The object is named rather than this: frameworks wrap what they are given in others.
  /** @type {Example} */
  const example = original
    ? {
        id, classId, size,
        get pixels() { return become(example, "pixels", kept.pixels.slice()); },
        get embedding() { return become(example, "embedding", kept.embedding.slice()); },
        get original() { return become(example, "original", { size: original.size, pixels: original.pixels.slice() }); },
      }
    : {
        id, classId, size,
        get pixels() { return become(example, "pixels", kept.pixels.slice()); },
        get embedding() { return become(example, "embedding", kept.embedding.slice()); },
      };
  if (second) Object.defineProperty(example, "second", { get: () => become(example, "second", second.slice()), enumerable: true, configurable: true });
  return example;
}

/**
 * A class for callers, with the examples that it has now.
 *
 * @param {TaughtClass} kept
 * @returns {TaughtClass}
 */
export function handOutClass({ id, label, enabled, examples }) {
  const now = examples.slice();
  /** @type {TaughtClass} */
  const handed = {
    id, label, enabled,
    get examples() { return become(handed, "examples", now.map(handOut)); },
  };
  return handed;
}

/**
 * Gives a property its value in the place of what made it.
 *
 * @template T
 * @param {object} object
 * @param {string} name
 * @param {T} value
 * @returns {T}
 */
function become(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  return value;
}
