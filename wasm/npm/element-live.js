// @ts-check
/**
 * What <deep-emd> looks at or listens to: a camera or a microphone, with the same
 * methods. Neither knows of classes.
 *
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {ReturnType<typeof import("./element-view.js").template>} View
 *
 * @typedef {object} Live
 * @property {"camera" | "microphone"} kind
 * @property {(wanted: { facing?: unknown, threshold?: number }) => Promise<void>} start resolves when there is something to see or hear
 * @property {(threshold?: number) => void} [tune] changes what counts as a sound, in dBFS
 * @property {() => void} stop
 * @property {() => Source} source what is seen now, or was heard just now
 * @property {() => Promise<boolean>} next resolves when there is something new, or with false when there was nothing for a while
 * @property {(take: (source: Source) => Promise<boolean>) => () => void} hold gives examples until what it returns is called, or one is refused
 */

import { DeepEMDError } from "./error.js";
import { cut, show } from "./framing.js";
import { VideoFrames } from "./video-frames.js";

/** Time between two examples while a button is held, in milliseconds. */
const INTERVAL = 125;

/** Time after which nothing new counts as silence, in milliseconds. */
const LULL = 1000;

/** The picture asked of a camera: more pixels than the network sees. */
const WANTED = { width: { ideal: 640 }, height: { ideal: 480 } };

/** @implements {Live} */
export class Camera {
  /** @type {"camera"} */ kind = "camera";
  /** @type {MediaStream | undefined} */ #stream;
  #video;
  #frames;
  #onEnded;
  #frame;

  /**
   * @param {View} view
   * @param {() => void} onEnded called when the camera is taken away
   * @param {() => import("./framing.js").Frame} frame what the network sees of its picture
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
    for (const track of stream.getTracks()) track.addEventListener("ended", () => this.#stream === stream && this.#onEnded());
    this.#video.srcObject = stream;
    await this.#video.play();
  }

  stop() {
    // WebKitGTK may stand still for ever when a track ends that a video shows: the video lets go first.
    if (this.#video.srcObject === this.#stream) this.#video.srcObject = null;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = undefined;
  }

  /** What the network is to see now, which is shown. */
  source() {
    const frame = this.#frame();
    const mirrored = frame.mirror === true;
    this.#video.classList.toggle("mirrored", mirrored);
    show(this.#video, frame, mirrored);
    return cut(this.#video, frame);
  }

  /** @returns {Promise<boolean>} */
  async next() {
    await this.#frames.next(LULL); // a camera that was switched off shows no more frames
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
   * @param {View} view
   * @param {() => void} onEnded called when the microphone is taken away
   */
  constructor(view, onEnded) {
    this.#view = view;
    this.#onEnded = onEnded;
  }

  /** @param {{ threshold?: number }} wanted what counts as a sound, in dBFS */
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
    if (!this.#microphone) throw new DeepEMDError("bad-sound", "the microphone is not on yet: wait until start() resolves");
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

/** Why a camera or microphone does not start. */
class DeviceError extends DeepEMDError {
  /**
   * @param {string} message
   * @param {string} word that says so to people, in element-words.js
   */
  constructor(message, word) {
    super("unsupported", message);
    this.word = word;
  }
}

/**
 * The browser's cameras and microphones.
 *
 * @param {Live["kind"]} kind
 */
function devices(kind) {
  const { mediaDevices } = navigator;
  if (!mediaDevices) throw new DeviceError(`the browser gives no ${kind} to this address: use https or localhost`, `${kind}Insecure`);
  return mediaDevices;
}

/**
 * Why a camera or microphone does not start, for people.
 *
 * @param {unknown} error
 * @param {Live["kind"]} kind
 */
export function deviceError(error, kind) {
  const reasons = /** @type {Record<string, [string, string]>} */ ({
    NotAllowedError: [`the ${kind} is not allowed: allow it in the browser's address bar, then start it again`, "Denied"],
    NotFoundError: [`no ${kind} was found: connect one, then start it again`, "Missing"],
    NotReadableError: [`the ${kind} is in use: close the program that holds it, then start it again`, "Taken"],
    ...(kind === "microphone" && { TimeoutError: ["the browser does not begin to listen: connect loudspeakers or headphones, then start the microphone again", "Late"] }),
  });
  const { name = "" } = /** @type {Error} */ (error);
  const [message, word] = reasons[name] ?? [];
  return message ? new DeviceError(message, kind + word) : error;
}
