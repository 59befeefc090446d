// @ts-check
/**
 * The worker's messages to the page.
 *
 * @typedef {import("./protocol.d.ts").ErrorCode} ErrorCode
 */

/** A failure with its code. */
export class Failure extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Converts an error for the page.
 *
 * @param {unknown} error
 */
export function describe(error) {
  if (error instanceof Failure) return { code: error.code, message: error.message };
  return { code: "internal", message: String(error) };
}

/**
 * @param {object} message
 * @param {Transferable[]} [transfer]
 */
export function post(message, transfer = []) {
  /** @type {any} */ (self).postMessage(message, transfer);
}
