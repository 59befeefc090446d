// @ts-check
/**
 * All that differs between a browser and other places that JavaScript runs in: how a
 * worker starts, what an address means, and how what lies there is read. Pages and
 * their workers share it. The browser's way is the default; another is put in its
 * place before anything runs.
 *
 * @typedef {object} Platform
 * @property {(script: URL, name: string) => Worker} startWorker starts a worker with
 *   a script that says `import` (or, in a Blob, does not). Throws a DeepEMDError with code
 *   "unsupported" where there are no workers.
 * @property {(address: string | URL) => URL} locate what an address means that the
 *   caller gave. Throws a DeepEMDError with code "bad-argument" for one that means nothing.
 * @property {(url: URL | string, options?: { signal?: AbortSignal, cache?: RequestCache }) => Promise<Response>} read
 *   reads an asset or a source, as fetch does: what is not there is a response that is not ok.
 */

import { DeepEMDError } from "./error.js";
import { trusted } from "./trusted.js";

/** The browser's way. @type {Platform} */
const browser = {
  // A worker script must come from the page's own origin; one that lies elsewhere is
  // imported by a small script that does.
  startWorker(script, name) {
    if (typeof Worker !== "function" || typeof WebAssembly !== "object") {
      throw new DeepEMDError("unsupported", "this browser has no Web Workers or no WebAssembly: use a current one");
    }
    // A script in a Blob is one without imports; pages that lie on a disk start no other.
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
      throw new DeepEMDError("bad-argument", `"${address}" is no address`);
    }
  },

  read(url, options) {
    return fetch(url, options);
  },
};

/** Where another way stands when this script is not the only one that holds this module: a worker's is one file. */
const OTHER = Symbol.for("deepemd.platform");

/** How things are done here. @type {Platform} */
export const platform = { ...browser, .../** @type {any} */ (globalThis)[OTHER] };

/**
 * Puts another way of doing things in the place of this one, here and in scripts that
 * begin later.
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

/** What relative addresses are relative to, of a page or of a worker. */
function here() {
  return /** @type {any} */ (globalThis).document?.baseURI ?? globalThis.location.href;
}
