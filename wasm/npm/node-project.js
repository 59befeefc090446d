// @ts-check
/** Saves projects to the disk. */

import { open, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bad } from "./check.js";
import { platform } from "./platform.js";
import * as project from "./project.js";

/**
 * @param {import("./deepemd.d.ts").DeepEMD} engine
 * @param {import("./node.d.ts").SaveOptions} [options]
 */
export async function saveProject(engine, options = {}) {
  const { to, ...others } = options ?? {};
  const path = to === undefined ? undefined : pathOf(to);
  const file = await project.saveProject(engine, options && others);
  if (path !== undefined) await write(path, file);
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
 */
async function write(path, file) {
  const half = `${path}.${process.pid}.new`;
  try {
    const handle = await open(half, "w");
    try {
      await handle.writeFile(/** @type {any} */ (file.stream()));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}
