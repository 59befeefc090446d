// @ts-check
/**
 * Projects in files on the disk.
 *
 * @typedef {import("./project.d.ts").Unpacked} Unpacked
 */

import { open, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { DeepEMDError } from "./error.js";
import { platform } from "./platform.js";
import * as project from "./project.js";

/**
 * @param {import("./deepemd.d.ts").DeepEMD} engine
 * @param {string | URL | Blob | ArrayBuffer | Uint8Array | Unpacked} file
 * @param {{ onProgress?: import("./project.d.ts").OnExamples, signal?: AbortSignal }} [options]
 */
export async function openProject(engine, file, options = {}) {
  return project.openProject(engine, await content(file, options), options);
}

/**
 * @param {import("./deepemd.d.ts").DeepEMD} engine
 * @param {{ to?: string | URL, name?: string, created?: string, extensions?: Record<string, unknown> }} [options]
 */
export async function saveProject(engine, { to, ...options } = {}) {
  const file = await project.saveProject(engine, options);
  if (to !== undefined) await write(to, file);
  return file;
}

/**
 * What a project may be, as what project.js opens.
 *
 * @param {string | URL | Blob | ArrayBuffer | Uint8Array | Unpacked} file
 * @param {{ signal?: AbortSignal }} options
 */
async function content(file, options) {
  if (file instanceof ArrayBuffer || file instanceof Uint8Array) return new Blob([/** @type {BlobPart} */ (file)]);
  if (typeof file !== "string" && !(file instanceof URL)) return file;
  const url = platform.locate(file);
  const response = await platform.read(url, options);
  if (!response.ok) throw new DeepEMDError("network", `the project ${file} could not be read: ${response.statusText || response.status}`);
  return response.blob();
}

/**
 * Writes a file: whole, or not at all.
 *
 * @param {string | URL} to
 * @param {Blob} file
 */
async function write(to, file) {
  const url = platform.locate(to);
  if (url.protocol !== "file:") throw new DeepEMDError("bad-argument", `a project cannot be written to ${url}: name a file`);
  const path = fileURLToPath(url);
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
