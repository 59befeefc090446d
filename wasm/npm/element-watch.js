// @ts-check
/**
 * <deep-emd> at work: the camera or microphone is started and stopped, what it gives
 * is classified, one after the other, and taught while a button is held.
 *
 * @typedef {import("./deepemd.js").DeepEMD} DeepEMD
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./element-live.js").Live} Live
 * @typedef {import("./element-rows.js").Rows} Rows
 *
 * @typedef {object} Page
 * @property {import("./element-live.js").View} view
 * @property {Rows} rows
 * @property {import("./element-settings.js").Settings} settings
 *
 * @typedef {object} Listeners
 * @property {(on: boolean) => void} turned it was started or stopped
 * @property {() => Promise<DeepEMD> | undefined} engine undefined where none could be started
 * @property {(engine: DeepEMD, answer: Answer) => void} answer
 * @property {() => void} silence nothing was heard for a while
 * @property {() => import("./framing.js").Frame} frame what the network sees of the camera's picture
 * @property {(label: string, source: Source) => Promise<unknown>} teach
 * @property {(error: unknown) => unknown} report
 */

import { DeepEMDError } from "./error.js";
import { Camera, Ear, deviceError } from "./element-live.js";

/** Codes of errors that pass by themselves while pictures come. */
const PASSING = ["empty", "bad-image", "bad-sound", "silent", "crashed", "disposed"];

/** Time until the next try after an error, in milliseconds. */
const RESPITE = 500;

/** The camera or microphone of one element. */
export class Watch {
  /** @type {Live | undefined} */ #live;
  /** @type {Promise<void> | undefined} */ #started;
  /** The camera that was preferred when it was started. @type {unknown} */ #facing;
  /** Ends the examples of the button that is held. @type {(() => void) | undefined} */ #release;
  #page;
  #on;

  /**
   * @param {Page} page
   * @param {Listeners} on
   */
  constructor(page, on) {
    this.#page = page;
    this.#on = on;
  }

  /** Whether it is on, or starting. */
  get on() {
    return this.#live !== undefined;
  }

  /** The kind that the page asks for. @returns {Live["kind"] | undefined} */
  get wanted() {
    const { settings } = this.#page;
    return settings.get("sound") ? "microphone" : settings.get("camera") ? "camera" : undefined;
  }

  /** @returns {Promise<void>} */
  start() {
    if (!this.#live || !this.#started) {
      const Kind = this.wanted === "microphone" ? Ear : Camera;
      /** @type {Live} */
      const live = new Kind(this.#page.view, () => this.#live === live && this.stop(), this.#on.frame);
      this.#live = live;
      this.#started = this.#begin(live);
    }
    return this.#started;
  }

  stop() {
    this.letGo();
    this.#live?.stop();
    this.#live = undefined;
    this.#page.rows.enable(false);
    this.#page.view.show(undefined);
    this.#on.turned(false);
  }

  /** Follows what is asked for: another camera takes the place of the one that is on. */
  follow() {
    if (!this.#live) return;
    const facing = this.#page.settings.get("camera");
    const other = this.#live.kind === "camera" && typeof facing === "string" && facing !== this.#facing;
    if (this.#live.kind === this.wanted && !other) return;
    this.stop();
    if (other && this.wanted === "camera") this.start().catch(() => {}); // it was reported
  }

  /** Follows what counts as a sound. */
  tune() {
    this.#live?.tune?.(this.#page.settings.get("threshold"));
  }

  /** What is seen now, or was heard just now. */
  source() {
    if (this.#live) return this.#live.source();
    if (this.wanted === "microphone") throw new DeepEMDError("bad-sound", "the microphone is off: start it, or pass a sound");
    throw new DeepEMDError("bad-image", "the camera is off: start it, or pass a picture");
  }

  /**
   * Teaches what is seen or heard for as long as a button is held.
   *
   * @param {import("./element-rows.js").Row} row
   */
  hold(row) {
    this.letGo();
    this.#release = this.#live?.hold((source) => this.#on.teach(row.label, source).then(() => true, () => false));
  }

  letGo() {
    this.#release?.();
    this.#release = undefined;
  }

  /** @param {Live} live */
  async #begin(live) {
    const { view, rows, settings } = this.#page;
    view.say("");
    try {
      this.#facing = settings.get("camera");
      await live.start({ facing: this.#facing, threshold: settings.get("threshold") });
    } catch (error) {
      if (this.#live !== live) return live.stop();
      this.stop();
      throw this.#on.report(deviceError(error, live.kind));
    }
    if (this.#live !== live) return live.stop();
    view.show(live.kind);
    rows.enable(true);
    this.#on.turned(true);
    void this.#watch(live);
  }

  /**
   * Classifies picture after picture, or sound after sound; those that come meanwhile
   * are skipped.
   *
   * @param {Live} live
   */
  async #watch(live) {
    while (this.#live === live) {
      const isNew = await live.next();
      if (this.#live !== live) return;
      if (!isNew && live.kind === "microphone") this.#on.silence();
      const engines = isNew && this.#page.rows.taught ? this.#on.engine() : undefined;
      if (!engines) continue;
      try {
        const engine = await engines;
        const answer = await engine.classify(live.source(), { live: true });
        if (this.#live === live) this.#on.answer(engine, answer);
      } catch (error) {
        if (this.#live !== live) return;
        const { code } = /** @type {DeepEMDError} */ (error);
        if (!PASSING.includes(code)) this.#on.report(error);
        if (code !== "silent") await new Promise((resolve) => setTimeout(resolve, RESPITE)); // it is being restarted, most likely
      }
    }
  }
}
