// @ts-check
/**
 * Projects on the device (IndexedDB), and in files. A project is one record, and a
 * record for each of its examples; they are written together or not at all.
 *
 * Calls reject with an error whose code is one of those for projects in
 * web/internal/session/store.go.
 *
 * @typedef {import("./gallery.js").Gallery} Gallery
 * @typedef {import("./gallery.js").Content} Content
 * @typedef {import("../../../wasm/npm/project.d.ts").Draft} Manifest
 *
 * @typedef Kept A project as it is kept.
 * @property {string} id
 * @property {Manifest} manifest
 * @property {number} used when it was saved or opened last
 * @property {number} [removed] when it was put away, if it was
 *
 * @typedef Ready What is to be the project that is open.
 * @property {Map<string, Content>} contents
 * @property {Set<string>} stored the examples that are kept already
 * @property {() => void} [release] lets other tabs have the project
 */

import { packProject, unpackProject } from "../deepemd/project.js";
import { page } from "./share.js";

const DATABASE = "deepemd";
const VERSION = 1;

/** What was put away is thrown away after this many milliseconds, by the next visit. */
const REMOVED_KEPT = 60 * 60 * 1000;

/** How many examples are read, or written, at a time. */
const BATCH = 64;

/** A tab that is being closed holds its project for a moment: so often, and so long apart, it is tried. */
const TRIES = 10;
const PAUSE = 150;

/**
 * @param {string} code
 * @param {string} message
 */
function failure(code, message) {
  return Object.assign(new Error(message), { code });
}

