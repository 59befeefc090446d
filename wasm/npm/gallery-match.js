// @ts-check
/**
 * Converts a match from the arrays of a message to objects.
 *
 * @typedef {import("./gallery.d.ts").Match} Match
 */

/** Values per region in a message. */
const REGION = 4;

/**
 * @param {import("./gallery-requests.d.ts").GalleryExplained} wire
 * @param {Float32Array} regions of each image's nodes
 * @returns {Match}
 */
export function matched({ similarity, query, support, cosines, flow }, regions) {
  const total = query.reduce((sum, weight) => sum + weight, 0);
  /** @type {Match["flow"]} */
  const links = [];
  flow.forEach((amount, k) => {
    const from = Math.floor(k / support.length), to = k % support.length;
    if (amount > 0) links.push({ from, to, amount, similarity: cosines[k], score: (cosines[k] * amount) / total });
  });
  links.sort((a, b) => b.amount - a.amount || b.similarity - a.similarity);
  return { similarity, query: nodes(query, regions), support: nodes(support, regions), flow: links };
}

/**
 * @param {number[]} weights
 * @param {Float32Array} regions
 */
function nodes(weights, regions) {
  return weights.map((weight, i) => {
    const [x0, y0, x1, y1] = regions.subarray(i * REGION, (i + 1) * REGION);
    return { x0, y0, x1, y1, weight };
  });
}
