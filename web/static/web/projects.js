// @ts-check
/**
 * Projects on the device (IndexedDB), and in files. A project is one record, and a
 * record for each of its examples; they are written together or not at all.
 *
 * Calls reject with an error whose code is one of those for projects in
 * web/internal/kernel/store.go.
 *
 * @typedef {import("./gallery.js").Gallery} Gallery
 * @typedef {import("./gallery.js").Content} Content
 * @typedef {import("deepemd/project.js").Draft} Manifest
 *
 * @typedef {import("./ahead.js").Kept} Kept
 *
 * @typedef Ready What is to be the project that is open.
 * @property {Map<string, Content>} contents
 * @property {Map<string, Blob>} media see media.js
 * @property {Set<string>} stored the examples and media that are kept already
 * @property {() => void} [release] lets other tabs have the project
 */

import { contentOf, examplesOf, isWhole, keptIn, lastFirst, ofProject } from "./ahead.js";
import { done, explained, failure } from "./database.js";
import { download } from "./download.js";
import { unseen } from "./gallery.js";
import { lock } from "./lock.js";
import { needed, withMedia, withoutMedia } from "./media.js";
import { send, sendReady } from "./send.js";
import { BRIEF, page } from "./share.js";

/** What was put away is thrown away after this many milliseconds, by the next visit. */
const REMOVED_KEPT = 60 * 60 * 1000;

/**
 * Whether a project was put away so long ago that it goes.
 *
 * @param {Kept} project
 */
function isOver({ removed }) {
  return removed !== undefined && removed < Date.now() - REMOVED_KEPT;
}

/** How many examples are written at a time. */
const BATCH = 64;

export class Projects {
  #database;
  #gallery;
  /** @type {Ready | undefined} */ #ready;
  /** @type {Ready} */ #current;
  #id = "";
  /** What was read ahead. */ #ahead;
  #begun = false;
  /** When a project was used last, by a clock that never goes back. */ #newest = 0;

  /**
   * @param {Gallery} gallery
   * @param {Awaited<ReturnType<typeof import("./ahead.js").ahead>>} ahead
   */
  constructor(gallery, { database, last }) {
    this.#database = database;
    this.#ahead = last;
    this.#gallery = gallery;
    this.#current = { contents: gallery.contents, media: gallery.media, stored: new Set() };
    gallery.onchange = (id) => this.#current.stored.delete(id);
  }

