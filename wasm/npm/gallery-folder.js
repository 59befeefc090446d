// @ts-check
/** The folder of galleries in the page's private file system (OPFS). Each gallery is one file. */

import { DeepEMDError } from "./error.js";

const FOLDER = "deepemd-galleries";

/** The names of the browsers' errors when another tab has locked a file. */
export const HELD = ["NoModificationAllowedError", "InvalidStateError"];

/**
 * Deletes a gallery's file, if there is one.
 *
 * @param {string} name the file's name
 */
export async function removeFile(name) {
  try {
    await (await folder(false)).removeEntry(name);
  } catch (error) {
    const kind = /** @type {Error} */ (error).name;
    if (HELD.includes(kind)) throw inUse();
    if (kind !== "NotFoundError") throw error;
  }
}

/**
 * The name of a gallery's file.
 *
 * @param {string} gallery
 */
export function fileOf(gallery) {
  return `${encodeURIComponent(gallery)}.index`;
}

/**
 * Opens the folder.
 *
 * @param {boolean} create
 */
export async function folder(create) {
  const root = await globalThis.navigator?.storage?.getDirectory?.();
  if (!root) throw new Error("there is no private file system");
  return root.getDirectoryHandle(FOLDER, { create });
}

/** The error of a change while another tab changes the gallery. */
export function inUse() {
  return new DeepEMDError("in-use", "another tab is changing the gallery: wait until it has finished, or close it");
}
