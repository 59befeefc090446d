// @ts-check
/**
 * Downloads the engine and the weights, reports progress, and explains wrong content.
 *
 * @typedef {import("./given.js").File} File
 */

import { DeepEMDError } from "./error.js";
import { listed } from "./parts.js";
import { answerOf, forbidden, platform, unread } from "./platform.js";
import { Count, arriving } from "./progress.js";
import { post } from "./reply.js";
import { unfused } from "./unfuse.js";

/** The beginning of a web page, which servers send for wrong addresses. */
const HTML = /^\s*<(!doctype|html|head|body|\?xml)/i;

/**
 * Compiles the engine, during its download if it has an address.
 *
 * @param {File} engine
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(engine) {
  let body, what = "the engine that was given";
  if ("url" in engine) {
    what = engine.url;
    const response = await request(what, "engine");
    if (response.headers.get("Content-Type")?.startsWith("text/html")) throw notOurs(what, "engine");
    body = arriving(response, "engine", engine.bytes, reporting("engine"));
  } else {
    body = engine;
  }
  const code = new Response(body, { headers: { "Content-Type": "application/wasm" } });
  try {
    if (hasRelaxedSimd()) return await WebAssembly.compileStreaming(code);
    return await WebAssembly.compile(unfused(new Uint8Array(await code.arrayBuffer())));
  } catch (error) {
    if (forbidden(error)) throw new DeepEMDError("unsupported", forbidden(error));
    if (!hasSimd()) throw new DeepEMDError("unsupported", "this browser's WebAssembly has no SIMD: use a current browser");
    if (error instanceof RangeError) throw new DeepEMDError("out-of-memory", `the engine could not be compiled: ${error.message}`);
    throw new DeepEMDError("network", `${what} is incomplete or not the engine (${error}): ${platform.remedies.compile}`);
  }
}

/**
 * Downloads the weights: one file, or pieces.
 *
 * @param {File} weights
 * @returns {Promise<ArrayBuffer>}
 */
export async function download(weights) {
  if (weights instanceof ArrayBuffer) return weights;
  if (weights instanceof Blob) return weights.arrayBuffer();
  const { url, bytes } = weights;
  const file = await whole(arriving(await request(url, "weights"), "weights", bytes, reporting("weights")), url);
  if (HTML.test(new TextDecoder().decode(file.slice(0, 64)))) throw notOurs(url, "weights");
  const list = listed(file, url);
  if (!list) return file;
  if (list.wrong) throw new DeepEMDError("network", `the pieces of the weights ${url}: it lists ${list.wrong}: export the weights again`);
  const count = new Count(list.bytes, reporting("weights"));
  const pieces = await Promise.all(list.addresses.map(async (address) => {
    const { body } = await request(address, "weights");
    return whole(body.pipeThrough(counting(count)), address);
  }));
  const all = await new Blob(pieces).arrayBuffer();
  if (all.byteLength !== list.bytes) {
    throw new DeepEMDError("network", `the pieces of the weights ${url} are ${all.byteLength} bytes together, not ${list.bytes}: are they all of the same export?`);
  }
  return all;
}

/**
 * Reads a stream to its end.
 *
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {string} url its address
 */
async function whole(body, url) {
  try {
    return await new Response(body).arrayBuffer();
  } catch (error) {
    throw new DeepEMDError("network", `the weights ${url} are incomplete (${error}): check the connection and try again`);
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
    throw new DeepEMDError("network", `the ${what} could not be fetched from ${url} ${unread(error)}`);
  }
  if (!response.ok) {
    throw new DeepEMDError("network", `the ${what} could not be fetched from ${url}: ${answerOf(url, response)}`);
  }
  if (!response.body) throw new DeepEMDError("network", `${url} sent an empty response: is the address right?`);
  return /** @type {Response & { body: ReadableStream<Uint8Array<ArrayBuffer>> }} */ (response);
}

/**
 * @param {string} url
 * @param {"engine" | "weights"} what
 */
function notOurs(url, what) {
  return new DeepEMDError(
    what === "weights" ? "bad-weights" : "network",
    `${url} is a web page, not the ${what}: the server answers unknown addresses with a page; correct the address`,
  );
}

/**
 * A stream that counts bytes.
 *
 * @param {Count} count
 * @returns {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>}
 */
function counting(count) {
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      count.add(chunk.byteLength);
    },
  });
}

/**
 * Reports the progress of a download to the page.
 *
 * @param {"engine" | "weights"} stage
 * @returns {import("./progress.js").Report}
 */
function reporting(stage) {
  return (loaded, total) => post({ type: "progress", stage, loaded, total });
}

/** Whether the browser supports SIMD: validates a module with one v128 instruction. */
function hasSimd() {
  return WebAssembly.validate(
    // (module (func (result v128) (i8x16.splat (i32.const 0))))
    new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]),
  );
}

/** Whether the browser supports relaxed SIMD: validates a module with f32x4.relaxed_madd. */
function hasRelaxedSimd() {
  return WebAssembly.validate(
    // (module (func (param v128) (result v128) (f32x4.relaxed_madd (local.get 0) (local.get 0) (local.get 0))))
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 0, 32, 0, 253, 133, 2, 11,
    ]),
  );
}
