// @ts-check
/** Fetches and compiles the solver's program. */

import { DeepEMDError } from "./error.js";
import { answerOf, forbidden, platform, unread } from "./platform.js";
import { program } from "./solver-assets.js";

/**
 * Compiles the program, during its download if it has an address.
 *
 * @param {import("./solver.d.ts").SolverOptions["engine"]} engine
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiled(engine, signal) {
  if (typeof WebAssembly !== "object") throw new DeepEMDError("unsupported", "there is no WebAssembly here: use a current browser");
  if (engine instanceof WebAssembly.Module) return engine;
  const { what, code } = await arriving(engine, signal);
  try {
    return await WebAssembly.compileStreaming(new Response(code, { headers: { "Content-Type": "application/wasm" } }));
  } catch (error) {
    signal?.throwIfAborted();
    if (forbidden(error)) throw new DeepEMDError("unsupported", forbidden(error));
    if (error instanceof RangeError) throw new DeepEMDError("out-of-memory", `the solver could not be compiled: ${error.message}`);
    throw new DeepEMDError("network", `${what} is incomplete or not the solver (${error}): ${platform.remedies.compile}`);
  }
}

/**
 * The program's bytes, perhaps as a stream, and its name for messages.
 *
 * @param {import("./solver.d.ts").SolverOptions["engine"]} engine
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<{ what: string, code: BodyInit | null }>} null for an empty file
 */
async function arriving(engine, signal) {
  if (engine instanceof Blob || engine instanceof ArrayBuffer || ArrayBuffer.isView(engine)) {
    return { what: "the solver that was given", code: /** @type {BodyInit} */ (engine) };
  }
  if (engine instanceof Response) return bodyOf(engine);
  if (engine === undefined || typeof engine === "string" || engine instanceof URL) {
    const url = platform.locate(engine ?? program.url);
    let response;
    try {
      response = await platform.read(url, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw new DeepEMDError("network", `the solver could not be fetched from ${url} ${unread(error)}`);
    }
    return bodyOf(response, url.href);
  }
  throw new DeepEMDError("bad-argument", `engine is ${engine}: want an address, a Blob, bytes, a Response or a WebAssembly.Module`);
}

/**
 * @param {Response} response
 * @param {string} [from] its address
 */
function bodyOf(response, from = response.url || "the response that was given") {
  if (!response.ok) {
    throw new DeepEMDError("network", `the solver could not be fetched from ${from}: ${answerOf(from, response)}`);
  }
  if (response.headers.get("Content-Type")?.startsWith("text/html")) {
    throw new DeepEMDError("network", `${from} is a web page, not the solver: the server answers unknown addresses with a page; correct the address`);
  }
  if (response.bodyUsed) throw new DeepEMDError("bad-argument", `${from} was read already: give a copy (response.clone())`);
  return { what: from, code: response.body };
}
