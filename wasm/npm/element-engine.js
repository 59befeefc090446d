// @ts-check
/**
 * Manages the engine of <deep-emd>: starts it with the page's settings, teaches it the
 * page's examples, replaces it if a setting requires that, and ends it. Changes of the
 * engine run in sequence.
 *
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./element.d.ts").ElementChange} ElementChange
 * @typedef {import("./element.d.ts").ElementProgress} ElementProgress
 * @typedef {import("./element-settings.js").Settings} Settings
 * @typedef {import("./element-content.js").Content} Content
 * @typedef {import("./element-rows.js").Row} Row
 * @typedef {import("./element-rows.js").Rows} Rows
 *
 * @typedef {object} Listeners
 * @property {() => void} begin a long operation starts
 * @property {(progress: ElementProgress) => void} progress
 * @property {() => void} ready the engine has started and has learned all examples
 * @property {() => void} rest the long operation is over
 * @property {(change: ElementChange) => void} change
 * @property {(error: unknown) => unknown} report
 * @property {(detail: { save: (options?: { name?: string }) => Promise<Blob> }) => void} save the engine is about to end
 */

import { label as labelOf } from "./check.js";
import { DeepEMD, DeepEMDError } from "./deepemd.js";
import { Projects, keep, restore } from "./element-keep.js";

/** Keeps one engine at a time. */
export class Keeper {
  /** @type {Promise<DeepEMD> | undefined} */ #engine;
  /** The engine, once it has learned all examples. @type {DeepEMD | undefined} */ #running;
  /** The content of the former engine. @type {import("./element-keep.js").Kept | undefined} */ #kept;
  /** Classes that were removed (null) or renamed, by id, until an engine has the change. @type {Map<string | undefined, string | null>} */ #edits = new Map();
  /** Aborts the current start. */ #end = new AbortController();
  /** Continues the changes that wait for the next start. @type {((_: void) => void) | undefined} */ #back;
  #projects = new Projects();
  /** The project that was opened, as the page gave it. @type {unknown} */ #opened;
  /** @type {Promise<unknown>} The last change of the engine. */ #turns = Promise.resolve();
  /** Rows that examples are being added to: whether the row, and its class in the engine, are new. @type {Map<Row, { calls: number, isNew: boolean, adds: boolean }>} */ #trials = new Map();
  #settings;
  #content;
  #rows;
  #on;

  /**
   * @param {{ settings: Settings, content: Content, rows: Rows }} page
   * @param {Listeners} on
   */
  constructor({ settings, content, rows }, on) {
    this.#settings = settings;
    this.#content = content;
    this.#rows = rows;
    this.#on = on;
  }

  /** Whether there is an engine or a start of one. */
  get open() {
    return this.#engine !== undefined;
  }

