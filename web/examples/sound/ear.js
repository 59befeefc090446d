/** Detects sounds of a microphone: each starts when it gets loud and ends when it is quiet again. */

/** The threshold of a sound: root mean square of a block, of full scale ±1. */
const LOUD = 0.015;
/** Seconds before a sound's loud part, of quiet that ends a sound, and of the longest sound. */
const LEAD = 0.15, PAUSE = 0.3, LONGEST = 1.2;
/** Seconds of samples to keep. */
const MEMORY = 2;

export class Ear {
  /** Called with every sound: { samples, rate }, a source of deepemd. @type {((sound: { samples: Float32Array, rate: number }) => void) | null} */
  onsound = null;
  /** The current level, 0 to 1. */
  level = 0;

  #rate = 0;
  #memory = new Float32Array(0); // a ring buffer
  #heard = 0; // total number of samples
  #begin = -1; // of the current sound, in samples
  #loud = 0; // the last loud sample

  /** Opens the microphone. Browsers require a click. */
  async start() {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false }, // filters for calls distort examples
    });
    const context = new AudioContext();
    this.#rate = context.sampleRate;
    this.#memory = new Float32Array(MEMORY * this.#rate);
    await context.audioWorklet.addModule(new URL("samples.js", import.meta.url));
    const samples = new AudioWorkletNode(context, "samples", { numberOfOutputs: 0 });
    samples.port.onmessage = ({ data }) => this.#hear(data);
    context.createMediaStreamSource(stream).connect(samples);
    await context.resume();
  }

  #hear(block) {
    let power = 0;
    for (const v of block) {
      this.#memory[this.#heard++ % this.#memory.length] = v;
      power += v * v;
    }
    const volume = Math.sqrt(power / block.length);
    this.level = Math.max(this.level * 0.96, Math.min(1, volume * 4));
    if (volume > LOUD) {
      if (this.#begin < 0) this.#begin = this.#heard - block.length;
      this.#loud = this.#heard;
    }
    const ended = this.#heard - this.#loud > PAUSE * this.#rate || this.#heard - this.#begin > LONGEST * this.#rate;
    if (this.#begin < 0 || !ended) return;
    const from = Math.max(0, this.#begin - Math.round(LEAD * this.#rate));
    this.#begin = -1;
    const sound = Float32Array.from({ length: this.#heard - from }, (_, i) => this.#memory[(from + i) % this.#memory.length]);
    this.onsound?.({ samples: sound, rate: this.#rate });
  }
}
