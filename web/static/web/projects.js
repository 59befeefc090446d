// @ts-check
/**
 * Projects on the device (IndexedDB) and in files. A project is one record, plus a record for
 * each of its examples; they are written atomically.
 *
 * Calls reject with an error whose code is one of those for projects in
 * web/internal/kernel/store.go.
 *
 * @typedef {import("./gallery.js").Gallery} Gallery
 * @typedef {import("./gallery.js").Content} Content
 * @typedef {import("deepemd/project.js").Draft} Manifest
 * @typedef {import("./ahead.js").Kept} Kept
 *
 * @typedef Ready A prepared project, which accept opens.
 * @property {Map<string, Content>} contents
 * @property {Map<string, Blob>} media see media.js
 * @property {Set<string>} stored the examples and media that are already stored
 * @property {() => void} [release] unlocks the project for other tabs
 */

import { contentOf, examplesOf, idsOf, isWhole, keptIn, lastFirst, ofProject, stepsOf } from "./ahead.js";
import { done, explained, failure } from "./database.js";
import { download } from "./download.js";
import { unseen } from "./gallery.js";
import { left, lock } from "./lock.js";
import { needed, withMedia, withoutMedia } from "./media.js";
import { send, sendReady } from "./send.js";
import { BRIEF, page } from "./share.js";
import { madeBy, named } from "./supplied.js";

/** Milliseconds after which the next visit erases a deleted project. A save on a full disk erases it earlier. */
const REMOVED_KEPT = 60 * 60 * 1000;

/**
 * Whether a deleted project can be erased.
 *
 * @param {Kept} project
 */
function isOver({ removed }) {
  return removed !== undefined && removed < Date.now() - REMOVED_KEPT;
}

/** Examples per write. */
const BATCH = 64;

export class Projects {
  #database;
  #gallery;
  /** @type {Ready | undefined} */ #ready;
  /** @type {Ready} */ #current;
  #id = "";
  /** The project that ahead.js has read. */ #ahead;
  #begun = false;
  /** The time of the last use, which never decreases. */ #newest = 0;

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