  /** The classes that the page declares. */
  get declared() {
    return [...(this.#settings.get("classes") ?? []), ...this.#content.labels];
  }

  /**
   * Resolves to the engine, and starts one if necessary. If another engine replaces it during the
   * start, it resolves to that one.
   *
   * @returns {Promise<DeepEMD>}
   */
  async engine() {
    for (;;) {
      const engine = (this.#engine ??= this.#start());
      try {
        return await engine;
      } catch (error) {
        if (this.#engine === undefined || this.#engine === engine) throw error;
      }
    }
  }

  /**
   * Ends the engine or its start. The next engine gets its classes and examples.
   *
   * @param {Promise<unknown>} [last] work that still needs the engine
   */
  discard(last) {
    if (this.#running) this.#kept = keep(this.#running);
    const engine = this.#engine;
    this.#engine = this.#running = undefined;
    this.#end.abort(new DeepEMDError("disposed", "<deep-emd> was taken out of the document: put it back, then use it"));
    void (async () => {
      await last;
      (await engine?.catch(() => undefined))?.dispose();
    })();
  }

  /** The element was removed: lets the page save, then ends the engine. */
  leave() {
    const engine = this.#running;
    /** @type {Promise<Blob>[]} */
    const files = [];
    let late = !engine || !this.#rows.taught;
    if (engine && !late) {
      this.#on.save({
        save: (options) => {
          if (late) return Promise.reject(new DeepEMDError("disposed", '<deep-emd> was removed: call save() in the listener of "save", before any await'));
          const file = this.save(engine, options);
          files.push(file);
          return file;
        },
      });
    }
    late = true;
    this.discard(Promise.allSettled(files));
  }

  /**
   * Queues a change of the engine. Failures are reported. While the element is not in the document, it waits.
   *
   * @param {(engine: DeepEMD) => Promise<unknown>} change
   */
  turn(change) {
    this.#turns = this.#turns.then(async () => {
      if (!this.open && this.#end.signal.aborted) await new Promise((resolve) => (this.#back = resolve));
      const engine = await this.engine().catch(() => undefined); // already reported
      if (!engine) return;
      try {
        await change(engine);
      } catch (error) {
        this.#on.report(error);
      }
    });
  }

  /**
   * Adds an example to a class, and the class if it is new. A failure changes nothing.
   *
   * @param {DeepEMD} engine
   * @param {string} name of the class
   * @param {Source} source
   * @param {string} [id] of the example
   */
  async teach(engine, name, source, id) {
    const label = labelOf(name);
    const isNew = !this.#rows.find(label);
    const row = this.#rows.row(label);
    const trial = this.#trials.get(row) ?? { calls: 0, isNew, adds: row.known(engine) === undefined };
    this.#trials.set(row, trial);
    trial.calls++;
    try {
      const example = await engine.addExample(await row.classId(engine), source, id === undefined ? {} : { id });
      row.count++;
      this.#projects.changed();
      if (trial.isNew) this.#on.change({ action: "add-class", label });
      trial.isNew = trial.adds = false;
      this.#on.change({ action: "teach", label, example });
      return example;
    } finally {
      if (--trial.calls === 0) {
        this.#trials.delete(row);
        if (trial.adds) await this.#withdraw(engine, row);
      }
    }
  }

  /**
   * Removes a class whose first example failed.
   *
   * @param {DeepEMD} engine
   * @param {Row} row
   */
  async #withdraw(engine, row) {
    const { id } = row;
    if (engine.classes.some((c) => c.id === id && c.examples.length > 0) || !row.forget(engine)) return;
    if (!this.declared.includes(row.label)) this.#rows.remove(row);
    if (id !== undefined) await engine.removeClass(id).catch(() => {}); // an engine that has ended has no classes
  }

  /**
   * @param {DeepEMD} engine
   * @param {string} id of an example
   */
  async forget(engine, id) {
    const owner = engine.classes.find(({ examples }) => examples.some((example) => example.id === id));
    await engine.removeExample(id);
    this.#rows.follow(engine, this.declared);
    this.#projects.changed();
    this.#on.change({ action: "forget", label: owner?.label ?? "", exampleId: id });
  }

  /**
   * Removes a class.
   *
   * @param {string} label
   */
  removeClass(label) {
    const row = this.#rows.find(label);
    if (!row) return;
    this.#rows.remove(row);
    this.#edits.set(row.id, null);
    if (!this.open) return;
    this.turn(async (engine) => {
      if (this.#running === engine) this.#edits.delete(row.id);
      const id = (await row.known(engine)) ?? engine.classes.find((c) => c.label === label && !c.nothing)?.id;
      if (id === undefined ? row.id === undefined : this.#rows.find(label)?.id === id) return;
      if (id !== undefined) await engine.removeClass(id); // otherwise the engine began without it
      this.#projects.changed();
      this.#on.change({ action: "remove-class", label });
    });
  }

  /**
   * Renames a class. If there is one of the new name, removes the class and returns false.
   *
   * @param {string} before
   * @param {string} after
   */
  renameClass(before, after) {
    const row = this.#rows.find(before);
    if (!row || this.#rows.find(after)) {
      this.removeClass(before);
      this.#rows.row(after);
      return false;
    }
    row.label = after;
    this.#edits.set(row.id, after);
    if (!this.open) return true;
    this.turn(async (engine) => {
      if (this.#running === engine) this.#edits.delete(row.id);
      const id = await row.known(engine);
      if (id === undefined) return;
      await engine.renameClass(id, after);
      this.#projects.changed();
      this.#on.change({ action: "rename-class", label: after, before });
    });
    return true;
  }

  /** Teaches the examples in the page, and removes the classes of removed ones. @param {DeepEMD} engine */
  async learn(engine) {
    const ids = new Set(engine.classes.flatMap(({ examples }) => examples.map(({ id }) => id)));
    await this.#content.teach({
      has: (id) => ids.has(id),
      teach: (label, source, id) => this.teach(engine, label, source, id).then(() => ids.add(id)),
      forget: (id) => this.forget(engine, id).then(() => ids.delete(id)),
      report: this.#on.report,
    });
    this.#rows.follow(engine, this.declared); // a picture that could not be taught has left its class
  }

  /**
   * Applies settings to the engine.
   *
   * @param {DeepEMD} engine
   * @param {string[]} names
   */
  async configure(engine, names) {
    const { signal } = this.#end;
    this.#on.begin();
    await engine.configure(this.#settings.method(names), { signal, onProgress: this.#counting("examples") });
    this.#on.rest();
    this.#on.change({ action: "configure", method: engine.method });
  }

  /**
   * Opens the page's project, unless it is open. The page's settings of the method override
   * the project's.
   *
   * @param {DeepEMD} engine
   */
  async openProject(engine) {
    const project = this.#settings.get("project");
    if (project === this.#opened) return;
    const { signal } = this.#end;
    const chosen = this.#settings.options().weights !== undefined;
    if (project !== undefined && (await this.#projects.open(engine, project, { chosen, signal, onProgress: this.#counting("project") }))) {
      this.#content.forget();
      this.#rows.forget(engine);
      this.#edits.clear();
      const ours = this.#settings.method();
      if (Object.keys(ours).length > 0) await engine.configure(ours, { signal });
      this.#rows.follow(engine, this.declared);
      await this.learn(engine);
      this.#on.rest();
      this.#on.change({ action: "open", name: this.#projects.manifest?.name ?? "" });
    }
    this.#opened = project;
  }

  /** The frame of the camera's image, from the project. */
  get frame() {
    return this.#projects.frame;
  }

  /**
   * Saves the classes and examples as a file.
   *
   * @param {DeepEMD} engine
   * @param {{ name?: string }} [options]
   */
  async save(engine, options) {
    await this.#rows.tell(engine);
    return this.#projects.save(engine, options);
  }

  #start() {
    const { signal } = (this.#end = new AbortController());
    this.#back?.();
    const engine = this.#load(signal);
    engine.then(
      () => {
        this.#on.rest();
        this.#on.ready();
      },
      (error) => {
        if (this.#engine === engine) this.#engine = undefined; // the next call tries again
        if (!signal.aborted) this.#on.report(error);
      },
    );
    return engine;
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    this.#on.begin();
    const { manifest, weights } = this.#projects;
    const onProgress = (/** @type {ElementProgress} */ progress) => this.#on.progress(progress);
    const ours = this.#settings.options();
    const options = { ...(manifest && { method: manifest.method }), ...(weights && !ours.sound && { weights }), ...ours, signal, onProgress };
    const engine = await DeepEMD.create(options);
    try {
      signal.throwIfAborted();
      engine.addEventListener("crash", ({ detail }) => this.#on.report(new DeepEMDError(detail.code, detail.message)));
      engine.addEventListener("restart", () => {
        this.#on.begin();
        if (this.#running === engine) this.#on.ready();
      });
      const kept = this.#kept;
      if (kept?.sound === engine.info.sound) {
        const wanted = (/** @type {string} */ id) => this.#edits.get(id) !== null;
        await restore(engine, kept.classes, { signal, onProgress: this.#counting("examples"), report: this.#on.report, wanted });
        signal.throwIfAborted();
        this.#apply(engine);
        this.#kept = keep(engine);
      } else this.#content.forget();
      this.#edits.clear();
      this.#rows.follow(engine, this.declared);
      await this.openProject(engine).catch((error) => {
        signal.throwIfAborted();
        this.#on.report(error);
      });
      await this.learn(engine);
      signal.throwIfAborted();
      this.#kept = undefined;
      this.#running = engine;
      return engine;
    } catch (error) {
      engine.dispose();
      throw error;
    }
  }

  /** Removes and renames the classes of a new engine that the former one still had. @param {DeepEMD} engine */
  #apply(engine) {
    for (const { id } of engine.classes) {
      const label = this.#edits.get(id);
      if (label === undefined) continue;
      this.#projects.changed();
      (label === null ? engine.removeClass(id) : engine.renameClass(id, label)).catch(this.#on.report);
    }
  }

  /** @param {"examples" | "project"} stage */
  #counting(stage) {
    return (/** @type {number} */ loaded, /** @type {number} */ total) => this.#on.progress({ stage, loaded, total });
  }
}
