// @ts-check
/** The worker's messages to the page. */

import { DeepEMDError } from "./error.js";

/**
 * Converts an error for the page.
 *
 * @param {unknown} error
 */
export function describe(error) {
  if (error instanceof DeepEMDError) return { code: error.code, message: error.message };
  return { code: "internal", message: String(error) };
}

/**
 * @param {object} message
 * @param {Transferable[]} [transfer]
 */
export function post(message, transfer = []) {
  /** @type {any} */ (self).postMessage(message, transfer);
}
