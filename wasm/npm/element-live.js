// @ts-check
/**
 * The inputs of <deep-emd>: a camera or a microphone, with the same methods.
 *
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {ReturnType<typeof import("./element-view.js").template>} View
 *
 * @typedef {object} Live
 * @property {"camera" | "microphone"} kind
 * @property {(wanted: { facing?: unknown, threshold?: number }) => Promise<void>} start resolves when there is input
 * @property {(threshold?: number) => void} [tune] changes the threshold of sounds, in dBFS
 * @property {() => void} stop
 * @property {() => Source} source the current image, or the latest sound
 * @property {() => Promise<boolean>} next resolves with true when there is new input, and with false after a while without any
 * @property {(take: (source: Source) => Promise<boolean>) => () => void} hold takes examples until one is rejected or the returned function is called
 */

import { isForbidden, keepAwake } from "./awake.js";
import { DeepEMDError } from "./error.js";
import { cut, show } from "./framing.js";
import { VideoFrames } from "./video-frames.js";

/** Milliseconds between two examples while a button is held. */
const INTERVAL = 125;

/** Milliseconds without new input that count as silence. */
const LULL = 1000;

/** The requested size of the camera's image: larger than the model's input. */
const WANTED = { width: { ideal: 640 }, height: { ideal: 480 } };

/** @implements {Live} */
export class Camera {
  /** @type {"camera"} */ kind = "camera";
  /** @type {MediaStream | undefined} */ #stream;
  /** @type {(() => void) | undefined} */ #sleep;
  #stopped = false;
  #video;
  #frames;
  #onEnded;
  #frame;

  /**
   * @param {Pick<View, "video">} view
   * @param {() => void} onEnded called if the camera is disconnected
   * @param {() => import("./framing.js").Frame} frame the square that the model sees
   */
  constructor({ video }, onEnded, frame) {
    this.#video = video;
    this.#frames = new VideoFrames(video);
    this.#onEnded = onEnded;
    this.#frame = frame;
  }

  /** @param {{ facing?: unknown }} wanted */
  async start({ facing }) {
    const video = { ...WANTED, ...(typeof facing === "string" && { facingMode: { ideal: facing } }) };
    const stream = await devices(this.kind).getUserMedia({ audio: false, video });
    this.#stream = stream;
    if (this.#stopped) return this.stop(); // the video may show the next camera
    this.#sleep = keepAwake();
    for (const track of stream.getTracks()) track.addEventListener("ended", () => this.#stream === stream && this.#onEnded());
    this.#video.srcObject = stream;
    await this.#video.play();
  }

  stop() {
    this.#stopped = true;
    // WebKitGTK may hang if a track ends while a video shows it.
    if (this.#video.srcObject === this.#stream) this.#video.srcObject = null;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = undefined;
    this.#sleep?.();
  }

  /** The image for the model; the video shows the same. */
  source() {
    const frame = this.#frame();
    const mirrored = frame.mirror === true;
    this.#video.classList.toggle("mirrored", mirrored);
    show(this.#video, frame, mirrored);
    return cut(this.#video, frame);
  }

  /** @returns {Promise<boolean>} */
  async next() {
    await this.#frames.next(LULL); // times out: a stopped camera has no frames
    return true;
  }

  /** @param {(source: Source) => Promise<boolean>} take */
  hold(take) {
    let held = true;
    const teach = async () => {
      while (held && this.#stream) {
        const begin = performance.now();
        if (!(await take(this.source()))) return;
        await new Promise((resolve) => setTimeout(resolve, INTERVAL - (performance.now() - begin)));
      }
    };
    void teach();
    return () => {
      held = false;
    };
  }
}

/** @implements {Live} */
export class Ear {
  /** @type {"microphone"} */ kind = "microphone";
  /** @type {import("./microphone.js").Microphone | undefined} */ #microphone;
  /** @type {(() => void) | undefined} */ #heard;
  #stopped = false;
  #view;
  #onEnded;

  /**
   * @param {Pick<View, "spectrum" | "level">} view
   * @param {() => void} onEnded called if the microphone is disconnected
   */
  constructor(view, onEnded) {
    this.#view = view;
    this.#onEnded = onEnded;
  }

  /** @param {{ threshold?: number }} wanted the threshold of sounds, in dBFS */
  async start({ threshold }) {
    devices(this.kind);
    const { Microphone } = await import("./microphone.js");
    if (this.#stopped) return;
    const microphone = (this.#microphone = new Microphone());
    this.tune(threshold);
    microphone.onwindow = () => this.#heard?.();
    microphone.onended = this.#onEnded;
    await microphone.start();
    if (this.#stopped) microphone.stop();
    else microphone.show(this.#view.spectrum, this.#view.level);
  }

  /** @param {number} [threshold] */
  tune(threshold) {
    const microphone = this.#microphone;
    if (microphone) microphone.threshold = threshold ?? microphone.usual;
  }

  stop() {
    this.#stopped = true;
    this.#microphone?.stop();
  }

  source() {
    if (!this.#microphone) throw new DeviceError("the microphone is not on yet: wait until start() resolves", "microphoneOff", "bad-sound");
    return this.#microphone.window();
  }

  /** @returns {Promise<boolean>} */
  next() {
    return new Promise((resolve) => {
      const silence = setTimeout(resolve, LULL, false);
      this.#heard = () => {
        clearTimeout(silence);
        resolve(true);
      };
    });
  }

  /** @param {(source: Source) => Promise<boolean>} take */
  hold(take) {
    const microphone = this.#microphone;
    if (!microphone) return () => {};
    microphone.ontake = (sound) => void take(sound);
    microphone.record();
    return () => {
      microphone.finish();
      microphone.ontake = null;
    };
  }
}

/** A camera or microphone that does not start or is off. */
export class DeviceError extends DeepEMDError {
  /**
   * @param {string} message
   * @param {string} word the name of the text for users, in element-words.js
   * @param {"unsupported" | "bad-image" | "bad-sound"} code
   */
  constructor(message, word, code = "unsupported") {
    super(code, message);
    this.word = word;
  }
}

/**
 * The browser's media devices; throws if there are none.
 *
 * @param {Live["kind"]} kind
 */
function devices(kind) {
  const { mediaDevices } = navigator;
  if (!mediaDevices) throw new DeviceError(`the browser blocks the ${kind} at this address: use https or localhost`, `${kind}Insecure`);
  return mediaDevices;
}

/**
 * Explains why a camera or microphone does not start.
 *
 * @param {unknown} error
 * @param {Live["kind"]} kind
 */
export function deviceError(error, kind) {
  const reasons = /** @type {Record<string, [string, string]>} */ ({
    NotAllowedError: isForbidden(kind)
      ? [`this page is not allowed to use the ${kind}: its iframe needs allow="${kind}", or its server a Permissions-Policy with ${kind}`, "Forbidden"]
      : [`the ${kind} is blocked: allow it in the browser's address bar, then start it again`, "Denied"],
    NotFoundError: [`no ${kind} was found: connect one, then start it again`, "Missing"],
    NotReadableError: [`the ${kind} is in use: close the program that holds it, then start it again`, "Taken"],
    ...(kind === "microphone" && { TimeoutError: ["the browser does not begin to listen: connect speakers or headphones, then start the microphone again", "Late"] }),
  });
  const { name = "" } = /** @type {Error} */ (error);
  const [message, word] = reasons[name] ?? [];
  return message ? new DeviceError(message, kind + word) : error;
}
