// @ts-check
/**
 * The parts of a shared page: scripts of another type, as text or as digits (digits.js), compressed with gzip if the browser that made
 * the page could.
 */

import { decode } from "../../web/static/web/digits.js";

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Decodes a part, and frees the memory of its text.
 *
 * @param {string} id
 * @returns {Promise<Blob>}
 */
export async function part(id) {
  const script = element(`part-${id}`);
  const bytes = decode((script.textContent ?? "").trim());
  script.remove();
  const blob = new Blob([bytes]);
  if (script.dataset.packed !== "gzip") return blob;
  return new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

/**
 * The address of a script for another thread. A page from a disk can start workers only from a Blob.
 *
 * @param {string} id
 */
export const script = (id) => URL.createObjectURL(new Blob([element(id).textContent ?? ""], { type: "text/javascript" }));