/** @param {any} error */
function explained(error) {
  if (error?.code && typeof error.code === "string") return error;
  if (error?.name === "QuotaExceededError") return failure("full", error.message || "the quota is used up");
  return failure("no-store", `the browser's storage failed: ${error?.message ?? error}`);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** All examples of a project. @param {string} id */
function ofProject(id) {
  return IDBKeyRange.bound([id], [id, []]);
}

export class Projects {
  /** @type {Promise<IDBDatabase> | undefined} */ #database;
  #gallery;
  /** @type {Ready | undefined} */ #ready;
  /** @type {Ready} */ #current;
  #id = "";

  /** @param {Gallery} gallery */
  constructor(gallery) {
    this.#gallery = gallery;
    this.#current = { contents: gallery.contents, stored: new Set() };
    gallery.onchange = (id) => this.#current.stored.delete(id);
  }

  /** @returns {Promise<string>} the projects that are kept, as JSON, the one used last first */
  async list() {
    const database = await this.#open();
    try {
      await this.#purge(database);
      const kept = /** @type {Kept[]} */ (await done(database.transaction("projects").objectStore("projects").getAll()));
      const list = kept
        .filter((p) => !p.removed)
        .sort((a, b) => b.used - a.used)
        .map(({ id, manifest }) => ({
          id,
          name: manifest.name,
          kind: manifest.kind,
          classes: manifest.classes.length,
          examples: manifest.classes.reduce((n, c) => n + c.examples.length, 0),
          saved: manifest.saved,
        }));
      return JSON.stringify(list);
    } catch (error) {
      throw explained(error);
    }
  }

  /**
   * @param {string} id
   * @returns {Promise<string>} the manifest
   */
  async open(id) {
    const database = await this.#open();
    const release = id === this.#id ? undefined : await lock(id);
    try {
      const kept = /** @type {Kept | undefined} */ (await done(database.transaction("projects").objectStore("projects").get(id)));
      if (!kept || kept.removed) throw failure("gone", "the project was deleted");
      /** @type {Map<string, Content>} */
      const contents = new Map();
      const range = ofProject(id);
      for (let from = range; ; ) {
        const part = await done(database.transaction("examples").objectStore("examples").getAll(from, BATCH));
        for (const { project, id, ...content } of part) contents.set(id, content);
        if (part.length < BATCH) break;
        from = IDBKeyRange.bound([id, part[part.length - 1].id], range.upper, true);
      }
      this.#prepare({ contents, stored: new Set(contents.keys()), release });
      return JSON.stringify(kept.manifest);
    } catch (error) {
      release?.();
      throw explained(error);
    }
  }

  /** Gets a project without examples ready. */
  begin() {
    this.#prepare({ contents: new Map(), stored: new Set() });
  }

  /**
   * Reads a project file, and checks all of it.
   *
   * @param {Blob} file
   * @param {(done: number, all: number) => void} onProgress
   * @returns {Promise<string>} the manifest
   */
  async readFile(file, onProgress) {
    const unpacked = await unpackProject(file, { onProgress });
    const { format, version, generator, preprocess, network, ...manifest } = unpacked.manifest;
    /** @type {Map<string, Content>} */
    const contents = new Map();
    for (const example of manifest.classes.flatMap((c) => c.examples)) {
      const index = contents.size;
      contents.set(example.id, { picture: await unpacked.picture(example), load: (network) => unpacked.embedding(index, network) });
    }
    this.#prepare({ contents, stored: new Set() });
    return JSON.stringify({ ...manifest, format, version });
  }

  /** @param {Ready} ready */
  #prepare(ready) {
    this.#ready?.release?.();
    this.#ready = ready;
  }

  /**
   * Puts what is ready in the place of the project that is open.
   *
   * @param {string} id
   */
  accept(id) {
    if (this.#ready) {
      if (id !== this.#id) this.#current.release?.();
      this.#current = this.#ready;
      this.#gallery.contents = this.#ready.contents;
      this.#ready = undefined;
    }
    const current = this.#current;
    if (!current.release) {
      lock(id).then(
        (release) => (this.#current === current ? (current.release = release) : release()),
        () => {}, // The id was made here: nobody else has it.
      );
    }
    this.#id = id;
  }

  /**
   * Keeps the project that is open.
   *
   * @param {string} id
   * @param {string} text its manifest
   */
  async save(id, text) {
    const database = await this.#open();
    if (id !== this.#id) throw failure("internal", `the project ${id} is not the one that is open`);
    /** @type {Manifest} */
    const manifest = JSON.parse(text);
    const { contents, stored } = this.#current;
    const wanted = new Set(manifest.classes.flatMap((c) => c.examples.map((e) => e.id)));
    const added = [...wanted].filter((example) => !stored.has(example));
    const removed = [...stored].filter((example) => !wanted.has(example));
    const written = new Map();
    try {
      const transaction = database.transaction(["projects", "examples"], "readwrite");
      const finished = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      const projects = transaction.objectStore("projects");
      const examples = transaction.objectStore("examples");
      for (const example of added) {
        const content = contents.get(example);
        if (!content) throw failure("internal", `the picture of ${example} is missing`);
        const { load, ...plain } = /** @type {any} */ (content);
        const put = examples.put({ project: id, id: example, ...plain });
        written.set(example, content);
        if (written.size % BATCH === 0) await done(put); // the page gets a turn, and the transaction stays open
      }
      for (const example of removed) examples.delete([id, example]);
      const before = /** @type {Kept | undefined} */ (await done(projects.get(id)));
      projects.put({ id, manifest, used: Date.now(), removed: before?.removed });
      await finished;
    } catch (error) {
      throw explained(error);
    }
    // What was embedded anew meanwhile is not what was written.
    for (const [example, content] of written) if (contents.get(example) === content) stored.add(example);
    for (const example of removed) stored.delete(example);
  }

  /**
   * @param {string} id
   * @param {string} newId
   * @param {string} name
   */
  async duplicate(id, newId, name) {
    const database = await this.#open();
    await this.#write(database, (projects, examples) => {
      projects.get(id).onsuccess = ({ target }) => {
        const kept = /** @type {IDBRequest<Kept>} */ (target).result;
        if (!kept) return;
        projects.put({ id: newId, manifest: { ...kept.manifest, name }, used: Date.now() });
      };
      examples.openCursor(ofProject(id)).onsuccess = ({ target }) => {
        const cursor = /** @type {IDBRequest<IDBCursorWithValue | null>} */ (target).result;
        if (!cursor) return;
        examples.put({ ...cursor.value, project: newId });
        cursor.continue();
      };
    });
  }

  /**
   * Puts a project away, for a while.
   *
   * @param {string} id
   */
  async remove(id) {
    const database = await this.#open();
    const release = id === this.#id ? undefined : await lock(id);
    try {
      await this.#mark(database, id, Date.now());
    } finally {
      release?.();
    }
  }

  /** @param {string} id */
  async retrieve(id) {
    await this.#mark(await this.#open(), id, undefined);
  }

  /**
   * Makes a file of the project that is open, and hands it to the person.
   *
   * @param {string} text the manifest
   * @param {"project" | "page"} form *.deepemd, or a page that runs by itself
   * @param {(done: number, all: number) => void} onProgress
   */
  async writeFile(text, form, onProgress) {
    const { contents, network } = this.#gallery;
    if (!network) throw failure("internal", "the classifier is not there yet: wait until it is loaded");
    /** @type {Manifest} */
    const manifest = JSON.parse(text);
    if (form === "page" && manifest.kind !== "image") {
      throw failure("unsupported", "only projects of pictures can be shared as a page: save this one as a file");
    }
    const all = manifest.classes.reduce((n, c) => n + c.examples.length, 0);
    let parts = 0;
    const project = await packProject({ ...manifest, generator: "deepemd studio" }, network, (id) => {
      parts++;
      if (parts % 32 === 0) onProgress(parts / 2, all); // the picture, then the embedding
      const content = contents.get(id);
      if (!content || !("pixels" in content)) throw failure("internal", `the example ${id} is not there yet`);
      return content;
    });
    const name = manifest.name.replace(/[\\/:*?"<>|\x00-\x1f]/g, " ").replace(/\s+/g, " ").trim().replace(/^\.+/, "") || "project";
    if (form === "project") download(project, `${name}.deepemd`);
    else download(await page(manifest.name, project, /** @type {any} */ (await globalThis.studio.engine).weights), `${name}.html`);
  }

  #open() {
    return (this.#database ??= new Promise((resolve, reject) => {
      let request;
      try {
        request = indexedDB.open(DATABASE, VERSION);
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
          this.#database = undefined;
        };
        resolve(request.result);
      };
      request.onerror = () => reject(explained(request.error));
      request.onblocked = () => reject(failure("no-store", "another tab of this page holds an older storage: close it"));
    }).catch((error) => {
      this.#database = undefined;
      throw error;
    }));
  }

  /**
   * @param {IDBDatabase} database
   * @param {(projects: IDBObjectStore, examples: IDBObjectStore) => void} change
   */
  async #write(database, change) {
    try {
      const transaction = database.transaction(["projects", "examples"], "readwrite");
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
        change(transaction.objectStore("projects"), transaction.objectStore("examples"));
      });
    } catch (error) {
      throw explained(error);
    }
  }

  /**
   * @param {IDBDatabase} database
   * @param {string} id
   * @param {number | undefined} removed
   */
  #mark(database, id, removed) {
    return this.#write(database, (projects) => {
      projects.get(id).onsuccess = ({ target }) => {
        const kept = /** @type {IDBRequest<Kept>} */ (target).result;
        if (kept) projects.put({ ...kept, removed });
      };
    });
  }

  /**
   * Throws away what was put away long ago.
   *
   * @param {IDBDatabase} database
   */
  async #purge(database) {
    await this.#write(database, (projects, examples) => {
      projects.openCursor().onsuccess = ({ target }) => {
        const cursor = /** @type {IDBRequest<IDBCursorWithValue | null>} */ (target).result;
        if (!cursor) return;
        if (cursor.value.removed < Date.now() - REMOVED_KEPT) {
          cursor.delete();
          examples.delete(ofProject(cursor.value.id));
        }
        cursor.continue();
      };
    });
  }
}

/**
 * Takes hold of a project for this tab, until the returned function is called.
 *
 * @param {string} id
 * @returns {Promise<() => void>}
 */
async function lock(id) {
  if (!navigator.locks) return () => {}; // a page that came by plain http
  for (let tries = 1; ; tries++) {
    const release = await new Promise((/** @type {(release: (() => void) | undefined) => void} */ resolve) => {
      navigator.locks.request(`deepemd ${id}`, { ifAvailable: true }, (held) => {
        if (!held) return resolve(undefined);
        return new Promise((/** @type {(_: void) => void} */ end) => resolve(() => end()));
      });
    });
    if (release) return release;
    if (tries === TRIES) throw failure("elsewhere", "the project is open in another tab");
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/**
 * Has the browser save a file.
 *
 * @param {Blob} file
 * @param {string} name
 */
export function download(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
