// @ts-check
/**
 * The one kind of error that deepemd.js rejects with.
 *
 * @typedef {import("./protocol.d.ts").ErrorCode} ErrorCode
 */

/** Why a call failed: a code for programs, a message with the remedy for people. */
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
 * Whether the error says that the worker died.
 *
 * @param {unknown} error
 */
export function isCrash(error) {
  return error instanceof DeepEMDError && (error.code === "crashed" || error.code === "out-of-memory");
}
