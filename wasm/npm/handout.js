// @ts-check
/**
 * What callers get of what is kept: copies, so that they may transfer them or write
 * into them. They are made when they are read, so that lists of examples are cheap.
 *
 * @typedef {import("./deepemd.d.ts").Example} Example
 */

/**
 * An example for callers.
 *
 * @param {Example} kept never written to
 * @returns {Example}
 */
export function handOut(kept) {
  const { id, classId, size, original, second } = kept;
  const example = { id, classId, size };
  copied(example, "pixels", () => kept.pixels.slice());
  copied(example, "embedding", () => kept.embedding.slice());
  if (original) copied(example, "original", () => ({ size: original.size, pixels: original.pixels.slice() }));
  if (second) copied(example, "second", () => second.slice());
  return /** @type {Example} */ (example);
}

/**
 * Gives an object a property whose value is made when it is first read, or written.
 * It is enumerable, so that structured clones have it.
 *
 * @param {object} object
 * @param {string} name
 * @param {() => unknown} make
 */
function copied(object, name, make) {
  const become = (/** @type {unknown} */ value) => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, name, { get: () => become(make()), set: become, enumerable: true, configurable: true });
}
