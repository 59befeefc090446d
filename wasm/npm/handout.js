// @ts-check
/**
 * Copies of classes and examples for callers, who may transfer or modify them. Each read makes a
 * copy, so that lists of classes are cheap and examples do not hold pixels twice. The
 * properties are enumerable, so that structured clones have them.
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
  /** @type {Example} */
  const example = {
    id, classId, size,
    get pixels() { return kept.pixels.slice(); },
    get embedding() { return kept.embedding.slice(); },
  };
  if (original) also(example, "original", () => ({ size: original.size, pixels: original.pixels.slice() }));
  if (second) also(example, "second", () => second.slice());
  return example;
}

/**
 * A class for callers, with its current examples.
 *
 * @param {TaughtClass} kept
 * @returns {TaughtClass}
 */
export function handOutClass({ id, label, enabled, nothing, examples }) {
  const now = examples.slice();
  /** @type {TaughtClass["examples"] | undefined} */
  let handed;
  return { id, label, enabled, nothing, get examples() { return (handed ??= now.map(handOut)); } };
}

/**
 * Adds a property that is computed when it is read.
 *
 * @param {object} object
 * @param {string} name
 * @param {() => unknown} get
 */
function also(object, name, get) {
  Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
}
