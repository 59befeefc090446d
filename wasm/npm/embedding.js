// @ts-check
/**
 * Embeddings that callers pass.
 *
 * @typedef {import("./deepemd.d.ts").Info} Info
 */

import { bad, kindOf, shown } from "./check.js";

/**
 * Whether a source is an embedding.
 *
 * @param {unknown} source
 * @returns {source is { embedding: Float32Array }}
 */
export function holdsEmbedding(source) {
  return typeof source === "object" && source !== null && kindOf(source) === "Object" && "embedding" in source && !("data" in source);
}

/**
 * Returns an embedding if it fits the engine, and throws otherwise.
 *
 * @param {unknown} values
 * @param {Info} info
 * @returns {Float32Array}
 */
export function checkEmbedding(values, { nodes, channels, features }) {
  if (!(values instanceof Float32Array)) throw bad(`the embedding is ${shown(values)}: want a Float32Array of ${nodes}×${channels} values, as embed gives it`);
  if (nodes > 0 && values.length !== nodes * channels) {
    const remedy = values.length === 0 ? "was its memory handed on (transferred) before?" : features ? "compute it as the examples'" : "leave it out, and the network computes it";
    throw bad(`the embedding has ${values.length} values: this engine takes ${nodes}×${channels}; ${remedy}`);
  }
  return values;
}
