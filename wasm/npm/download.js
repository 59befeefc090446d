// @ts-check
/**
 * Fetches the engine and the weights, says how much has arrived, and tells what is
 * wrong with what comes instead.
 */

import { LIST_BYTES, joined, listed } from "./parts.js";
import { platform } from "./platform.js";
import { Failure, post } from "./reply.js";

/** What a bad address gives that is no file of the wanted kind. */
const HTML = /^\s*<(!doctype|html|head|body|\?xml)/i;

/**
 * Compiles the engine, while it arrives where it has to be fetched.
 *
 * @param {string | ArrayBuffer} engine its address or content
 */
export async function compile(engine) {
  let code;
  if (typeof engine === "string") {
    const response = await request(engine, "engine");
    if (response.headers.get("Content-Type")?.startsWith("text/html")) throw notOurs(engine, "engine");
    code = new Response(response.body.pipeThrough(counting(counter("engine", length(response)))), {
      headers: { "Content-Type": "application/wasm" },
    });
  } else {
    code = new Response(engine, { headers: { "Content-Type": "application/wasm" } });
  }
  // Most browsers need no such help, and need not wait for this script.
  const help = hasRelaxedSimd() ? undefined : await import("./unfuse.js").catch((error) => {
    throw new Failure("network", `unfuse.js could not be loaded: is it served beside worker.js? (${error})`);
  });
  try {
    if (!help) return await WebAssembly.compileStreaming(code);
    return await WebAssembly.compile(help.unfused(new Uint8Array(await code.arrayBuffer())));
  } catch (error) {
    if (!hasSimd()) throw new Failure("unsupported", "this browser's WebAssembly has no SIMD: use a current browser");
    if (error instanceof RangeError) throw new Failure("out-of-memory", `the engine could not be compiled: ${error.message}`);
    const what = typeof engine === "string" ? engine : "the engine that was given";
    throw new Failure("network", `${what} did not arrive whole or is not the engine (${error}): reload the page`);
  }
}

/**
 * Fetches the weights, whole or in pieces.
 *
 * @param {string} url
 * @returns {Promise<ArrayBuffer>}
 */
export async function download(url) {
  const response = await request(url, "weights");
  const file = await body(response, url, sized(response));
  if (HTML.test(new TextDecoder().decode(file.slice(0, 64)))) throw notOurs(url, "weights");
  const list = listed(file, url);
  if (!list) return file;
  const count = counter("weights", list.bytes);
  const bytes = joined(await Promise.all(list.addresses.map(async (address) => body(await request(address, "weights"), address, count))));
  if (bytes.byteLength !== list.bytes) {
    throw new Failure("network", `the pieces of the weights ${url} are ${bytes.byteLength} bytes together, not ${list.bytes}: are they all of the same export?`);
  }
  return bytes;
}

/**
 * @param {Response & { body: ReadableStream<Uint8Array> }} response
 * @param {string} url
 * @param {(bytes: number) => void} count
 */
async function body(response, url, count) {
  try {
    return await new Response(response.body.pipeThrough(counting(count))).arrayBuffer();
  } catch (error) {
    throw new Failure("network", `the weights ${url} did not arrive whole (${error}): check the connection and try again`);
  }
}

/**
 * @param {string} url
 * @param {string} what
 */
async function request(url, what) {
  let response;
  try {
    response = await platform.read(url);
  } catch (error) {
    throw new Failure("network", `the ${what} could not be fetched from ${url} (${error}): is the server reachable?`);
  }
  if (!response.ok) {
    throw new Failure("network", `the ${what} could not be fetched: ${url} answered ${response.status} ${response.statusText}: is the address right?`);
  }
  if (!response.body) throw new Failure("network", `${url} answered with nothing`);
  return /** @type {Response & { body: ReadableStream<Uint8Array> }} */ (response);
}

/**
 * @param {string} url
 * @param {"engine" | "weights"} what
 */
function notOurs(url, what) {
  return new Failure(
    what === "weights" ? "bad-weights" : "network",
    `${url} is a web page, not the ${what}: the server answers unknown addresses with a page; correct the address`,
  );
}

/**
 * A stream that says how much passes.
 *
 * @param {(bytes: number) => void} count
 */
function counting(count) {
  return new TransformStream({
    /** @param {Uint8Array} chunk */
    transform(chunk, controller) {
      controller.enqueue(chunk);
      count(chunk.byteLength);
    },
  });
}

/**
 * Reports how much of something has arrived. The total is 0 where it is not known.
 *
 * @param {"engine" | "weights"} stage
 * @param {number} total
 */
function counter(stage, total) {
  let loaded = 0;
  return (/** @type {number} */ bytes) => {
    loaded += bytes;
    post({ type: "progress", stage, loaded, total });
  };
}

/**
 * How much a response is: Content-Length counts what travels, which may be
 * compressed.
 *
 * @param {Response} response
 */
function length(response) {
  const compressed = response.headers.has("Content-Encoding");
  return Number(response.headers.get(compressed ? "X-Uncompressed-Length" : "Content-Length")) || 0;
}

/**
 * The counter of the weights; a list of pieces does not count.
 *
 * @param {Response} response
 */
function sized(response) {
  const total = length(response);
  return total > 0 && total <= LIST_BYTES ? () => {} : counter("weights", total);
}

/** Whether 128-bit vectors are understood: a module with one v128 instruction. */
function hasSimd() {
  return WebAssembly.validate(
    // (module (func (result v128) (i8x16.splat (i32.const 0))))
    new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]),
  );
}

/** Whether products and sums can be fused: a module with f32x4.relaxed_madd. */
function hasRelaxedSimd() {
  return WebAssembly.validate(
    // (module (func (param v128) (result v128) (f32x4.relaxed_madd (local.get 0) (local.get 0) (local.get 0))))
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 0, 32, 0, 253, 133, 2, 11,
    ]),
  );
}
