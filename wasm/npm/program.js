// @ts-check
/**
 * Starts and calls the engine's program (Go, compiled to WebAssembly), and detects its end.
 *
 * @typedef {(of: { progress?: object, reply?: object, error?: { code: import("./protocol.d.ts").ErrorCode, message: string } }) => void} Report of a job
 */

import { DeepEMDError } from "./error.js";
import { post } from "./reply.js";

/** The engine's entry point, once it runs. @type {((request: object, report: Report | undefined) => any) | undefined} */
let handle;

/** Whether the engine has ended. */
let down = false;

/** The beginning of the engine's output, which it writes only when it fails. */
let words = "";

/** The engine's memory. @type {WebAssembly.Memory | undefined} */
let memory;

/** Whether the engine has ended. */
export function isDown() {
  return down;
}

/** Whether the engine runs. */
export function isUp() {
  return handle !== undefined;
}

/** The size of the engine's memory in bytes. */
export function memoryBytes() {
  return memory?.buffer.byteLength;
}

/** @param {WebAssembly.Module} module */
export async function run(module) {
  const { Go, fs } = /** @type {any} */ (globalThis);
  const decoder = new TextDecoder();
  fs.writeSync = (/** @type {number} */ _, /** @type {Uint8Array} */ bytes) => {
    if (words.length < 4000) words += decoder.decode(bytes);
    return bytes.length;
  };
  const go = new Go();
  // A timer that fires after the end would throw, and hide the cause.
  go.exit = () => go._scheduledTimeouts.forEach((/** @type {number} */ timer) => clearTimeout(timer));
  /** @type {Promise<(request: object, report: Report | undefined) => any>} */
  const connected = new Promise((resolve) => {
    /** @type {any} */ (globalThis).deepemdConnect = resolve;
  });
  let instance;
  try {
    instance = await WebAssembly.instantiate(module, go.importObject);
  } catch (error) {
    const memory = error instanceof RangeError;
    throw new DeepEMDError(memory ? "out-of-memory" : "internal", `the engine could not be set up: ${error}`);
  }
  memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
  const exit = go.run(instance).then(
    () => ended("its program ended"),
    (/** @type {unknown} */ error) => ended(String(error)),
  );
  handle = await Promise.race([connected, exit]);
  if (!handle) throw new DeepEMDError("crashed", "the engine ended");
}

/**
 * Calls the engine. An engine that ends during a call cannot answer any more.
 *
 * @param {object} request
 * @param {Report} [report] of a job; without it, the job runs to its end
 */
export function call(request, report) {
  if (!handle) throw new DeepEMDError("internal", "the engine was not started: send init first");
  let reply;
  try {
    reply = handle(request, report);
  } catch (error) {
    ended(String(error));
  }
  if (down) throw new DeepEMDError("crashed", "the engine ended");
  if (!reply) {
    ended("its program ended without an answer");
    throw new DeepEMDError("crashed", "the engine ended");
  }
  if (reply.error) throw new DeepEMDError(reply.error.code, reply.error.message);
  return reply;
}

/**
 * Reports that this worker cannot continue.
 *
 * @param {string} reason
 */
function ended(reason) {
  if (down) return;
  down = true;
  const said = `${reason}\n${words}`;
  const memory = /out of memory|cannot allocate memory|memory allocation|allocation failed/i.test(said);
  const why = /^(?:panic|fatal error|runtime): .*$/m.exec(words)?.[0] ?? reason;
  post({
    type: "down",
    error: memory
      ? { code: "out-of-memory", message: `the device gave the engine no more memory (${why}): close other pages, or teach with fewer examples` }
      : { code: "crashed", message: `the engine crashed (${why})` },
  });
}
