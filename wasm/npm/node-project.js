// @ts-check
/** Saves projects to the disk. */

import { open, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bad, options as checked } from "./check.js";
import { SAVING } from "./manifest.js";
import { platform } from "./platform.js";
import * as project from "./project.js";

/**
 * @param {import("./deepemd.d.ts").DeepEMD} engine
 * @param {import("./node.d.ts").SaveOptions} [options]
 */
export async function saveProject(engine, options = {}) {
  const { to, ...others } = checked("saveProject", options, { ...SAVING, to: "address" });
  const path = to === undefined ? undefined : pathOf(to);
  const file = await project.saveProject(engine, others);
  if (path !== undefined) await write(path, file, others.signal);
  return file;
}

/**
 * @param {string | URL} to
 */
function pathOf(to) {
  const url = platform.locate(to);
  if (url.protocol !== "file:") throw bad(`a project cannot be written to ${url}: name a file`);
  return fileURLToPath(url);
}

/**
 * Writes a file atomically.
 *
 * @param {string} path
 * @param {Blob} file
 * @param {AbortSignal | undefined} signal
 */
async function write(path, file, signal) {
  const half = `${path}.${process.pid}.new`;
  try {
    const handle = await open(half, "w");
    try {
      await handle.writeFile(/** @type {any} */ (file.stream()), { signal });
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal?.throwIfAborted();
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true });
    signal?.throwIfAborted(); // the reason, not Node's error
    throw error;
  }
}
