// @ts-check
/**
 * What <deep-emd> looks like: its shadow tree, its style sheet, and the row of a
 * class. Nothing is set by style attributes or <style> elements, which a
 * Content-Security-Policy may forbid.
 *
 * @typedef {import("./deepemd.js").DeepEMD} DeepEMD
 * @typedef {import("./deepemd.d.ts").Progress} Progress
 */

const CSS = `
:host {
  --_surface: var(--deepemd-surface, Canvas);
  --_text: var(--deepemd-text, CanvasText);
  --_soft: color-mix(in srgb, var(--_text) 65%, var(--_surface));
  --_line: color-mix(in srgb, var(--_text) 16%, var(--_surface));
  --_accent: var(--deepemd-accent, #2f6bff);
  --_radius: var(--deepemd-radius, 14px);
  display: grid;
  gap: 12px;
  box-sizing: border-box;
  max-width: 360px;
  padding: 12px;
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  background: var(--_surface);
  color: var(--_text);
  font: 15px/1.4 system-ui, sans-serif;
}
:host([hidden]), [hidden] { display: none !important; }
.stage { position: relative; aspect-ratio: 1; border-radius: calc(var(--_radius) - 4px); overflow: hidden; background: color-mix(in srgb, var(--_text) 8%, var(--_surface)); }
video { display: block; width: 100%; height: 100%; object-fit: cover; }
.off { position: absolute; inset: 0; display: grid; place-items: center; padding: 16px; color: var(--_soft); text-align: center; }
.name { position: absolute; left: 8px; bottom: 8px; max-width: calc(100% - 16px); padding: 4px 12px; border-radius: 9px; background: rgb(12 16 22 / 78%); color: white; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; box-sizing: border-box; }
.name:empty, .message:empty { display: none; }
button { min-height: 44px; padding: 0 16px; border: 1px solid var(--_line); border-radius: 11px; background: none; color: inherit; font: inherit; font-weight: 550; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--_soft); }
button:disabled { opacity: .55; cursor: default; }
button:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
.rows { display: grid; gap: 8px; margin: 0; padding: 0; list-style: none; }
.rows:empty { display: none; }
.row { display: grid; grid-template-columns: minmax(0, 1fr) 3.2em; align-items: center; gap: 10px; }
.row button { position: relative; display: flex; justify-content: space-between; align-items: center; gap: 8px; min-width: 0; overflow: hidden; text-align: left; touch-action: none; user-select: none; -webkit-user-select: none; }
.row .fill { position: absolute; inset: 0; background: var(--_accent); opacity: .22; transform: scaleX(var(--fill, 0)); transform-origin: left; transition: transform .12s linear; }
.row.best .fill { opacity: .42; }
.row .label { position: relative; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row.best .label, .row.best .percent { font-weight: 700; }
.row .count { position: relative; flex: none; color: var(--_soft); font-size: .85em; font-variant-numeric: tabular-nums; }
.row .percent { text-align: right; color: var(--_soft); font-variant-numeric: tabular-nums; }
.row button[aria-pressed="true"] { border-color: var(--_accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--_accent) 30%, transparent); }
.message { margin: 0; color: var(--_soft); font-size: .9em; overflow-wrap: anywhere; }
@media (prefers-reduced-motion: reduce) { .row .fill { transition: none; } }
`;

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** The style sheet, which all elements share. */
export function styles() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}

/**
 * Fills a shadow root and returns what it consists of.
 *
 * @param {ShadowRoot} root
 */
