// @ts-check
/**
 * The file that a gallery is kept in, in the page's own file system (OPFS). One tab at a
 * time holds it to write; all may read it meanwhile, as it only grows. Where it cannot be
 * kept the gallery goes on in memory, and what the file had stays in it.
 */

import { HELD, fileOf, folder, inUse, removeFile } from "./gallery-folder.js";

/** How long another tab is waited for that writes, in milliseconds, and how often it is looked at. */
const PATIENCE = 2000, PAUSE = 100;

/** What browsers call it that a file changes while it is read. */
const CHANGING = "NotReadableError";

/** One gallery's file. */
export class GalleryFile {
  #name;
  /** While it is written. @type {FileSystemSyncAccessHandle | undefined} */ #handle;
  /** Which content was read last, or written. */ #seen = versionOf(undefined);
  /** @type {unknown} What writing failed by. */ #error;

  /** Why nothing is kept; empty where it is. */
  why = "";

  /** @param {string} gallery its name */
  constructor(gallery) {
    this.#name = fileOf(gallery);
  }

  /** The content, none where there is no such file. */
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
          this.forget(`the browser gives the page no files (${error})`);
          return new Uint8Array();
        }
        if (performance.now() > end) throw inUse();
      }
    }
  }

  /** Whether the content may be another than was read or written here. Nobody asks while it is written. */
  async changed() {
    if (this.why) return false;
    try {
      return this.#seen !== versionOf(await this.#file());
    } catch {
      return true; // who reads it will see
    }
  }

  /** Holds the file for writing. */
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

  /** Lets go of the file. */
  async release() {
    this.#handle?.close();
    this.#handle = undefined;
    if (this.why) return;
    this.#seen = await this.#file().then(versionOf, () => "unknown");
  }

  /**
   * Puts other content in the place of what was read, whole or not at all. Reports whether it did: another tab may have
   * been faster, there may be no room, or the browser may not know how.
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
      await writable?.abort().catch(() => {}); // closed by what failed
      return false;
    }
  }

  /** Deletes the file. */
  async remove() {
    if (!this.why) await removeFile(this.#name);
    this.#seen = versionOf(undefined);
  }

  /**
   * Goes on without the file, which stays as it is.
   *
   * @param {string} why
   */
  forget(why) {
    this.why = why;
    this.#handle?.close();
    this.#handle = undefined;
  }

  /** Goes on without the file, which could not be written. */
  failed() {
    const full = /** @type {Error} */ (this.#error)?.name === "QuotaExceededError";
    this.forget(full ? "the device has no more room for the page" : `the file could not be written (${this.#error})`);
  }

  /**
   * What the program asks of its file: see wasm/gallery. Without one all goes well.
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

  /** The file as it is, undefined where there is none. */
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
 * Which content a file has, as far as that can be told without reading it.
 *
 * @param {File | undefined} file
 */
function versionOf(file) {
  return file ? `${file.size} ${file.lastModified}` : "none";
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, PAUSE));
}
