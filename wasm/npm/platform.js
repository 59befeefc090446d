// @ts-check
/**
 * The differences between browsers and other runtimes: starting workers, resolving addresses and
 * reading files. Pages and their workers share this module. The browser is the default; another
 * platform is installed before anything runs.
 *
 * @typedef {object} Platform
 * @property {(script: URL, name: string) => Worker} startWorker starts a worker with
 *   a script that uses `import` (or, in a Blob, does not). Throws a DeepEMDError with the code
 *   "unsupported" if there are no workers.
 * @property {(address: string | URL) => URL} locate resolves an address of the caller. Throws a
 *   DeepEMDError with the code "bad-argument" for an invalid one.
 * @property {(url: URL | string, options?: { signal?: AbortSignal, cache?: RequestCache }) => Promise<Response>} read
 *   reads a file, like fetch: the response for a missing file is not ok.
 * @property {{ compile: string, fetch: string, start: string }} remedies the checks that messages suggest: if a program cannot be
 *   compiled, if a file cannot be read, and if a worker does not start
 */

import { DeepEMDError } from "./error.js";
import { trusted } from "./trusted.js";

/** The browser. @type {Platform} */
const browser = {
  // A worker script must come from the page's origin; a small script in a Blob imports a script
  // from elsewhere.
  startWorker(script, name) {
    if (typeof Worker !== "function" || typeof WebAssembly !== "object") {
      const remedy = /** @type {any} */ (globalThis).process?.versions?.node ? 'in Node, import "deepemd/node" instead of "deepemd"' : "use a current browser";
      throw new DeepEMDError("unsupported", `there are no Web Workers or no WebAssembly here: ${remedy}`);
    }
    // A script in a Blob has no imports; pages from a disk can start no other kind.
    if (script.protocol === "blob:") return worker(script, { name });
    if (script.origin === globalThis.origin) return worker(script, { type: "module", name });
    const url = new URL(URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" })));
    const started = worker(url, { type: "module", name });
    started.addEventListener("message", () => URL.revokeObjectURL(url.href), { once: true });
    return started;
  },

  locate(address) {
    try {
      return new URL(address, here());
    } catch {
      throw new DeepEMDError("bad-argument", `"${address}" is not an address`);
    }
  },

  read(url, options) {
    return fetch(url, options);
  },

  remedies: {
    compile: "reload the page, or name the right file",
    fetch: "is the server reachable, does it allow this page to read it (CORS), and does the Content-Security-Policy (connect-src)?",
    start: "is it served from the folder of deepemd.js, and does the page's Content-Security-Policy allow it (worker-src)?",
  },
};

/**
 * Why a response is not ok. A file has no server: the platform has written the reason to its status.
 *
 * @param {URL | string} url
 * @param {Response} response
 */
export function answerOf(url, { status, statusText }) {
  return String(url).startsWith("file:") ? statusText : `the server answered ${status} ${statusText}: is the address right?`;
}

/**
 * Why a file cannot be read, and what to check, for messages.
 *
 * @param {any} error
 */
export function unread(error) {
  const { cause } = error ?? {}; // in Node, the error itself says only "fetch failed"
  return `(${cause?.message || cause?.code || error}): ${platform.remedies.fetch}`;
}

/**
 * Reads a response of the caller.
 *
 * @param {Response} response
 * @param {string} what its content, for messages
 * @param {(response: Response) => Promise<Blob>} [read]
 * @returns {Promise<Blob>}
 */
export async function received(response, what, read = (given) => given.blob()) {
  const name = response.url || "the response that was given";
  if (!response.ok) throw new DeepEMDError("network", `cannot fetch the ${what} from ${name}: HTTP ${response.status} ${response.statusText}`);
  if (response.bodyUsed) throw new DeepEMDError("bad-argument", `${name}, given as ${what}, was read already: give a copy (response.clone())`);
  try {
    return await read(response);
  } catch (error) {
    throw new DeepEMDError("network", `${name} is incomplete (${error}): check the connection and try again`);
  }
}

/**
 * Why a program may not be compiled; "" if it may.
 *
 * @param {unknown} error
 */
export function forbidden(error) {
  if (!/Content.Security.Policy|\bCSP\b/i.test(String(error))) return "";
  return "the Content-Security-Policy of the page, or of the worker's script, forbids WebAssembly: its script-src needs 'wasm-unsafe-eval'";
}

/** Where a platform is registered for other copies of this module: a worker's script is a separate bundle. */
const OTHER = Symbol.for("deepemd.platform");

/** The current platform. @type {Platform} */
export const platform = { ...browser, .../** @type {any} */ (globalThis)[OTHER] };

/**
 * Installs another platform, here and in scripts that start later.
 *
 * @param {Platform} other
 */
export function install(other) {
  Object.assign(platform, other);
  /** @type {any} */ (globalThis)[OTHER] = other;
}

/**
 * @param {URL} script
 * @param {WorkerOptions} options
 */
function worker(script, options) {
  const address = trusted(script);
  try {
    return new Worker(address, options);
  } catch (error) {
    throw new DeepEMDError("unsupported", `the page does not let the worker ${script} start (${error}): its Content-Security-Policy needs trusted-types deepemd and a worker-src that names the worker`);
  }
}

/** The base of relative addresses, in a page or a worker. */
function here() {
  const { document, location } = /** @type {any} */ (globalThis);
  return document?.baseURI ?? location?.href;
}
