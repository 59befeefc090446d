// @ts-check
/**
 * The microphone: the latest seconds of samples, the level, and a recording of each sound above
 * the threshold. The engine in its worker turns recordings into examples.
 */

import { recorder } from "./assets.js";
import { keepAwake } from "./awake.js";

/** Seconds of samples to keep. */
const MEMORY = 4;
/** Seconds of a sound per answer: the engine uses the loudest second. */
const WINDOW = 1.25;
/** Seconds between answers. */
const STEP = 0.1;
/** Seconds from the start of a sound to the first answer, and from its end to the last. */
const ENOUGH = 0.35;
const AFTER = 0.8;
/** A sound ends after this many quiet seconds. A take ends with it, or at this length in seconds. */
const PAUSE = 0.25;
const LONGEST = 1.2;
/** The rest of a longer sound is a take only if it has this length in seconds: the end of a ring resembles any noise. */
const REST = 0.6;
/** Seconds before the first loud block that a take and a window include. */
const LEAD = 0.2;

/** Milliseconds to wait for a browser to start listening. */
const PATIENCE = 5000;

/** Cutoff of the high-pass filter in Hz: lower frequencies are a drifting offset. */
const OFFSET = 20;

/** The lowest level of the display, in dBFS. */
const FLOOR = -80;
const DEFAULT_THRESHOLD = -42;

/** @param {Float32Array} samples */
function levelOf(samples) {
  let power = 0;
  for (const v of samples) power += v * v;
  return power === 0 ? FLOOR : Math.max(FLOOR, 10 * Math.log10(power / samples.length));
}

/**
 * Resolves when the context runs. Firefox, for example, does not run one on a device without sound output,
 * and reports no error.
 *
 * @param {AudioContext} context
 */
async function running(context) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new DOMException("the browser does not begin to listen: connect speakers or headphones, then start the microphone again", "TimeoutError")), PATIENCE);
  });
  await Promise.race([context.resume(), late]).finally(() => clearTimeout(timer));
}

/** A microphone: the latest samples, and takes on request. */
export class Microphone {
  /** The address of the audio worklet, if it is not next to this module. @type {string | undefined} */ static recorder;

  /** Called when there is something new to classify. @type {(() => void) | null} */ onwindow = null;
  /** Called with each take while recording. @type {((sound: { samples: Float32Array, rate: number }) => void) | null} */ ontake = null;
  /** Called when the microphone is taken away. @type {(() => void) | null} */ onended = null;
  /** dBFS */ level = FLOOR;
  /** The threshold of sounds, in dBFS. */ threshold = DEFAULT_THRESHOLD;
  /** The default threshold. */ usual = DEFAULT_THRESHOLD;
  /** Samples per second. */ rate = 0;

  #memory = new Float32Array(0);
  #heard = 0; // total number of samples
  /** @type {AudioContext | undefined} */ #context;
  /** @type {MediaStream | undefined} */ #stream;
  /** @type {AnalyserNode | undefined} */ #analyser;
  /** @type {(() => void) | undefined} */ #sleep;
  #lastLoud = -Infinity; // as a sample number, like the next five
  #lastWindow = 0;
  #begin = 0; // of the current sound
  #onset = -1;
  #taken = -1;
  #recordingFrom = -1;

