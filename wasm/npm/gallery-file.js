// @ts-check
/**
 * Stores a gallery as a file in the page's private file system (OPFS). One tab at a time writes
 * the file; all tabs can read it, as it only grows. If the file cannot be written, the gallery
 * continues in memory and the file keeps its content.
 */

import { HELD, fileOf, folder, inUse, removeFile } from "./gallery-folder.js";

/** Milliseconds to wait for a tab that writes, and between tries. */
const PATIENCE = 2000, PAUSE = 100;

/** The name of the browsers' error when a file changes during a read. */
const CHANGING = "NotReadableError";

/** One gallery's file. */
export class GalleryFile {
  #name;
  /** While it is written. @type {FileSystemSyncAccessHandle | undefined} */ #handle;
  /** The version of the content last read or written. */ #seen = versionOf(undefined);
  /** @type {unknown} The error of a failed write. */ #error;

  /** Why changes are not stored; empty if they are. */
  why = "";

  /** @param {string} gallery the gallery's name */
  constructor(gallery) {
    this.#name = fileOf(gallery);
  }

  /** Reads the content; undefined if there is no file. */
  async read() {
    if (this.#handle) {
      const content = new Uint8Array(this.#handle.getSize());
      this.#handle.read(content, { at: 0 });
      return content;
    }
    for (const end = performance.now() + PATIENCE; ; await pause()) {
      try {
        const file = await this.#file();
        const content = new Uint8Array(file ? await file.arrayBuffer() : new ArrayBuffer(0));
        this.#seen = versionOf(file);
        return content;
      } catch (error) {
        const { name = "" } = /** @type {Error} */ (error);
        if (![CHANGING, ...HELD].includes(name)) {
          this.forget(`files cannot be stored here (${error})`);
          return new Uint8Array();
        }
        if (performance.now() > end) throw inUse();
      }
    }
  }

  /** Whether the content may differ from the last read or write. Not called during a write. */
  async changed() {
    if (this.why) return false;
    try {
      return this.#seen !== versionOf(await this.#file());
    } catch {
      return true; // the read fails, too
    }
  }

  /** Locks the file for writing. */
  async hold() {
    if (this.why) return;
    for (const end = performance.now() + PATIENCE; ; await pause()) {
      try {
        const file = await (await folder(true)).getFileHandle(this.#name, { create: true });
        this.#handle = await file.createSyncAccessHandle();
        return;
      } catch (error) {
        const { name = "" } = /** @type {Error} */ (error);
        if (!HELD.includes(name)) return this.forget(`the browser gives the page no file to write (${error})`);
        if (performance.now() > end) throw inUse();
      }
    }
  }

  /** Unlocks the file. */
  async release() {
    this.#handle?.close();
    this.#handle = undefined;
    if (this.why) return;
    this.#seen = await this.#file().then(versionOf, () => "unknown");
  }

  /**
   * Replaces the content, all or nothing. Returns false if another tab was faster, the disk is full or the browser
   * does not support it.
   *
   * @param {Uint8Array<ArrayBuffer>} content
   */
  async replace(content) {
    let writable;
    try {
      writable = await (await (await folder(false)).getFileHandle(this.#name)).createWritable();
      if (await this.changed()) throw inUse();
      await writable.write(content);
      await writable.close();
      return true;
    } catch {
      await writable?.abort().catch(() => {}); // the failure may have closed it
      return false;
    }
  }

  /** Deletes the file. */
  async remove() {
    if (!this.why) await removeFile(this.#name);
    this.#seen = versionOf(undefined);
  }

  /**
   * Continues without the file, which stays unchanged.
   *
   * @param {string} why
   */
  forget(why) {
    this.why = why;
    this.#handle?.close();
    this.#handle = undefined;
  }

  /** Continues without the file after a failed write. */
  failed() {
    const full = /** @type {Error} */ (this.#error)?.name === "QuotaExceededError";
    this.forget(full ? "the device has no more room for the page" : `the file could not be written (${this.#error})`);
  }

  /**
   * The file functions that the program imports: see wasm/gallery. They do nothing and succeed without a file.
   *
   * @param {() => Uint8Array} memory the program's
   */
  imports(memory) {
    const attempt = (/** @type {(handle: FileSystemSyncAccessHandle) => void} */ act) => {
      if (!this.#handle) return 0;
      try {
        act(this.#handle);
        return 0;
      } catch (error) {
        this.#error = error;
        return 1;
      }
    };
    return {
      write: (/** @type {number} */ from, /** @type {number} */ length, /** @type {number} */ at) =>
        attempt((handle) => {
          const bytes = memory().subarray(from >>> 0, (from >>> 0) + length);
          if (handle.write(bytes, { at }) < length) throw new DOMException("less was written than was asked for", "QuotaExceededError");
        }),
      sync: () => attempt((handle) => handle.flush()),
      truncate: (/** @type {number} */ size) => attempt((handle) => handle.truncate(size)),
    };
  }

  /** The file; undefined if it does not exist. */
  async #file() {
    try {
      return await (await (await folder(false)).getFileHandle(this.#name)).getFile();
    } catch (error) {
      if (/** @type {Error} */ (error).name === "NotFoundError") return undefined;
      throw error;
    }
  }
}

/**
 * A version of a file's content that can be read without the content.
 *
 * @param {File | undefined} file
 */
function versionOf(file) {
  return file ? `${file.size} ${file.lastModified}` : "none";
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, PAUSE));
}
