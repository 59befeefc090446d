// @ts-check
/**
 * The folder of the page's own file system (OPFS) that galleries are kept in, a file each.
 */

import { Failure } from "./reply.js";

/** Its name. */
const FOLDER = "deepemd-galleries";

/** What browsers call it that another tab holds a file. */
export const HELD = ["NoModificationAllowedError", "InvalidStateError"];

/**
 * Deletes a gallery's file, if there is one.
 *
 * @param {string} name the file's
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
 * The folder itself.
 *
 * @param {boolean} create
 */
export async function folder(create) {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create });
}

/** The failure of a change while another tab makes one. */
export function inUse() {
  return new Failure("in-use", "another tab is changing the gallery: wait until it has finished, or close it");
}