  /**
   * Opens a microphone: the given one, or the browser's default.
   *
   * @param {string} [id]
   * @returns {Promise<{ id: string, name: string }>}
   */
  async start(id) {
    this.stop();
    const stream = await navigator.mediaDevices.getUserMedia({
      // The effect of such filters on a sound depends on earlier sounds.
      audio: { ...(id && { deviceId: { exact: id } }), echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    });
    const context = new AudioContext();
    this.#stream = stream;
    this.#context = context;
    this.#sleep = keepAwake();
    this.rate = context.sampleRate;
    this.#memory = new Float32Array(Math.ceil(MEMORY * this.rate));
    this.#heard = this.#lastWindow = this.#begin = 0;
    this.#lastLoud = -Infinity;
    this.#onset = -1;
    // Cheap microphones add an offset, which is not sound.
    const source = new BiquadFilterNode(context, { type: "highpass", frequency: OFFSET });
    context.createMediaStreamSource(stream).connect(source);
    this.#analyser = new AnalyserNode(context, { fftSize: 2048, smoothingTimeConstant: 0, minDecibels: -95, maxDecibels: -25 });
    source.connect(this.#analyser);
    source.connect(await this.#recorder(context));
    try {
      await running(context);
    } catch (error) {
      if (this.#context === context) this.stop();
      throw error;
    }
    const [track] = stream.getAudioTracks();
    track.addEventListener("ended", () => this.#stream === stream && this.onended?.());
    return { id: track.getSettings().deviceId ?? "", name: track.label };
  }

  /**
   * Creates the node that collects samples: a worklet or, without worklets, a ScriptProcessorNode.
   *
   * @param {AudioContext} context
   * @returns {Promise<AudioNode>}
   */
  async #recorder(context) {
    const take = (/** @type {Float32Array} */ block) => context === this.#context && this.#add(block);
    // Pages without an origin, such as pages from a disk, cannot load worklets.
    if (context.audioWorklet && globalThis.origin !== "null") {
      try {
        await context.audioWorklet.addModule(Microphone.recorder ?? recorder.url);
        const node = new AudioWorkletNode(context, "recorder", { numberOfOutputs: 0 });
        node.port.onmessage = ({ data }) => take(data);
        return node;
      } catch {
        // Use the fallback.
      }
    }
    const node = context.createScriptProcessor(2048, 1, 1);
    node.onaudioprocess = ({ inputBuffer }) => take(new Float32Array(inputBuffer.getChannelData(0)));
    node.connect(context.destination); // otherwise the node does not run
    return node;
  }

  stop() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#context?.close();
    this.#sleep?.();
    this.#stream = this.#context = this.#analyser = undefined;
    this.level = FLOOR;
  }

  /** The microphones of this device. */
  async devices() {
    const all = await navigator.mediaDevices.enumerateDevices();
    return all.filter((d) => d.kind === "audioinput").map((d) => ({ id: d.deviceId, name: d.label }));
  }

  /** Whether there is or was just now a sound louder than the threshold. */
  get hears() {
    return this.#heard - this.#lastLoud < AFTER * this.rate;
  }

  /** The latest sound, as a source of deepemd.js. It stays whole while quiet follows: a part of a word resembles other words. */
  window() {
    return this.#since(Math.max(this.#begin - LEAD * this.rate, this.#lastLoud - WINDOW * this.rate));
  }

  /** Starts to record every sound as a take. */
  record() {
    this.#recordingFrom = this.#heard;
    this.#onset = this.#taken = -1;
  }

  /** Stops recording. The current sound becomes the last take. */
  finish() {
    if (this.#onset >= 0) this.#take();
    this.#recordingFrom = -1;
  }

  /** @param {Float32Array} block */
  #add(block) {
    const memory = this.#memory;
    const start = this.#heard;
    for (let i = 0; i < block.length; i++) memory[(start + i) % memory.length] = block[i];
    this.#heard += block.length;
    this.level = levelOf(block);
    if (this.level >= this.threshold) {
      if (start - this.#lastLoud > PAUSE * this.rate) this.#begin = start;
      this.#lastLoud = this.#heard;
      if (this.#recordingFrom >= 0 && this.#onset < 0) this.#onset = start;
    }
    const quiet = (this.#heard - this.#lastLoud) / this.rate;
    if (this.#onset >= 0 && (quiet > PAUSE || this.#heard - this.#onset > LONGEST * this.rate)) this.#take();
    const enough = this.#heard - this.#begin >= ENOUGH * this.rate;
    if (this.hears && enough && this.#heard - this.#lastWindow >= STEP * this.rate) {
      this.#lastWindow = this.#heard;
      this.onwindow?.();
    }
  }

  #take() {
    const onset = this.#onset;
    const from = Math.max(onset - LEAD * this.rate, this.#recordingFrom - LEAD * this.rate);
    this.#onset = -1;
    if (this.#begin < this.#taken && this.#lastLoud - onset < REST * this.rate) return;
    this.#taken = this.#heard;
    this.ontake?.(this.#since(from));
  }

  /** @param {number} from in samples heard */
  #since(from) {
    const memory = this.#memory;
    const first = Math.max(0, Math.round(from), this.#heard - memory.length);
    const samples = new Float32Array(Math.max(1, this.#heard - first));
    for (let i = 0; i < this.#heard - first; i++) samples[i] = memory[(first + i) % memory.length];
    return { samples, rate: this.rate };
  }

  /**
   * Draws the sound until the microphone stops: the spectrum moves to the left over the canvas,
   * with high frequencies at the top; the meter has the level in --fill.
   *
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} meter
   */
  show(canvas, meter) {
    const analyser = this.#analyser;
    const context = canvas.getContext("2d");
    if (!analyser || !context) return;
    const side = (canvas.width = canvas.height = 160);
    const bins = new Uint8Array(analyser.frequencyBinCount);
    const column = new ImageData(1, side);
    // Rows are spaced like the model's: evenly in mel, from 60 to 7600 Hz.
    const mel = (/** @type {number} */ hz) => 2595 * Math.log10(1 + hz / 700);
    const rows = Array.from({ length: side }, (_, y) => {
      const m = mel(7600) + ((mel(60) - mel(7600)) * (y + 0.5)) / side;
      return Math.round((700 * (10 ** (m / 2595) - 1) * analyser.fftSize) / this.rate);
    });
    context.fillStyle = "black";
    context.fillRect(0, 0, side, side);
    let last = performance.now();
    const step = (/** @type {number} */ now) => {
      if (analyser !== this.#analyser) return;
      requestAnimationFrame(step);
      meter.style.setProperty("--fill", String(1 - this.level / FLOOR));
      meter.classList.toggle("loud", this.level >= this.threshold);
      const moved = Math.floor(((now - last) / 1000) * (side / 2)); // the canvas shows two seconds
      if (moved < 1) return;
      last = now;
      analyser.getByteFrequencyData(bins);
      for (let y = 0; y < side; y++) {
        const v = bins[rows[y]] ?? 0;
        column.data.set([v, v, v, 255], 4 * y);
      }
      context.drawImage(canvas, -moved, 0);
      for (let x = side - moved; x < side; x++) context.putImageData(column, x, 0);
    };
    requestAnimationFrame(step);
  }
}
