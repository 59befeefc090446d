// @ts-check
/**
 * The error of all rejected calls.
 *
 * @typedef {import("./protocol.d.ts").ErrorCode} ErrorCode
 */

/** A failed call: a code for programs, and a message with the remedy for people. */
export class DeepEMDError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "DeepEMDError";
    this.code = code;
  }
}

/**
 * Whether the error reports a crash of the worker.
 *
 * @param {unknown} error
 */
export function isCrash(error) {
  return error instanceof DeepEMDError && (error.code === "crashed" || error.code === "out-of-memory");
}