export function template(root) {
  const video = make("video", { part: "video", muted: true, playsInline: true, hidden: true });
  const off = make("div", { className: "off" }, make("slot", {}));
  const name = make("output", { part: "answer", className: "name" });
  const unknown = make("slot", { name: "unknown" }, "Unknown");
  const stranger = make("output", { part: "unknown", className: "name", hidden: true }, unknown);
  const stage = make("div", { part: "stage", className: "stage" }, video, off, name, stranger);
  const startText = make("slot", { name: "start" }, "Start camera");
  const stopText = make("slot", { name: "stop", hidden: true }, "Stop camera");
  const start = make("button", { part: "button", type: "button", hidden: true }, startText, stopText);
  const rows = make("ul", { part: "classes", className: "rows" });
  const message = make("p", { part: "message", className: "message", role: "status" });
  root.append(stage, start, rows, message);
  const arrived = { engine: 0, weights: 0 };
  return {
    video,
    start,
    rows,
    /** @param {boolean} on whether the camera is on */
    show(on) {
      video.hidden = stopText.hidden = !on;
      off.hidden = startText.hidden = on;
      for (const button of rows.querySelectorAll("button")) button.disabled = !on;
    },
    /**
     * @param {string} label of what is seen
     * @param {boolean} unknown whether that is none of the classes
     */
    name(label, unknown) {
      name.value = unknown ? "" : label;
      stranger.hidden = !unknown;
    },
    /** @param {string} text */
    say: (text) => void (message.textContent = text),
    /** @param {Progress} p */
    progress({ stage, loaded, total }) {
      if (stage === "ready" || !total) return;
      arrived[stage] = loaded / total;
      message.textContent = `${Math.round(50 * (arrived.engine + arrived.weights))} %`;
    },
  };
}

/** The row of a class: the button that teaches it, and how probable it is. */
export class Row {
  /** @type {WeakMap<DeepEMD, Promise<string>>} The class's id in each engine. */ #ids = new WeakMap();
  #label;
  #button;
  #count = make("span", { className: "count" });
  #percent = make("span", { part: "percent", className: "percent" });
  #fill = make("span", { part: "bar", className: "fill" });

  /**
   * @param {string} label
   * @param {{ press: () => void, release: () => void }} handlers
   */
  constructor(label, { press, release }) {
    this.#label = label;
    const button = make("button", { part: "teach", type: "button", disabled: true, ariaPressed: "false" }, this.#fill, make("span", { className: "label" }, label), this.#count);
    this.#button = button;
    this.element = make("li", { part: "class", className: "row" }, button, this.#percent);
    this.element.dataset.class = label;
    const hold = () => {
      button.ariaPressed = "true";
      press();
    };
    const letGo = () => {
      if (button.ariaPressed !== "true") return;
      button.ariaPressed = "false";
      release();
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
    button.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      hold(); // by a screen reader: one example
      letGo();
    });
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** @param {boolean} on whether there is something to teach by */
  enable(on) {
    this.#button.disabled = !on;
  }

  /**
   * The class in an engine, which is told of it once.
   *
   * @param {DeepEMD} engine
   */
  classId(engine) {
    let id = this.#ids.get(engine);
    if (!id) this.#ids.set(engine, (id = engine.addClass(this.#label)));
    return id;
  }

  /**
   * Shows how many examples an engine has of the class.
   *
   * @param {DeepEMD} engine
   */
  async count(engine) {
    const id = await this.#ids.get(engine);
    this.#count.textContent = String(engine.classes.find((c) => c.id === id)?.examples.length ?? "");
  }

  /** The engine that knew the class has gone. */
  forget() {
    this.#count.textContent = "";
  }

  /**
   * Takes the class away, from the engine too.
   *
   * @param {Promise<DeepEMD> | undefined} opened
   */
  async remove(opened) {
    this.element.remove();
    try {
      const engine = await opened;
      const id = engine && (await this.#ids.get(engine));
      if (id) await engine.removeClass(id);
    } catch {
      // Without the engine there is nothing to remove.
    }
  }

  /**
   * @param {number | undefined} score
   * @param {boolean} best
   */
  show(score, best) {
    this.element.classList.toggle("best", best && score !== undefined);
    this.#fill.style.setProperty("--fill", String(score ?? 0));
    this.#percent.textContent = score === undefined ? "" : `${Math.round(100 * score)}%`;
  }
}

/**
 * Makes an element with properties (part and role as attributes) and content.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} properties
 * @param {(Node | string)[]} content
 * @returns {HTMLElementTagNameMap[T]}
 */
function make(tag, { part, role, ...properties }, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  if (part) element.setAttribute("part", String(part));
  if (role) element.setAttribute("role", String(role));
  element.append(...content);
  return element;
}
