// @ts-check
/**
 * The view of <deep-emd> without its classes. It uses no style attributes or <style> elements,
 * which a Content-Security-Policy may forbid.
 *
 * @typedef {import("./element.d.ts").ElementProgress} ElementProgress
 * @typedef {import("./element-words.js").Words} Words
 */

/** Milliseconds after which an unchanged answer is announced to screen readers. */
const SETTLED = 700;

/** The share of each download in the progress of a start. */
const SHARES = /** @type {Record<string, number>} */ ({ engine: 0.5, weights: 0.5 });

/**
 * Fills a shadow root and returns its parts.
 *
 * @param {ShadowRoot} root
 */
export function template(root) {
  const video = make("video", { part: "video", muted: true, playsInline: true, hidden: true });
  const spectrum = make("canvas", { part: "spectrum", "aria-hidden": "true", hidden: true });
  const level = make("div", { part: "level", className: "level", "aria-hidden": "true", hidden: true });
  const off = make("div", { className: "off" }, make("slot", {}));
  const name = make("output", { part: "answer", className: "name", dir: "auto", "aria-live": "off" });
  const unknown = make("slot", { name: "unknown" });
  const stranger = make("output", { part: "unknown", className: "name", "aria-live": "off", hidden: true }, unknown);
  const stage = make("div", { part: "stage", className: "stage" }, video, spectrum, level, off, name, stranger);
  const startText = make("slot", { name: "start" });
  const stopText = make("slot", { name: "stop", hidden: true });
  const start = make("button", { part: "button", className: "start", type: "button", hidden: true }, startText, stopText);
  const advice = make("slot", { name: "hint" });
  const hint = make("p", { part: "hint", className: "hint", id: "hint", hidden: true }, advice);
  const rows = make("ul", { part: "classes", className: "rows", role: "list" });
  const note = make("p", { part: "note", className: "hint", hidden: true });
  const bar = make("progress", { part: "progress", max: 1, hidden: true });
  const message = make("p", { part: "message", className: "message", role: "status" });
  const said = make("p", { className: "said", role: "status" });
  root.append(stage, start, hint, rows, note, bar, message, said);
  /** @type {Record<string, number>} */
  let arrived = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settling;
  /** @type {Words | undefined} */
  let words;
  /** The input that the button starts. @type {"camera" | "microphone" | undefined} */
  let kind;
  const write = () => {
    if (!words) return;
    const hears = kind === "microphone";
    unknown.textContent = words.unknown;
    note.textContent = words.together;
    bar.setAttribute("aria-label", words.loading);
    startText.textContent = hears ? words.startMicrophone : words.startCamera;
    stopText.textContent = hears ? words.stopMicrophone : words.stopCamera;
    advice.textContent = hears ? words.teachMicrophone : words.teachCamera;
  };
  return {
    video,
    spectrum,
    level,
    start,
    rows,
    /** @param {Words} language the new language */
    speak(language) {
      words = language;
      write();
    },
    /** @param {"camera" | "microphone" | undefined} wanted the input that the button starts; undefined hides the button */
    device(wanted) {
      kind = wanted;
      start.hidden = kind === undefined;
      write();
    },
    /** @param {"camera" | "microphone" | undefined} live the running input */
    show(live) {
      video.hidden = live !== "camera";
      spectrum.hidden = level.hidden = live !== "microphone";
      off.hidden = startText.hidden = live !== undefined;
      stopText.hidden = live === undefined;
      start.classList.toggle("on", live !== undefined);
    },
    /** @param {boolean} on whether to show how to teach */
    hint(on) {
      hint.hidden = !on;
    },
    /** The label of images that fit no class: the page's, or the element's. */
    get unknown() {
      return unknown.assignedNodes().map((node) => node.textContent).join("") || (unknown.textContent ?? "");
    },
    /**
     * @param {string} label the answer
     * @param {boolean} [isStranger] whether the image fits no class
     * @param {boolean} [together] whether the class is less probable than none
     */
    name(label, isStranger = false, together = false) {
      if (together) note.hidden = false;
      note.style.visibility = together ? "" : "hidden"; // once shown, it keeps its place: a camera's answers change fast
      const before = stranger.hidden ? name.value : true;
      name.value = isStranger ? "" : label;
      stranger.hidden = !isStranger;
      if (before === (isStranger || name.value)) return;
      clearTimeout(settling);
      settling = setTimeout(() => {
        said.textContent = isStranger ? this.unknown : label;
      }, SETTLED);
    },
    /**
     * @param {string} text
     * @param {string} [detail] for developers
     */
    say(text, detail = "") {
      if (message.textContent !== text) message.textContent = text; // screen readers read each change
      message.title = detail;
    },
    /** Resets the progress bar. */
    begin() {
      arrived = {};
    },
    /** Hides the progress bar. */
    rest() {
      bar.hidden = true;
    },
    /** @param {ElementProgress} p */
    progress({ stage, loaded, total }) {
      if (stage === "ready" || !total) return;
      arrived[stage] = Math.min(1, loaded / total);
      bar.hidden = false;
      bar.value = SHARES[stage] ? Object.keys(SHARES).reduce((sum, part) => sum + SHARES[part] * (arrived[part] ?? 0), 0) : arrived[stage];
    },
  };
}

/**
 * Creates an element with properties and content. Names with "aria-", part and role are attributes: Firefox before
 * 119 has no properties for them.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} properties
 * @param {(Node | string)[]} content
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (/^(aria-|part$|role$)/.test(name)) element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  element.append(...content);
  return element;
}
