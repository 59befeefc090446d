// @ts-check
/**
 * Runs the camera or microphone of <deep-emd>: classifies its input continuously, and teaches it
 * while a button is held.
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
 * @property {(on: boolean) => void} turned the input started or stopped
 * @property {() => Promise<DeepEMD> | undefined} engine undefined if none could be started
 * @property {(engine: DeepEMD, answer: Answer) => void} answer
 * @property {() => void} silence there was no sound for a while
 * @property {() => import("./framing.js").Frame} frame the square of the camera's image that the model sees
 * @property {(label: string, source: Source) => Promise<unknown>} teach
 * @property {(error: unknown) => unknown} report
 * @property {() => void} recover the last failure is over
 */

import { Camera, DeviceError, Ear, deviceError } from "./element-live.js";

/** Codes of temporary errors. */
const PASSING = ["empty", "bad-image", "bad-sound", "silent", "crashed", "disposed"];

/** Milliseconds until the next try after an error. */
const RESPITE = 500;

/** Milliseconds to wait for an input after a click that holds no button. */
const PATIENCE = 5000;

/** The camera or microphone of one element. */
export class Watch {
  /** @type {Live | undefined} */ #live;
  /** @type {Promise<void> | undefined} */ #started;
  /** The camera that was preferred when it was started. @type {unknown} */ #facing;
  /** The row whose button is held. @type {import("./element-rows.js").Row | undefined} */ #held;
  /** Ends its examples. @type {(() => void) | undefined} */ #release;
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

  /** Whether the input runs or starts. */
  get on() {
    return this.#live !== undefined;
  }

  /** The input that the page asks for. @returns {Live["kind"] | undefined} */
  get wanted() {
    const { settings } = this.#page;
    return settings.get("sound") ? "microphone" : settings.get("camera") ? "camera" : undefined;
  }

  /** @returns {Promise<void>} */
  start() {
    if (!this.#live || !this.#started) {
      const Kind = this.wanted === "microphone" ? Ear : Camera;
      /** @type {Live} */
      const live = new Kind(this.#page.view, () => this.#lose(live), this.#on.frame);
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

  /** @param {Live} live a camera or microphone that was taken away */
  #lose(live) {
    if (this.#live !== live) return;
    this.stop();
    this.#on.report(deviceError({ name: "NotFoundError" }, live.kind));
  }

  /** Applies changed settings: starts the requested camera in place of the running one. */
  follow() {
    if (!this.#live) return;
    const facing = this.#page.settings.get("camera");
    const other = this.#live.kind === "camera" && typeof facing === "string" && facing !== this.#facing;
    if (this.#live.kind === this.wanted && !other) return;
    this.stop();
    if (other && this.wanted === "camera") this.start().catch(() => {}); // already reported
  }

  /** Applies a changed threshold. */
  tune() {
    this.#live?.tune?.(this.#page.settings.get("threshold"));
  }

  /** The current image, or the latest sound. */
  source() {
    if (this.#live) return this.#live.source();
    if (this.wanted === "microphone") throw new DeviceError("the microphone is off: start it, or pass a sound", "microphoneOff", "bad-sound");
    throw new DeviceError("the camera is off: start it, or pass a picture", "cameraOff", "bad-image");
  }

  /**
   * Teaches the input while a button is held.
   *
   * @param {import("./element-rows.js").Row} row
   * @returns {Promise<void>} resolves at the first input, at the end, or after a while without input
   */
  hold(row) {
    this.letGo();
    return new Promise((resolve) => {
      setTimeout(resolve, PATIENCE);
      const end = this.#live?.hold((source) => {
        resolve();
        return this.#on.teach(row.label, source).then(() => true, () => false);
      });
      this.#held = row;
      this.#release = () => {
        resolve();
        end?.();
      };
    });
  }

  /** Ends the examples of a row, by default of any. */
  letGo(row = this.#held) {
    if (row !== this.#held) return;
    this.#release?.();
    this.#held = this.#release = undefined;
  }

  /** @param {Live} live */
  async #begin(live) {
    const { view, rows, settings } = this.#page;
    this.#on.recover();
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
   * Classifies one image or sound after the other; skips input that arrives during an answer.
   *
   * @param {Live} live
   */
  async #watch(live) {
    let failed = false;
    while (this.#live === live) {
      const isNew = await live.next();
      if (this.#live !== live) return;
      if (!isNew && live.kind === "microphone") this.#on.silence();
      const engines = isNew && this.#page.rows.taught ? this.#on.engine() : undefined;
      if (!engines) continue;
      try {
        const engine = await engines;
        const answer = await engine.classify(live.source(), { live: true });
        if (this.#live !== live) return;
        if (failed) this.#on.recover();
        failed = false;
        this.#on.answer(engine, answer);
      } catch (error) {
        if (this.#live !== live) return;
        const { code } = /** @type {import("./error.js").DeepEMDError} */ (error);
        if (!PASSING.includes(code)) {
          failed = true;
          this.#on.report(error);
        }
        if (code !== "silent") await new Promise((resolve) => setTimeout(resolve, RESPITE)); // the engine probably restarts
      }
    }
  }
}
