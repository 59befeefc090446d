// @ts-check
/**
 * The engine behind <deep-emd>: started as the page's settings say, taught what the
 * page declares, followed by another where a setting needs that, and let go. What
 * changes it is done one after the other.
 *
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./element.d.ts").ElementChange} ElementChange
 * @typedef {import("./element.d.ts").ElementProgress} ElementProgress
 * @typedef {import("./element-settings.js").Settings} Settings
 * @typedef {import("./element-content.js").Content} Content
 * @typedef {import("./element-rows.js").Rows} Rows
 *
 * @typedef {object} Listeners
 * @property {() => void} begin something begins that takes time
 * @property {(progress: ElementProgress) => void} progress
 * @property {() => void} ready a start is over, and what was to be learnt is learnt
 * @property {() => void} rest it is over
 * @property {(change: ElementChange) => void} change
 * @property {(error: unknown) => unknown} report
 * @property {(detail: { save: (options?: { name?: string }) => Promise<Blob> }) => void} save the engine is about to end
 */

import { DeepEMD, DeepEMDError } from "./deepemd.js";
import { Projects, keep, restore } from "./element-keep.js";

/** One engine after the other. */
export class Keeper {
  /** @type {Promise<DeepEMD> | undefined} */ #engine;
  /** The engine, once it has learnt what it is to know. @type {DeepEMD | undefined} */ #running;
  /** What an engine was taught that has gone. @type {import("./element-keep.js").Kept | undefined} */ #kept;
  /** Ends the start under way. */ #end = new AbortController();
  #projects = new Projects();
  /** The project that was opened, as the page gave it. @type {unknown} */ #opened;
  /** @type {Promise<unknown>} The last of what changes the engine. */ #turns = Promise.resolve();
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

  /** Whether an engine is there, or on its way. */
  get open() {
    return this.#engine !== undefined;
  }

  /** The classes that the page declares. */
  get declared() {
    return [...(this.#settings.get("classes") ?? []), ...this.#content.labels];
  }

  /**
   * Resolves to the engine; one is started where there is none. Where another takes its
   * place before it is there, it is that one.
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
   * Ends the engine, or its start. What it was taught is kept for the next one.
   *
   * @param {Promise<unknown>} [last] what still needs it
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

  /** The element goes: lets the page save what was taught, and ends the engine after that. */
  leave() {
    const engine = this.#running;
    /** @type {Promise<Blob>[]} */
    const files = [];
    let late = !engine || !this.#rows.taught;
    if (engine && !late) {
      this.#on.save({
        save: (options) => {
          if (late) return Promise.reject(new DeepEMDError("disposed", '<deep-emd> has gone: call save() in the listener of "save", before it awaits anything'));
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
   * Changes the engine, after what changes it now. Failures are reported.
   *
   * @param {(engine: DeepEMD) => Promise<unknown>} change
   */
  turn(change) {
    this.#turns = this.#turns.then(async () => {
      const engine = await this.engine().catch(() => undefined); // it was reported
      if (!engine) return;
      try {
        await change(engine);
      } catch (error) {
        this.#on.report(error);
      }
    });
  }

  /**
   * @param {DeepEMD} engine
   * @param {string} label
   * @param {Source} source
   * @param {string} [id] of the example
   */
  async teach(engine, label, source, id) {
    const isNew = !this.#rows.find(label);
    const row = this.#rows.row(label);
    const example = await engine.addExample(await row.classId(engine), source, id === undefined ? {} : { id });
    row.count++;
    this.#projects.changed();
    if (isNew) this.#on.change({ action: "add-class", label });
    this.#on.change({ action: "teach", label, example });
    return example;
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
   * Forgets a class.
   *
   * @param {string} label
   */
  removeClass(label) {
    const row = this.#rows.find(label);
    if (!row) return;
    this.#rows.remove(row);
    if (!this.open) return;
    this.turn(async (engine) => {
      const id = (await row.known(engine)) ?? engine.classes.find((c) => c.label === label && !c.nothing)?.id;
      if (id === undefined || this.#rows.find(label)?.id === id) return;
      await engine.removeClass(id);
      this.#projects.changed();
      this.#on.change({ action: "remove-class", label });
    });
  }

  /**
   * @param {string} before
   * @param {string} after
   */
  renameClass(before, after) {
    const row = this.#rows.find(before);
    if (!row || this.#rows.find(after)) {
      this.removeClass(before);
      this.#rows.row(after);
      return;
    }
    row.label = after;
    if (!this.open) return;
    this.turn(async (engine) => {
      const id = await row.known(engine);
      if (id === undefined) return;
      await engine.renameClass(id, after);
      this.#projects.changed();
      this.#on.change({ action: "rename-class", label: after, before });
    });
  }

  /** Follows the examples that the page declares. @param {DeepEMD} engine */
  learn(engine) {
    const ids = new Set(engine.classes.flatMap(({ examples }) => examples.map(({ id }) => id)));
    return this.#content.teach({
      has: (id) => ids.has(id),
      teach: (label, source, id) => this.teach(engine, label, source, id),
      forget: (id) => this.forget(engine, id),
      report: this.#on.report,
    });
  }

  /**
   * Tells the engine of settings.
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
   * Opens the page's project, unless it is open. What the page says of the method counts
   * more than what the project says.
   *
   * @param {DeepEMD} engine
   */
  async openProject(engine) {
    const project = this.#settings.get("project");
    if (project === this.#opened) return;
    const { signal } = this.#end;
    if (project !== undefined && (await this.#projects.open(engine, project, { signal, onProgress: this.#counting("project") }))) {
      this.#content.forget();
      const ours = this.#settings.method();
      if (Object.keys(ours).length > 0) await engine.configure(ours, { signal });
      this.#rows.follow(engine, this.declared);
      await this.learn(engine);
      this.#on.rest();
      this.#on.change({ action: "open", name: this.#projects.manifest?.name ?? "" });
    }
    this.#opened = project;
  }

  /** What the network sees of the camera's picture: the project says so. */
  get frame() {
    return this.#projects.frame;
  }

  /**
   * What an engine was taught, as a file.
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
    const { manifest } = this.#projects;
    const onProgress = (/** @type {ElementProgress} */ progress) => this.#on.progress(progress);
    const options = { ...(manifest && { method: manifest.method }), ...this.#settings.options(), signal, onProgress };
    const engine = await DeepEMD.create(options);
    try {
      signal.throwIfAborted();
      engine.addEventListener("crash", ({ detail }) => this.#on.report(new DeepEMDError(detail.code, detail.message)));
      engine.addEventListener("restart", () => this.#on.begin());
      const kept = this.#kept;
      if (kept?.sound === engine.info.sound) await restore(engine, kept, { signal, onProgress: this.#counting("examples"), report: this.#on.report });
      else this.#content.forget();
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

  /** @param {"examples" | "project"} stage */
  #counting(stage) {
    return (/** @type {number} */ loaded, /** @type {number} */ total) => this.#on.progress({ stage, loaded, total });
  }
}
