// @ts-check
/**
 * The browser's databases (IndexedDB). Each has two stores: one of records, and one of their
 * parts. A library such as idb would hide only the few lines of promises here.
 *
 * @typedef Layout
 * @property {string} name
 * @property {[name: string, key: string | string[]][]} stores
 */

const VERSION = 1;

/** Projects, and their examples. @type {Layout} */
const PROJECTS = { name: "deepemd", stores: [["projects", "id"], ["examples", ["project", "id"]]] };

/** The user's own networks, and the slices of their files. @type {Layout} */
export const NETWORKS = { name: "deepemd-networks", stores: [["networks", "kind"], ["slices", ["kind", "number"]]] };

/**
 * An error for the studio, with a code of web/internal/kernel/store.go.
 *
 * @param {string} code
 * @param {string} message
 */
export function failure(code, message) {
  return Object.assign(new Error(message), { code });
}

/**
 * Converts an error of the storage.
 *
 * @param {any} error
 */
export function explained(error) {
  if (error?.code && typeof error.code === "string") return error;
  if (error?.name === "QuotaExceededError") return failure("full", error.message || "the quota is used up");
  return failure("no-store", `the browser's storage failed: ${error?.message ?? error}`);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
export function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class Database {
  #layout;
  /** @type {Promise<IDBDatabase> | undefined} */ #opened;

  constructor(layout = PROJECTS) {
    this.#layout = layout;
  }

  /** Opens the database, once. */
  open() {
    return (this.#opened ??= this.#open().catch((error) => {
      this.#opened = undefined;
      throw error;
    }));
  }

  /** @returns {Promise<IDBDatabase>} */
  #open() {
    return new Promise((resolve, reject) => {
      let request;
      try {
        request = indexedDB.open(this.#layout.name, VERSION);
      } catch (error) {
        reject(explained(error));
        return;
      }
      request.onupgradeneeded = () => {
        for (const [name, keyPath] of this.#layout.stores) request.result.createObjectStore(name, { keyPath });
      };
      request.onsuccess = () => {
        // Close for a newer page that changes the storage.
        request.result.onversionchange = () => {
          request.result.close();
          this.#opened = undefined;
        };
        // The browser may close it, too, as Safari does in the background: the next call opens it again.
        request.result.onclose = () => (this.#opened = undefined);
        resolve(request.result);
      };
      request.onerror = () => reject(explained(request.error));
      request.onblocked = () => reject(failure("no-store", "another tab of this page holds an older storage: close it"));
    });
  }

  /**
   * Changes both stores in one transaction.
   *
   * @template T
   * @param {(whole: IDBObjectStore, parts: IDBObjectStore) => T | Promise<T>} change which waits only for its own requests
   */
  async write(change) {
    const database = await this.open();
    const [whole, parts] = this.#layout.stores.map(([name]) => name);
    try {
      const transaction = database.transaction([whole, parts], "readwrite");
      // Firefox gives a transaction the error of its last request, which only reports that it was aborted. After commit(),
      // it even completes some in which a request has found no space.
      /** @type {DOMException | null | undefined} */
      let full;
      transaction.onerror = ({ target }) => {
        const { error } = /** @type {IDBRequest} */ (target);
        if (error?.name === "QuotaExceededError") full = error;
      };
      const finished = new Promise((resolve, reject) => {
        transaction.oncomplete = () => (full ? reject(full) : resolve(undefined));
        transaction.onabort = () => reject(full ?? transaction.error);
      });
      finished.catch(() => {}); // the change's own error is reported
      let result;
      try {
        result = await change(transaction.objectStore(whole), transaction.objectStore(parts));
      } catch (error) {
        if (transaction.error) throw full ?? transaction.error; // requests only report that they were aborted
        transaction.abort(); // the error was not the storage's
        throw error;
      }
      await finished;
      return result;
    } catch (error) {
      throw explained(error);
    }
  }
}
