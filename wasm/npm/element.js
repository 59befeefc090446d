// @ts-check
/**
 * <deep-emd>: a whole classifier as one element. It shows the camera, has a button
 * for each class to teach it by, and says live what it sees.
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

import { DeepEMD, DeepEMDError } from "./deepemd.js";
import { Row, styles, template } from "./element-view.js";

/** Time between two examples while a button is held, in milliseconds. */
const INTERVAL = 125;

/** The picture asked of a camera: more pixels than the network sees. */
const WANTED = { width: { ideal: 640 }, height: { ideal: 480 } };

export class DeepEMDElement extends HTMLElement {
  static observedAttributes = ["classes", "weights", "camera"];

  /** @type {ReturnType<typeof template>} */ #view;
  /** @type {Map<string, Row>} Rows by label, in their order. */ #rows = new Map();
  /** @type {Promise<DeepEMD> | undefined} */ #engine;
  /** @type {MediaStream | undefined} */ #stream;
  /** Ends what belongs to this stay in the document. @type {AbortController | undefined} */ #stay;
  /** The label whose button is held. @type {string | undefined} */ #held;
  /** @type {Answer | undefined} */ #answer;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles()];
    this.#view = template(root);
    this.#view.start.addEventListener("click", () => void (this.#stream ? this.stop() : this.start().catch(() => {})));
  }

  /** The engine, once it runs: what deepemd.js makes, for all that the element has no method for. */
  get engine() {
    if (!this.#stay) return Promise.reject(new DeepEMDError("disposed", "<deep-emd> is not in the document: add it, then use it"));
    return (this.#engine ??= this.#load().catch((error) => {
      this.#engine = undefined; // the next call tries again
      throw error;
    }));
  }

  /** What was seen last. */
  get answer() {
    return this.#answer;
  }

  /** The labels of the classes. */
  get classes() {
    return [...this.#rows.keys()];
  }

  /** Starts the camera, of several the one that the attribute prefers: "user" or "environment". */
  async start() {
    const stay = this.#stay;
    if (!stay) throw new DeepEMDError("disposed", "<deep-emd> is not in the document: add it, then start it");
    if (this.#stream) return;
    this.#view.say("");
    try {
      const media = navigator.mediaDevices;
      if (!media) throw new DeepEMDError("unsupported", "the browser gives no camera to this address: use https or localhost");
      const facing = this.getAttribute("camera");
      const stream = await media.getUserMedia({ audio: false, video: { ...WANTED, ...(facing && { facingMode: { ideal: facing } }) } });
      if (stay.signal.aborted) {
        for (const track of stream.getTracks()) track.stop();
        return;
      }
      this.#stream = stream;
      for (const track of stream.getTracks()) track.addEventListener("ended", () => this.stop(), { signal: stay.signal });
      this.#view.video.srcObject = stream;
      await this.#view.video.play();
    } catch (error) {
      this.stop();
      throw this.#report(cameraError(error));
    }
    this.#view.show(true);
    void this.#watch(this.#stream);
  }

  /** Stops the camera. */
  stop() {
    this.#held = undefined;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = undefined;
    this.#view.video.srcObject = null;
    this.#view.show(false);
    this.#display(undefined);
  }

  /**
   * Makes a picture an example of a class, which is added when it is new.
   *
   * @param {string} label
   * @param {Source} [source] default: what the camera shows
   * @returns {Promise<Example>}
   */
  async teach(label, source) {
    try {
      const engine = await this.engine;
      const row = this.#row(label);
      const example = await engine.addExample(await row.classId(engine), source ?? this.#video());
      row.count(engine);
      return example;
    } catch (error) {
      throw this.#report(error);
    }
  }

  /**
   * Classifies a picture and shows the answer.
   *
   * @param {Source} [source] default: what the camera shows
   * @returns {Promise<Answer>}
   */
  async classify(source) {
    try {
      const engine = await this.engine;
      const answer = await engine.classify(source ?? this.#video());
      this.#display(answer);
      return answer;
    } catch (error) {
      throw this.#report(error);
    }
  }

  /**
   * Says why: see explain of deepemd.js.
   *
   * @param {{ source?: Source, label?: string }} [options]
   * @returns {Promise<Explanation>}
   */
  async explain({ source, label } = {}) {
    try {
      const engine = await this.engine;
      const classId = label === undefined ? undefined : await this.#known(label).classId(engine);
      return await engine.explain({ source, classId });
    } catch (error) {
      throw this.#report(error);
    }
  }

  // The element's life.

  connectedCallback() {
    if (this.#stay) return; // it was only moved
    this.#stay = new AbortController();
    this.#list();
    this.#open();
    if (this.hasAttribute("camera") && this.hasAttribute("autostart")) this.start().catch(() => {});
  }

  disconnectedCallback() {
    // An element that is moved is back at once.
    queueMicrotask(() => {
      if (this.isConnected || !this.#stay) return;
      this.stop();
      this.#stay.abort();
      this.#stay = undefined;
      this.#discard();
    });
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(name, before, after) {
    if (name === "camera") {
      this.#view.start.hidden = after === null;
      if (after === null) this.stop();
    }
    if (!this.#stay || before === after) return;
    if (name === "classes") this.#list();
    if (name === "weights") {
      this.#discard();
      this.#open();
    }
  }

  /** Starts the engine before anybody needs it. */
  #open() {
    this.engine.then(
      () => this.dispatchEvent(new Event("ready")),
      (error) => this.#report(error),
    );
  }

  /** Ends the engine and what it was taught. */
  #discard() {
    this.#engine?.then(
      (engine) => engine.dispose(),
      () => {},
    );
    this.#engine = undefined;
    for (const row of this.#rows.values()) row.forget();
    this.#display(undefined);
  }

  /** Starts an engine and teaches it the pictures that the page put into the element. */
  async #load() {
    const weights = this.getAttribute("weights") ?? undefined;
    const base = this.getAttribute("base") ?? undefined;
    const engine = await DeepEMD.create({ weights, base, onProgress: (p) => this.#view.progress(p) });
    engine.addEventListener("crash", ({ detail }) => this.#report(new DeepEMDError(detail.code, detail.message)));
    engine.addEventListener("restart", () => this.#view.say(""));
    this.#view.say("");
    const pictures = /** @type {NodeListOf<HTMLImageElement>} */ (this.querySelectorAll(":scope img[data-class]"));
    for (const img of pictures) {
      const row = this.#row(img.dataset.class ?? "");
      try {
        await engine.addExample(await row.classId(engine), img);
        row.count(engine);
      } catch (error) {
        this.#report(error);
      }
    }
    return engine;
  }

  /** Follows the attribute: rows for the classes that it names, in its order. */
  #list() {
    const wanted = this.getAttribute("classes")?.split(",").map((label) => label.trim());
    if (!wanted) return;
    for (const label of wanted) if (label) this.#row(label);
    for (const [label, row] of this.#rows) {
      if (wanted.includes(label)) continue;
      row.remove(this.#engine);
      this.#rows.delete(label);
    }
  }

  /**
   * The row of a class, which is made where there is none.
   *
   * @param {string} label
   */
  #row(label) {
    let row = this.#rows.get(label);
    if (!row) {
      row = new Row(label, {
        press: () => void this.#hold(label),
        release: () => (this.#held = undefined),
      });
      row.enable(this.#stream !== undefined);
      this.#rows.set(label, row);
      this.#view.rows.append(row.element);
    }
    return row;
  }

  /** @param {string} label */
  #known(label) {
    const row = this.#rows.get(label);
    if (!row) throw new DeepEMDError("unknown-class", `<deep-emd> has no class "${label}": it has ${this.classes.join(", ") || "none"}`);
    return row;
  }

  /**
   * Teaches what the camera shows for as long as a button is held.
   *
   * @param {string} label
   */
  async #hold(label) {
    this.#held = label;
    while (this.#held === label && this.#stream) {
      const begin = performance.now();
      try {
        const example = await this.teach(label);
        this.dispatchEvent(new CustomEvent("example", { detail: { label, example } }));
      } catch {
        this.#held = undefined;
        return;
      }
      await pause(Math.max(0, INTERVAL - (performance.now() - begin)));
    }
  }

  /**
   * Classifies frame after frame while the camera runs; those that come meanwhile
   * are skipped.
   *
   * @param {MediaStream} stream
   */
  async #watch(stream) {
    while (this.#stream === stream) {
      await nextFrame(this.#view.video);
      if (this.#stream !== stream) return;
      try {
        const engine = await this.engine;
        if (!engine.classes.some((c) => c.examples.length > 0)) continue;
        const answer = await engine.classify(this.#view.video);
        if (this.#stream !== stream) return;
        this.#display(answer);
      } catch (error) {
        const { code } = /** @type {DeepEMDError} */ (error);
        if (code === "disposed") return;
        if (code !== "empty" && code !== "bad-image" && code !== "crashed") this.#report(error);
        await pause(500); // it is being restarted, most likely
      }
    }
  }

  /**
   * Shows an answer and tells the page; undefined takes it away.
   *
   * @param {Answer | undefined} answer
   */
  #display(answer) {
    this.#answer = answer;
    const unknown = answer?.unknown?.unknown === true;
    const best = answer?.scores[0]?.label;
    for (const [label, row] of this.#rows) row.show(answer?.scores.find((s) => s.label === label)?.score, label === best && !unknown);
    this.#view.name(best ?? "", unknown);
    if (answer) this.dispatchEvent(new CustomEvent("answer", { detail: answer, bubbles: true }));
  }

  #video() {
    if (!this.#stream) throw new DeepEMDError("bad-image", "the camera is off: start it, or pass a picture");
    return this.#view.video;
  }

  /**
   * Says in the element and to the page that something failed.
   *
   * @param {unknown} reason
   */
  #report(reason) {
    const error = reason instanceof DeepEMDError ? reason : new DeepEMDError("internal", String(reason));
    if (error.code === "disposed") return error;
    this.#view.say(error.message);
    this.dispatchEvent(new CustomEvent("error", { detail: error }));
    return error;
  }
}

/** @param {unknown} error */
function cameraError(error) {
  const reasons = /** @type {Record<string, string>} */ ({
    NotAllowedError: "the camera is not allowed: allow it in the browser's address bar, then start it again",
    NotFoundError: "no camera was found: connect one, then start it again",
    NotReadableError: "the camera is in use: close the program that holds it, then start it again",
  });
  const { name = "" } = /** @type {Error} */ (error);
  return reasons[name] ? new DeepEMDError("unsupported", reasons[name]) : error;
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {HTMLVideoElement} video */
function nextFrame(video) {
  return new Promise((resolve) => {
    const soon = setTimeout(resolve, 1000); // a camera that was switched off shows no more frames
    const done = () => {
      clearTimeout(soon);
      resolve(undefined);
    };
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(done);
    else requestAnimationFrame(done);
  });
}

if (!customElements.get("deep-emd")) customElements.define("deep-emd", DeepEMDElement);