  /** @returns {Promise<string>} the projects that are kept, as JSON, the one used last first; damaged ones say so */
  async list() {
    try {
      const all = await keptIn(this.#database);
      for (const { used } of all) this.#newest = Math.max(this.#newest, used || 0);
      // Only as a visit begins: later the person may still bring back what was put away, whatever the clock says.
      const begins = !this.#begun;
      this.#begun = true;
      if (begins && all.some(isOver)) await this.#purge();
      const list = lastFirst(all).map((kept) => {
        const { id, manifest } = kept;
        if (!isWhole(kept)) return { id, name: String(manifest?.name ?? ""), damaged: true };
        return {
          id,
          name: manifest.name,
          kind: manifest.kind,
          classes: manifest.classes.filter((c) => !c.nothing).length,
          examples: manifest.classes.reduce((n, c) => n + c.examples.length, 0),
          saved: manifest.saved,
        };
      });
      return JSON.stringify(list);
    } catch (error) {
      throw explained(error);
    }
  }

  /**
   * @param {string} id
   * @returns {Promise<string>} the manifest of what is whole, as "unseen" the ids of examples that no engine has seen,
   *   and as "lost" how many examples are left out, as their records are damaged or missing
   */
  async open(id) {
    const database = await this.#database.open();
    const release = id === this.#id ? undefined : await lock(id);
    try {
      const kept = /** @type {Kept | undefined} */ (await done(database.transaction("projects").objectStore("projects").get(id)));
      if (!kept || kept.removed) throw failure("gone", "the project was deleted");
      if (!isWhole(kept)) throw failure("bad-project", "its record in the browser's storage is damaged");
      /** @type {Map<string, Content>} */
      const contents = new Map();
      /** @type {Map<string, Blob>} */
      const media = new Map();
      const ahead = this.#ahead;
      this.#ahead = undefined;
      for (const part of await (ahead?.id === id && ahead.used === kept.used ? ahead.parts : examplesOf(this.#database, id))) {
        for (const { project, id, medium, ...content } of part) {
          if (medium) media.set(id, medium);
          else {
            const whole = contentOf(content);
            if (whole) contents.set(id, whole);
          }
        }
      }
      this.#prepare({ contents, media, stored: new Set([...contents.keys(), ...media.keys()]), release });
      const coming = Array.from(contents).flatMap(([id, content]) => (unseen(content) ? [id] : []));
      let lost = 0;
      const classes = kept.manifest.classes.map((c) => {
        const examples = c.examples.filter((e) => contents.has(e.id));
        lost += c.examples.length - examples.length;
        return { ...c, examples };
      });
      return JSON.stringify({ ...kept.manifest, classes, unseen: coming, lost });
    } catch (error) {
      release?.();
      throw explained(error);
    }
  }

  /** Gets a project without examples ready. */
  begin() {
    this.#prepare({ contents: new Map(), media: new Map(), stored: new Set() });
  }

  /**
   * Reads a project file, and checks all of it.
   *
   * @param {Blob} file
   * @param {(done: number, all: number) => void} onProgress
   * @returns {Promise<string>} the manifest, and as "made" the network that it was taught with
   */
  async readFile(file, onProgress) {
    const { unpackProject } = await import("deepemd/project.js");
    const unpacked = await unpackProject(file, { onProgress });
    const { manifest: whole, media } = withoutMedia(unpacked.manifest);
    const { format, version, generator, preprocess, network, ...manifest } = whole;
    if (manifest.kind === "features") {
      throw failure("wrong-network", `it holds features that another network made (${network?.name || "without a name"}), and no pictures to look at: a page with that network opens it, by DeepEMD.matcher`);
    }
    /** @type {Map<string, Content>} */
    const contents = new Map();
    for (const example of manifest.classes.flatMap((c) => c.examples)) {
      const index = contents.size;
      contents.set(example.id, { picture: await unpacked.picture(example), load: (network) => unpacked.embedding(index, network) });
    }
    this.#prepare({ contents, media, stored: new Set() });
    return JSON.stringify({ ...manifest, format, version, made: network && { name: network.name, sha256: network.sha256 } });
  }

  /**
   * Takes files in as examples that no engine has seen: of a project that is made ready, or of the
   * one that is open.
   *
   * @param {import("./intake.js").Incoming[]} files
   * @param {boolean} fresh
   * @param {(done: number, all: number) => void} onProgress
   */
  async take(files, fresh, onProgress) {
    const { takeIn } = await import("./intake.js");
    const contents = await takeIn(files, onProgress);
    if (fresh) this.#prepare({ contents, media: new Map(), stored: new Set() });
    else for (const [id, content] of contents) this.#gallery.contents.set(id, content);
  }

  /** The text of a small file. @param {import("./intake.js").Incoming["source"]} source */
  async text(source) {
    return (await import("./intake.js")).textOf(source);
  }

  /**
   * Makes an archive of the examples alone, and hands it to the person.
   *
   * @param {string} text the manifest
   * @param {string[]} folders a name for each class's folder
   * @param {string} name of the file
   * @param {(done: number, all: number) => void} onProgress
   */
  async writeFolders(text, folders, name, onProgress) {
    const { folderArchive } = await import("./intake.js");
    download(await folderArchive(JSON.parse(text), folders, new Map(this.#gallery.contents), onProgress), name);
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
      this.#gallery.media = this.#ready.media;
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
    const database = await this.#database.open();
    this.#ahead = undefined; // What was read is of another project.
    if (id !== this.#id) throw failure("internal", `the project ${id} is not the one that is open`);
    /** @type {Manifest} */
    const manifest = JSON.parse(text);
    const { contents, media, stored } = this.#current;
    const wanted = new Set([...manifest.classes.flatMap((c) => c.examples.map((e) => e.id)), ...needed(manifest, media)]);
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
        const medium = media.get(example);
        if (medium) {
          examples.put({ project: id, id: example, medium });
          written.set(example, undefined);
          continue;
        }
        const content = contents.get(example);
        if (!content) throw failure("internal", `the picture of ${example} is missing`);
        const { load, ...plain } = /** @type {any} */ (content);
        const put = examples.put({ project: id, id: example, ...plain });
        written.set(example, content);
        if (written.size % BATCH === 0) await done(put); // the page gets a turn, and the transaction stays open
      }
      for (const example of removed) examples.delete([id, example]);
      const before = /** @type {Kept | undefined} */ (await done(projects.get(id)));
      projects.put({ id, manifest, used: this.#now(), removed: before?.removed });
      await finished;
    } catch (error) {
      throw explained(error);
    }
    // What was embedded again meanwhile is not what was written.
    for (const [example, content] of written) if (contents.get(example) === content) stored.add(example);
    for (const example of removed) stored.delete(example);
  }

  /** Lets go of examples of the project that is open, which cannot come back. @param {string[]} ids */
  forget(ids) {
    for (const id of ids) this.#gallery.contents.delete(id);
  }

  /**
   * @param {string} id
   * @param {string} newId
   * @param {string} name
   */
  async duplicate(id, newId, name) {
    await this.#database.write((projects, examples) => {
      projects.get(id).onsuccess = ({ target }) => {
        const kept = /** @type {IDBRequest<Kept>} */ (target).result;
        if (!kept) return;
        projects.put({ id: newId, manifest: { ...kept.manifest, name }, used: this.#now() });
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
    const release = id === this.#id ? undefined : await lock(id);
    try {
      await this.#mark(id, Date.now());
    } finally {
      release?.();
    }
  }

  /** @param {string} id */
  async retrieve(id) {
    await this.#mark(id, undefined);
  }

  /**
   * Makes a file of the project that is open, and hands it to the person.
   *
   * @param {string} text the manifest
   * @param {"project" | "page" | "sent"} form *.deepemd, or a page that runs by itself, saved or for the system's share sheet
   * @param {string} name of the file
   * @param {(done: number, all: number) => void} onProgress
   */
  async writeFile(text, form, name, onProgress) {
    const { media, network } = this.#gallery;
    const contents = new Map(this.#gallery.contents); // What is let go of meanwhile is in the file.
    if (!network) throw failure("internal", "the classifier is not there yet: wait until it is loaded");
    /** @type {Manifest} */
    const manifest = form === "project" ? await withMedia(JSON.parse(text), media) : JSON.parse(text);
    if (form !== "project" && manifest.kind !== "image") {
      throw failure("unsupported", "only projects of pictures can be shared as a page: save this one as a file");
    }
    const all = manifest.classes.reduce((n, c) => n + c.examples.length, 0);
    const { own } = /** @type {any} */ (globalThis).studio;
    // Pictures that are embedded again when the page opens make it small, unless a larger network makes it large.
    const brief = form !== "project" && all <= BRIEF && !own;
    let parts = 0;
    const { packProject } = await import("deepemd/project.js");
    const project = await packProject({ ...manifest, generator: "deepemd studio" }, network, (id) => {
      parts++;
      if (parts % 32 === 0) onProgress(parts / 2, all); // the picture, then the embedding
      const content = contents.get(id);
      if (!content || !("pixels" in content)) throw failure("internal", `the example ${id} is not there yet`);
      return brief ? { size: content.size, pixels: content.pixels } : content;
    });
    const file = form === "project" ? project : await page(manifest.name, project, (await /** @type {any} */ (globalThis).studio.engine).weights);
    if (form === "sent") await send(file, name);
    else download(file, name);
  }

  /** Hands over the page that waits for a click. */
  send() {
    return sendReady();
  }

  /**
   * @param {string} id
   * @param {number | undefined} removed
   */
  #mark(id, removed) {
    return this.#database.write((projects) => {
      projects.get(id).onsuccess = ({ target }) => {
        const kept = /** @type {IDBRequest<Kept>} */ (target).result;
        if (kept) projects.put({ ...kept, removed });
      };
    });
  }

  /** The time, and later than any project was used: the device's clock may have been set back since. */
  #now() {
    return (this.#newest = Math.max(Date.now(), this.#newest + 1));
  }

  /** Throws away what was put away long ago. */
  async #purge() {
    await this.#database.write((projects, examples) => {
      projects.openCursor().onsuccess = ({ target }) => {
        const cursor = /** @type {IDBRequest<IDBCursorWithValue | null>} */ (target).result;
        if (!cursor) return;
        if (isOver(cursor.value)) {
          cursor.delete();
          examples.delete(ofProject(cursor.value.id));
        }
        cursor.continue();
      };
    });
  }
}
