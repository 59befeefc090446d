// @ts-check
/**
 * The platform for Node and compatible runtimes: threads as workers, and paths as addresses. See
 * platform.js.
 */

import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DeepEMDError } from "./error.js";
import { Thread } from "./node-thread.js";

/** The beginning of an address; anything else is a path. */
const ADDRESS = /^(?:file|https?|data|blob):/i;

/** Bytes per read of a file. */
const PIECE = 1 << 20;

/** Responses for errors of the file system: see answerOf of platform.js. */
const REFUSALS = new Map([
  ["ENOENT", { status: 404, statusText: "there is no such file: is the path right?" }],
  ["ENOTDIR", { status: 404, statusText: "there is no such file: is the path right?" }],
  ["EACCES", { status: 403, statusText: "it may not be read: change its permissions" }],
  ["EPERM", { status: 403, statusText: "it may not be read: change its permissions" }],
]);

/** Node. @type {import("./platform.js").Platform} */
export const node = {
  remedies: {
    compile: "name the right file",
    fetch: "is the server reachable?",
    start: "set base to the package's folder, or worker to its worker.js",
  },

  startWorker(script, name) {
    if (script.protocol !== "file:") {
      throw new DeepEMDError("unsupported", `${script} cannot be started: threads run scripts from the disk; set engine and weights to files elsewhere, and leave out base and worker`);
    }
    return /** @type {Worker} */ (/** @type {unknown} */ (new Thread(script, name)));
  },

  locate(address) {
    try {
      return typeof address !== "string" || ADDRESS.test(address) ? new URL(address) : pathToFileURL(address);
    } catch {
      throw new DeepEMDError("bad-argument", `"${address}" is neither an address nor a path`);
    }
  },

  async read(url, options = {}) {
    const address = new URL(url);
    if (address.protocol !== "file:") return fetch(address, options);
    options.signal?.throwIfAborted();
    const path = fileURLToPath(address);
    try {
      const about = await stat(path);
      if (!about.isFile()) return new Response(null, { status: 404, statusText: about.isDirectory() ? "it is a folder: name a file in it" : "it is not a regular file: copy it to one" });
      await (await open(path)).close(); // a stream would refuse only after the response
      options.signal?.throwIfAborted(); // a stream that begins aborted fails without a listener, which ends the program
      const stream = about.size > 0 ? Readable.toWeb(createReadStream(path, { signal: options.signal, highWaterMark: PIECE })) : null;
      return new Response(/** @type {any} */ (stream), { headers: { "Content-Length": String(about.size) } });
    } catch (error) {
      const refusal = REFUSALS.get(/** @type {any} */ (error)?.code);
      if (refusal) return new Response(null, refusal);
      throw error;
    }
  },
};
