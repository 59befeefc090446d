// @ts-check
/**
 * The class list of <deep-emd>: one row per class, with its teach button, the number of its
 * examples, and its probability.
 *
 * @typedef {import("./deepemd.js").DeepEMD} DeepEMD
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 */

import { make } from "./element-view.js";

/** The rows of one element, in order. */
export class Rows {
  /** @type {Row[]} */ #all = [];
  #enabled = false;
  /** @type {import("./element-words.js").Words | undefined} */ #words;
  #list;
  #on;
  /** The row of images that fit no class. */ #rest = new Bar({ part: "rest", className: "rest", hidden: true }, make("div", {}));

  /**
   * @param {HTMLElement} list the rows' parent
   * @param {{ press: (row: Row) => Promise<void>, release: (row: Row) => void }} on
   */
  constructor(list, on) {
    this.#list = list;
    this.#on = on;
    list.append(this.#rest.element);
  }

  /** @param {import("./element-words.js").Words} words the language of the rows */
  speak(words) {
    this.#words = words;
  }

  get labels() {
    return this.#all.map((row) => row.label);
  }

  /** Whether any class has an example. */
  get taught() {
    return this.#all.some((row) => row.count > 0);
  }

  /** The number of classes with examples, and of all classes. */
  get covered() {
    return [this.#all.filter((row) => row.count > 0).length, this.#all.length];
  }

  /** @param {string} label */
  find(label) {
    return this.#all.find((row) => row.label === label);
  }

  /**
   * The row of a class; adds a row for a new class.
   *
   * @param {string} label
   */
  row(label) {
    return this.find(label) ?? this.#add(new Row(label, this.#on));
  }

  /** @param {Row} row */
  remove(row) {
    row.element.remove();
    this.#all = this.#all.filter((other) => other !== row);
  }

  /**
   * Moves the rows of the given labels to the front, in that order.
   *
   * @param {string[]} labels
   */
  order(labels) {
    const first = labels.map((label) => this.row(label));
    const wanted = [...first, ...this.#all.filter((row) => !first.includes(row))];
    if (wanted.every((row, i) => row === this.#all[i])) return;
    this.#all = wanted;
    this.#rest.element.before(...wanted.map((row) => row.element));
  }

  /** Adds classes that the engine lacks. @param {DeepEMD} engine */
  async tell(engine) {
    for (const row of this.#all) await row.classId(engine);
  }

  /** Forgets the classes of an engine, which has other classes with the same ids now. @param {DeepEMD} engine */
  forget(engine) {
    for (const row of this.#all) row.forget(engine);
  }

  /**
   * Shows rows for the engine's classes and for the classes that the page declares.
   *
   * @param {DeepEMD} engine
   * @param {string[]} declared
   */
  follow(engine, declared) {
    const left = new Set(this.#all);
    for (const { id, label, nothing, examples } of engine.classes) {
      if (nothing) continue; // background classes have no score
      const row = [...left].find((row) => row.is(engine, id)) ?? [...left].find((row) => row.label === label) ?? this.#add(new Row(label, this.#on));
      left.delete(row);
      row.adopt(engine, id, label, examples.length);
    }
    for (const row of left) {
      if (declared.includes(row.label)) row.count = 0;
      else this.remove(row);
    }
  }

  /** @param {boolean} on whether there is an input to teach from */
  enable(on) {
    this.#enabled = on;
    for (const row of this.#all) row.enable(on);
  }

  /**
   * Shows the probabilities.
   *
   * @param {Answer | undefined} answer
   * @param {string} unknown the label of images that fit no class
   */
  show(answer, unknown) {
    const best = answer?.scores[0]?.id;
    const verdict = answer?.unknown;
    const percent = (/** @type {number} */ score) => this.#words?.percent(Math.round(100 * score)) ?? "";
    for (const row of this.#all) {
      const score = answer?.scores.find(({ id }) => row.id === id);
      row.show(score?.score, score ? percent(score.score) : "", score !== undefined && score.id === best && !verdict?.unknown);
    }
    const { element, name } = this.#rest;
    element.hidden = !verdict;
    if (name.textContent !== unknown) name.textContent = unknown;
    this.#rest.show(verdict && 1 - verdict.known, verdict ? percent(1 - verdict.known) : "", verdict?.unknown === true);
  }

  /** Whether an answer has classes without a row. @param {Answer} answer */
  lacks(answer) {
    return answer.scores.some(({ id }) => !this.#all.some((row) => row.id === id));
  }

  /** @param {Row} row */
  #add(row) {
    row.enable(this.#enabled);
    this.#all.push(row);
    this.#rest.element.before(row.element);
    return row;
  }
}

/** A row with a bar, its name and its value. */
class Bar {
  name = make("span", { className: "label", dir: "auto" });
  #percent = make("span", { part: "percent", className: "percent" });
  #fill = make("span", { part: "bar", className: "fill" });

  /**
   * @param {Record<string, unknown>} properties of the row
   * @param {HTMLElement} box gets the bar and the name
   */
  constructor(properties, box) {
    box.prepend(this.#fill, this.name);
    this.element = make("li", properties, box, this.#percent);
  }

  /**
   * @param {number | undefined} score
   * @param {string} percent the score as text
   * @param {boolean} best
   */
  show(score, percent, best) {
    this.element.classList.toggle("best", best && score !== undefined);
    this.#fill.style.setProperty("--fill", String(score ?? 0));
    this.#percent.textContent = percent;
  }
}

/** The row of a class. */
export class Row extends Bar {
  /** @type {DeepEMD | undefined} The engine that has the class. */ #engine;
  /** @type {Promise<string> | undefined} */ #adding;
  #label = "";
  #taught = 0;
  #button;
  #count;
  /** In that engine. @type {string | undefined} */ id;

  /**
   * @param {string} label
   * @param {{ press: (row: Row) => Promise<void>, release: (row: Row) => void }} on
   */
  constructor(label, { press, release }) {
    const count = make("span", { className: "count" });
    const button = make("button", { part: "teach", type: "button", disabled: true, "aria-pressed": "false", "aria-describedby": "hint" }, count);
    super({ part: "class", className: "row" }, button);
    this.#button = button;
    this.#count = count;
    this.label = label;
    let held = false;
    const show = (/** @type {boolean} */ now) => {
      held = now;
      button.setAttribute("aria-pressed", String(now));
    };
    let holds = 0;
    const hold = () => {
      holds++;
      show(true);
      return press(this);
    };
    const letGo = () => {
      if (!held) return;
      show(false);
      release(this);
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      hold();
    });
    for (const type of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) button.addEventListener(type, letGo);
    button.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (!event.repeat) hold();
    });
    button.addEventListener("keyup", letGo);
    button.addEventListener("click", async (event) => {
      if (event.detail !== 0 || held) return;
      const own = holds + 1;
      await hold(); // a screen reader's click: one example
      if (own === holds) letGo(); // not a later hold
    });
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get label() {
    return this.#label;
  }

  set label(label) {
    this.#label = label;
    this.name.textContent = this.name.title = label;
    this.element.dataset.class = label;
  }

  /** The number of examples. */
  get count() {
    return this.#taught;
  }

  set count(n) {
    this.#taught = n;
    this.#count.textContent = n > 0 ? String(n) : "";
  }

  /** @param {boolean} on whether there is an input to teach from */
  enable(on) {
    this.#button.disabled = !on;
  }

  /**
   * The id of the class in an engine; adds the class once.
   *
   * @param {DeepEMD} engine
   */
  classId(engine) {
    if (this.#engine !== engine || !this.#adding) {
      this.#engine = engine;
      this.id = undefined;
      this.#adding = engine.addClass(this.label).then((id) => (this.id = id));
      this.#adding.catch(() => (this.#adding = undefined));
    }
    return this.#adding;
  }

  /**
   * Forgets the class that was added to an engine. Returns false if another engine has it by now.
   *
   * @param {DeepEMD} engine
   */
  forget(engine) {
    if (this.#engine !== engine) return false;
    this.id = this.#adding = undefined;
    return true;
  }

  /**
   * Whether this is the row of the engine's class with an id.
   *
   * @param {DeepEMD} engine
   * @param {string} id
   */
  is(engine, id) {
    return this.#engine === engine && this.id === id;
  }

  /**
   * Takes over a class of the engine.
   *
   * @param {DeepEMD} engine
   * @param {string} id
   * @param {string} label
   * @param {number} count the number of examples
   */
  adopt(engine, id, label, count) {
    this.#engine = engine;
    this.#adding = Promise.resolve(id);
    this.id = id;
    if (this.label !== label) this.label = label;
    this.count = count;
  }

  /**
   * The id of the class in an engine, if the engine has it.
   *
   * @param {DeepEMD} engine
   */
  known(engine) {
    return this.#engine === engine ? this.#adding : undefined;
  }
}
