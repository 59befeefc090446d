// @ts-check
/**
 * Makes an explanation as a page reads it out of the arrays in which it
 * travels.
 *
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").Explanation} Explanation
 * @typedef {import("./deepemd.d.ts").Link} Link
 * @typedef {import("./protocol.d.ts").WireExplanation} WireExplanation
 */

/** Values that a node travels as: its region and its weight. */
const NODE = 5;

/**
 * @param {WireExplanation} wire
 * @param {Example} example the one that the picture was matched with
 * @returns {Explanation}
 */
export function explanation(wire, example) {
  const { classId, label, score, total, temperature, similarity } = wire;
  const query = nodes(wire.query);
  const support = nodes(wire.support);
  /** @type {Link[]} */
  const flow = [];
  for (let from = 0, k = 0; from < query.length; from++) {
    for (let to = 0; to < support.length; to++, k++) {
      const amount = wire.flow[k];
      if (amount > 0) flow.push({ from, to, amount, similarity: similarity[k], score: (temperature / total) * similarity[k] * amount });
    }
  }
  flow.sort((a, b) => b.amount - a.amount || b.similarity - a.similarity);
  return { classId, label, example, score, total, temperature, query, support, flow, similarity, ...(wire.head && { head: wire.head }) };
}

/** @param {Float32Array} list */
function nodes(list) {
  return Array.from({ length: list.length / NODE }, (_, i) => {
    const [x0, y0, x1, y1, weight] = list.subarray(i * NODE, (i + 1) * NODE);
    return { x0, y0, x1, y1, weight };
  });
}
