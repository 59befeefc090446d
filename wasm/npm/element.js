// @ts-check
/**
 * <deep-emd>: a complete classifier as one element. It shows the camera or listens to the
 * microphone, has a button for each class that teaches it, and shows live answers. On a
 * server without elements, importing this module does nothing.
 *
 * @example
 * <script type="module" src="deepemd/element.js"></script>
 * <deep-emd camera classes="cup, pen"></deep-emd>
 *
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 * @typedef {import("./deepemd.d.ts").Example} Example
 * @typedef {import("./deepemd.d.ts").Explanation} Explanation
 * @typedef {import("./deepemd.d.ts").Source} Source
 */

import { options as checked } from "./check.js";
import { DeepEMDError } from "./error.js";
import { Content } from "./element-content.js";
import { Keeper } from "./element-engine.js";
import { Language } from "./element-language.js";
import { Rows } from "./element-rows.js";
import { SETTINGS, Settings } from "./element-settings.js";
import { style } from "./element-style.js";
import { template } from "./element-view.js";
import { Watch } from "./element-watch.js";

const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/** element.d.ts describes the public members. */
export class DeepEMDElement extends Base {
  static observedAttributes = [...Object.keys(SETTINGS), "lang"];

  #settings = new Settings(this, (name, part) => this.#set(name, part));
  #content = new Content(this, {
    add: (label) => void this.#rows.row(label),
    remove: (label) => !this.#keeper.declared.includes(label) && this.#keeper.removeClass(label),
    rename: (before, after) => this.#keeper.renameClass(before, after),
    pictures: () => {
      this.#recover(); // the picture that failed may be gone
      this.#keeper.turn((engine) => this.#keeper.learn(engine));
    },
  });
  /** @type {ReturnType<typeof template>} */ #view;
  /** @type {Rows} */ #rows;
  /** @type {Keeper} */ #keeper;
  /** Whether the element was in a document at the last check. */ #here = false;
  /** @type {Watch} */ #watch;
  #language = new Language(this, (words) => {
    this.#view.speak(words);
    this.#rows.speak(words);
    this.#say();
  });
  /** Settings that changed and are not applied yet. @type {Set<string>} */ #pending = new Set();
  /** @type {Answer | undefined} */ #answer;
  /** The last failure, until something succeeds. @type {DeepEMDError | undefined} */ #failure;
  /** Why the engine refused the settings of the method, until they change. @type {DeepEMDError | undefined} */ #refused;

  static {
    for (const name of Object.keys(SETTINGS)) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get: /** @this {DeepEMDElement} */ function () {
          return name === "classes" ? this.#rows.labels : this.#settings.get(name);
        },
        set: /** @this {DeepEMDElement} @param {unknown} value */ function (value) {
          this.#settings.set(name, value);
        },
      });
    }
  }

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    style(root);
    this.#view = template(root);
    this.#rows = new Rows(this.#view.rows, { press: (row) => this.#watch.hold(row), release: (row) => this.#watch.letGo(row) });
    const page = { settings: this.#settings, content: this.#content, rows: this.#rows, view: this.#view };
    const report = (/** @type {unknown} */ error) => this.#report(error);
    this.#keeper = new Keeper(page, {
      report,
      begin: () => {
        this.#view.begin();
        this.#recover();
      },
      progress: (detail) => {
        this.#view.progress(detail);
        this.#dispatch("progress", detail);
      },
      rest: () => {
        this.#view.rest();
        this.#advise();
      },
      ready: () => this.dispatchEvent(new Event("ready")),
      change: (detail) => {
        this.#advise();
        this.#dispatch("change", detail, true);
      },
      save: (detail) => this.#dispatch("save", detail),
    });
    this.#watch = new Watch(page, {
      report,
      recover: () => this.#recover(),
      turned: (on) => {
        if (!on) this.#display(undefined);
        this.#advise();
      },
      engine: () => (this.#keeper.open ? this.engine : undefined),
      answer: (engine, answer) => {
        if (this.#rows.lacks(answer)) this.#rows.follow(engine, this.#keeper.declared);
        this.#display(answer);
      },
      silence: () => this.#display(undefined),
      frame: () => this.#keeper.frame,
      teach: (label, source) => this.teach(label, source),
    });
    this.#view.start.addEventListener("click", () => void (this.#watch.on ? this.stop() : this.start().catch(() => {})));
    this.#view.device(undefined);
    this.#view.speak(this.#language.words);
    this.#rows.speak(this.#language.words);
  }

  /** The running engine. */
  get engine() {
    if (!this.#here) return Promise.reject(new DeepEMDError("disposed", "<deep-emd> is not in the document: add it, then use it"));
    this.#follow();
    return this.#keeper.engine();
  }

  /** The latest answer. */
  get answer() {
    return this.#answer;
  }

  /** Starts the camera that the attribute prefers, or the microphone. */
  async start() {
    if (!this.#here) throw new DeepEMDError("disposed", "<deep-emd> is not in the document: add it, then start it");
    return this.#watch.start();
  }

  /** Stops the camera or the microphone. */
  stop() {
    this.#watch.stop();
  }

  /**
   * Adds an example to a class, and the class if it is new.
   *
   * @param {string} label
   * @param {Source} [source] default: the current image, or the latest sound
   * @returns {Promise<Example>}
   */
  teach(label, source) {
    return this.#ask((engine) => this.#keeper.teach(engine, label, source ?? this.#watch.source()));
  }

  /**
   * Removes an example.
   *
   * @param {string} exampleId
   */
  forget(exampleId) {
    return this.#ask((engine) => this.#keeper.forget(engine, exampleId));
  }

  /**
   * Classifies an image or a sound and shows the answer.
   *
   * @param {Source} [source] default: the current image, or the latest sound
   * @returns {Promise<Answer>}
   */
  classify(source) {
    return this.#ask(async (engine) => {
      const answer = await engine.classify(source ?? this.#watch.source());
      this.#display(answer);
      return answer;
    });
  }

  /**
   * Explains an answer: see DeepEMD.explain.
   *
   * @param {{ source?: Source, label?: string }} [options]
   * @returns {Promise<Explanation>}
   */
  explain(options = {}) {
    return this.#ask(async (engine) => {
      const { source, label } = checked("explain", options, { source: "any", label: "text" });
      const row = label === undefined ? undefined : this.#rows.find(label);
      if (label !== undefined && !row) {
        throw new DeepEMDError("unknown-class", `<deep-emd> has no class "${label}": it has ${this.#rows.labels.join(", ") || "none"}`);
      }
      const classId = await row?.classId(engine);
      return engine.explain({ ...(source && { source }), ...(classId !== undefined && { classId }) });
    });
  }

  /**
   * Saves the classes and examples as a project file, which the property project opens.
   *
   * @param {{ name?: string }} [options]
   * @returns {Promise<Blob>}
   */
  save(options) {
    return this.#ask((engine) => this.#keeper.save(engine, options));
  }

  connectedCallback() {
    this.#language.follow();
    if (this.#here) return; // the element was only moved
    this.#here = true;
    this.#settings.upgrade();
    this.#content.follow();
    // A framework may set more in the same task.
    queueMicrotask(() => {
      if (!this.#here) return;
      this.#follow();
      this.#start();
      this.#autostart();
    });
  }

  /** Another document, such as a picture-in-picture window, has taken the element, without its style sheet. */
  adoptedCallback() {
    if (this.shadowRoot && this.ownerDocument.defaultView) style(this.shadowRoot);
  }

  disconnectedCallback() {
    // A moved element is inserted again at once.
    queueMicrotask(() => {
      if (this.isConnected || !this.#here) return;
      this.#here = false;
      this.stop();
      this.#view.rest();
      this.#content.unfollow();
      this.#language.unfollow();
      this.#keeper.leave();
    });
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "lang") this.#language.look();
    else {
      this.#settings.attribute(name, after);
      this.#say();
    }
  }

  /** Starts the engine in advance. Failures are reported. */
  #start() {
    this.#keeper.engine().catch(() => {});
  }

  /**
   * Applies a change of a setting: at once, or together with other settings of the engine.
   *
   * @param {string} name
   * @param {import("./element-settings.js").Part} part
   */
  #set(name, part) {
    if (part === "method") this.#refused = undefined;
    this.#recover();
    if (part === "classes") this.#list();
    if (name === "threshold") this.#watch.tune();
    if (name === "camera" || name === "sound") {
      this.#view.device(this.#watch.wanted);
      this.#watch.follow();
    }
    if (this.#pending.size === 0) queueMicrotask(() => this.#follow());
    this.#pending.add(name);
  }

  /** Applies the settings that changed since the last call. */
  #follow() {
    if (!this.#here) return;
    const names = [...this.#pending];
    this.#pending.clear();
    for (const error of this.#settings.wrong(names)) this.#dispatch("error", error);
    const parts = new Set(names.map((name) => SETTINGS[name]?.part));
    if (parts.has("live")) this.#autostart();
    const keeper = this.#keeper;
    if (!keeper.open) {
      if (parts.size > 0) this.#start(); // the change may have removed the cause of a failed start
    } else if (parts.has("start")) {
      keeper.discard();
      this.#start();
    } else {
      if (parts.has("method")) {
        keeper.turn((engine) =>
          keeper.configure(engine, names).catch((error) => {
            if (error.code === "bad-argument") this.#refused = error;
            throw error;
          }),
        );
      }
      if (parts.has("file")) {
        keeper.turn((engine) => {
          this.#recover(); // the project before may have failed after the change
          return keeper.openProject(engine);
        });
      }
    }
  }

  #autostart() {
    if (this.#here && this.#settings.get("autostart") && this.#watch.wanted) this.#watch.start().catch(() => {});
  }

  /** Lists the classes of the attribute, in its order, then the classes of the content. */
  #list() {
    const wanted = this.#settings.get("classes");
    if (!wanted) return;
    const kept = [...wanted, ...this.#content.names];
    for (const label of this.#rows.labels) if (!kept.includes(label)) this.#keeper.removeClass(label);
    this.#rows.order(wanted);
  }

  /**
   * Asks the engine. Failures are reported and passed to the caller.
   *
   * @template T
   * @param {(engine: import("./deepemd.js").DeepEMD) => Promise<T>} question
   */
  async #ask(question) {
    try {
      const answer = await question(await this.engine);
      this.#recover();
      return answer;
    } catch (error) {
      throw this.#report(error);
    }
  }

  /**
   * Shows an answer and dispatches it; undefined removes it.
   *
   * @param {Answer | undefined} answer
   */
  #display(answer) {
    this.#answer = answer;
    const unknown = answer?.unknown?.unknown === true;
    this.#rows.show(answer, this.#view.unknown);
    this.#view.name(answer?.scores[0]?.label ?? "", unknown, answer?.unknown?.together);
    if (answer) this.#dispatch("prediction", answer, true);
  }

  /** Shows how to teach, until two classes, or all, have an example. */
  #advise() {
    const [covered, all] = this.#rows.covered;
    this.#view.hint(this.#watch.on && covered < Math.min(2, all));
  }

  /**
   * Shows a failure and dispatches it.
   *
   * @param {unknown} reason
   */
  #report(reason) {
    const error = reason instanceof DeepEMDError ? reason : new DeepEMDError("internal", String(reason));
    if (error.code === "disposed") return error;
    this.#failure = error;
    this.#view.rest();
    this.#say();
    this.#dispatch("error", error);
    return error;
  }

  /** Forgets the last failure. */
  #recover() {
    this.#failure = undefined;
    this.#say();
  }

  /** Shows the last failure, or invalid settings. */
  #say() {
    const error = this.#failure ?? this.#refused ?? this.#settings.wrong().at(-1);
    this.#view.say(error ? this.#language.reason(error) : "", error?.message);
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   * @param {boolean} [bubbles]
   */
  #dispatch(type, detail, bubbles = false) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles }));
  }
}

if (globalThis.customElements && !customElements.get("deep-emd")) customElements.define("deep-emd", DeepEMDElement);
