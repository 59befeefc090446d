// @ts-check
/** Saves projects to the disk. */

import { open, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bad, options as checked } from "./check.js";
import { SAVING } from "./manifest.js";
import { platform } from "./platform.js";
import * as project from "./project.js";

/** The last save to each path, until it ends: an earlier, slower save must not overwrite a later one. @type {Map<string, Promise<unknown>>} */
const saves = new Map();

/**
 * @param {import("./deepemd.d.ts").DeepEMD} engine
 * @param {import("./node.d.ts").SaveOptions} [options]
 */
export async function saveProject(engine, options = {}) {
  const { to, ...others } = checked("saveProject", options, { ...SAVING, to: "address" });
  if (to === undefined) return project.saveProject(engine, others);
  const path = pathOf(to);
  const content = project.saveProject(engine, others);
  const saved = Promise.allSettled([content, saves.get(path)]).then(async () => {
    const file = await content;
    await write(path, file, others.signal);
    return file;
  });
  saves.set(path, saved);
  try {
    return await saved;
  } finally {
    if (saves.get(path) === saved) saves.delete(path);
  }
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
  const half = `${path}.${crypto.randomUUID()}.new`;
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
