// @ts-check
/**
 * The browser's database (IndexedDB) for projects: one store with a record for each
 * project, one with a record for each example. A library such as idb would hide the
 * few lines of promises here, and none of the rest.
 */

const NAME = "deepemd";
const VERSION = 1;
const STORES = ["projects", "examples"];

/**
 * An error for the studio: the codes are those for projects in
 * web/internal/session/store.go.
 *
 * @param {string} code
 * @param {string} message
 */
export function failure(code, message) {
  return Object.assign(new Error(message), { code });
}

/**
 * What a failure of the storage means.
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
  /** @type {Promise<IDBDatabase> | undefined} */ #opened;

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
        request = indexedDB.open(NAME, VERSION);
      } catch (error) {
        reject(explained(error));
        return;
      }
      request.onupgradeneeded = () => {
        request.result.createObjectStore("projects", { keyPath: "id" });
        request.result.createObjectStore("examples", { keyPath: ["project", "id"] });
      };
      request.onsuccess = () => {
        // A newer page wants to change the storage: this one makes way.
        request.result.onversionchange = () => {
          request.result.close();
          this.#opened = undefined;
        };
        resolve(request.result);
      };
      request.onerror = () => reject(explained(request.error));
      request.onblocked = () => reject(failure("no-store", "another tab of this page holds an older storage: close it"));
    });
  }

  /**
   * Changes both stores in one transaction: all of it or nothing.
   *
   * @param {(projects: IDBObjectStore, examples: IDBObjectStore) => void} change
   */
  async write(change) {
    const database = await this.open();
    try {
      const transaction = database.transaction(STORES, "readwrite");
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
        change(transaction.objectStore("projects"), transaction.objectStore("examples"));
      });
    } catch (error) {
      throw explained(error);
    }
  }
}