  /** @returns {Promise<string>} the stored projects as JSON, the last used first; damaged ones are marked */
  async list() {
    try {
      const all = await keptIn(this.#database);
      for (const { used } of all) this.#newest = Math.max(this.#newest, used || 0);
      // Only at the start of a visit: later the user may still undo a deletion, even if the clock changes.
      const begins = !this.#begun;
      this.#begun = true;
      if (begins && all.some(isOver)) await this.#purge(isOver);
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
   * @returns {Promise<string>} the manifest of the intact content, with the ids of examples that are not embedded ("unseen"), the
   *   steps that can be undone ("past"), the number of examples with damaged or missing records ("lost") and the network that
   *   made the embeddings ("made"), if the page has it
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
      const intact = (/** @type {Manifest["classes"]} */ all) => all.map((c) => ({ ...c, examples: c.examples.filter((e) => contents.has(e.id)) }));
      const classes = intact(kept.manifest.classes);
      const past = stepsOf(kept).map((step) => ({ ...step, classes: intact(step.classes) }));
      const lost = idsOf(kept.manifest.classes).length - idsOf(classes).length;
      return JSON.stringify({ ...kept.manifest, classes, unseen: coming, past, lost, made: madeBy(contents) });
    } catch (error) {
      release?.();
      throw explained(error);
    }
  }

  /** Prepares an empty project. */
  begin() {
    this.#prepare({ contents: new Map(), media: new Map(), stored: new Set() });
  }

  /**
   * Reads and checks a project file.
   *
   * @param {Blob} file
   * @param {(done: number, all: number) => void} onProgress
   * @returns {Promise<string>} the manifest, with the network of its embeddings ("made")
   */
  async readFile(file, onProgress) {
    const { unpackProject } = await import("deepemd/project.js");
    const unpacked = await unpackProject(file, { onProgress });
    const { manifest: whole, media } = withoutMedia(unpacked.manifest);
    const { format, version, generator, preprocess, network, ...manifest } = whole;
    if (manifest.kind === "features") {
      throw failure("wrong-network", `its features come from another network (${network?.name || "without a name"}), and it has no pictures: open it in a page with that network, through DeepEMD.matcher`);
    }
    /** @type {Map<string, Content>} */
    const contents = new Map();
    for (const example of manifest.classes.flatMap((c) => c.examples)) {
      const index = contents.size;
      contents.set(example.id, { picture: await unpacked.picture(example), load: (network) => unpacked.embedding(index, network) });
    }
    this.#prepare({ contents, media, stored: new Set() });
    return JSON.stringify({ ...manifest, format, version, made: network && { name: network.name, sha256: network.sha256, supplied: named(network.sha256) } });
  }

  /**
   * Adds files as examples to a prepared project or to the current one, without embedding
   * them.
   *
   * @param {import("./intake.js").Incoming[]} files
   * @param {boolean} fresh
   * @param {(done: number, all: number) => boolean} onProgress false to stop
   */
  async take(files, fresh, onProgress) {
    const { takeIn } = await import("./intake.js");
    const contents = await takeIn(files, onProgress);
    if (fresh) this.#prepare({ contents, media: new Map(), stored: new Set() });
    else for (const [id, content] of contents) this.#gallery.contents.set(id, content);
  }

  /** Reads the text of a small file. @param {import("./intake.js").Incoming["source"]} source */
  async text(source) {
    return (await import("./intake.js")).textOf(source);
  }

  /**
   * Saves an archive of the examples for the user.
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
   * Replaces the current project by the prepared one.
   *
   * @param {string} id
   */
  accept(id) {
    if (this.#ready) {
      if (id !== this.#id) this.#current.release?.();
      this.#current = this.#ready;
      this.#gallery.open(this.#ready.contents, this.#ready.media);
      this.#ready = undefined;
    }
    const current = this.#current;
    if (!current.release) {
      lock(id).then(
        (release) => (this.#current === current ? (current.release = release) : release()),
        () => {}, // a new id: no other tab has it
      );
    }
    this.#id = id;
  }

  /**
   * Stores the current project.
   *
   * @param {string} id
   * @param {string} text its manifest
   * @param {string} steps that can be undone, as JSON
   * @returns {Promise<void>}
   */
  async save(id, text, steps) {
    await this.#database.open();
    this.#ahead = undefined; // it belongs to another project
    if (left.aborted) return;
    if (id !== this.#id) throw failure("internal", `the project ${id} is not the one that is open`);
    /** @type {Manifest} */
    const manifest = JSON.parse(text);
    const past = /** @type {import("./ahead.js").Past[]} */ (JSON.parse(steps)) ?? [];
    const { contents, media, stored } = this.#current;
    const undone = idsOf(past.flatMap(({ classes }) => classes)).filter((e) => contents.has(e));
    const wanted = new Set([...idsOf(manifest.classes), ...undone, ...needed(manifest, media)]);
    const removed = [...stored].filter((example) => !wanted.has(example));
    const written = new Map();
    const former = await this.#database.write(async (projects, examples) => {
      const former = projects.get(id);
      for (const example of wanted) {
        if (stored.has(example)) continue;
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
        if (written.size % BATCH === 0) await done(put); // gives the page a turn and keeps the transaction open
      }
      for (const example of removed) examples.delete([id, example]);
      projects.put({ id, manifest, past, used: this.#now() });
      projects.transaction.commit(); // completes although the page ends, except in Safari
      return former;
    }).catch(async (error) => {
      if (error.code !== "full" || !(await this.#purge(({ removed }) => removed !== undefined))) throw error;
    });
    if (!former) return this.save(id, text, steps); // in the space of the deleted projects
    if (!former.result && stored.size > 0) {
      stored.clear(); // the browser had deleted the storage
      return this.save(id, text, steps);
    }
    // Skip contents that have been embedded again since.
    for (const [example, content] of written) if (contents.get(example) === content) stored.add(example);
    for (const example of removed) stored.delete(example);
  }

  /** Drops examples of the current project whose deletion cannot be undone. @param {string[]} ids */
  forget(ids) {
    for (const id of ids) this.#gallery.contents.delete(id);
  }

  /**
   * @param {string} id
   * @param {string} newId
   * @param {string} name
   */
  async duplicate(id, newId, name) {
    await this.#database.write(async (projects, examples) => {
      const kept = await done(projects.get(id));
      if (kept) projects.put({ id: newId, manifest: { ...kept.manifest, name }, used: this.#now() });
      examples.openCursor(ofProject(id)).onsuccess = ({ target }) => {
        const cursor = /** @type {IDBRequest<IDBCursorWithValue | null>} */ (target).result;
        if (!cursor) return;
        examples.put({ ...cursor.value, project: newId });
        cursor.continue();
      };
    });
  }

  /**
   * Deletes a project. Resolves to whether retrieve can undo it: a full disk needs the space at once.
   *
   * @param {string} id
   */
  async remove(id) {
    const release = id === this.#id ? undefined : await lock(id);
    try {
      await this.#mark(id, Date.now());
      return true;
    } catch (/** @type {any} */ error) {
      if (error.code !== "full") throw error;
      await this.#purge((project) => project.id === id || project.removed !== undefined);
      return false;
    } finally {
      release?.();
    }
  }

  /** @param {string} id */
  async retrieve(id) {
    await this.#mark(id, undefined);
  }

  /**
   * Saves the current project as a file for the user.
   *
   * @param {string} text the manifest
   * @param {"project" | "page" | "sent"} form *.deepemd, or a self-contained page, saved or for the system's share sheet
   * @param {string} name of the file
   * @param {(done: number, all: number) => void} onProgress
   */
  async writeFile(text, form, name, onProgress) {
    const { media, network } = this.#gallery;
    const contents = new Map(this.#gallery.contents); // forget must not affect the file
    if (!network) throw failure("internal", "the classifier is not there yet: wait until it is loaded");
    /** @type {Manifest} */
    const manifest = await withMedia(JSON.parse(text), media);
    const all = manifest.classes.reduce((n, c) => n + c.examples.length, 0);
    const { own } = /** @type {any} */ (globalThis).studio;
    // Without embeddings a page is small, unless it contains a larger network.
    const brief = form !== "project" && all <= BRIEF && !own;
    let parts = 0;
    const { packProject } = await import("deepemd/project.js");
    const project = await packProject({ ...manifest, generator: "deepemd studio" }, network, (id) => {
      parts++;
      if (parts % 32 === 0) onProgress(parts / 2, all); // image and embedding
      const content = contents.get(id);
      if (!content || !("pixels" in content)) throw failure("internal", `the example ${id} is not there yet`);
      return brief ? { size: content.size, pixels: content.pixels } : content;
    });
    const engine = manifest.kind === "sound" ? "deepemd/deepemd-sound.wasm" : "deepemd/deepemd.wasm";
    const file = form === "project" ? project : await page(manifest.name, project, (await /** @type {any} */ (globalThis).studio.engine).weights, engine);
    if (form === "sent") await send(file, name);
    else download(file, name);
  }

  /** Sends the page that waits for a click. */
  send = sendReady;

  /**
   * @param {string} id
   * @param {number | undefined} removed
   */
  #mark(id, removed) {
    return this.#database.write(async (projects) => {
      const kept = await done(projects.get(id));
      if (kept) projects.put({ ...kept, removed });
    });
  }

  /** The time, but later than the last use of any project: the device's clock may have been set back. */
  #now() {
    return (this.#newest = Math.max(Date.now(), this.#newest + 1));
  }

  /**
   * Erases the deleted projects that over selects.
   *
   * @param {(project: Kept) => boolean} over
   * @returns {Promise<boolean>} whether there were any
   */
  #purge(over) {
    return this.#database.write(async (projects, examples) => {
      const erased = (await done(projects.getAll())).filter(over);
      for (const { id } of erased) {
        projects.delete(id);
        examples.delete(ofProject(id));
      }
      return erased.length > 0;
    });
  }
}
