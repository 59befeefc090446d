// @ts-check
/**
 * The page's sounds, each made of a few tones, and the user's own sounds. One plays at a
 * time.
 *
 * @typedef Note
 * @property {number} hertz
 * @property {number} [to] hertz at its end
 * @property {number} at seconds after the start
 * @property {number} lasts seconds
 * @property {OscillatorType} [wave] default "sine"
 * @property {number} [loud] default 1
 */

/** @type {Record<string, Note[]>} by the names in web/internal/feature/actions/effects.go, and of the beeps of a recording */
const TONES = {
  bell: [
    { hertz: 880, at: 0, lasts: 1.4 },
    { hertz: 1760, at: 0, lasts: 0.8, loud: 0.4 },
    { hertz: 2640, at: 0, lasts: 0.4, loud: 0.2 },
  ],
  rise: [
    { hertz: 523, at: 0, lasts: 0.25, wave: "triangle" },
    { hertz: 784, at: 0.14, lasts: 0.45, wave: "triangle" },
  ],
  fall: [
    { hertz: 659, at: 0, lasts: 0.25, wave: "triangle" },
    { hertz: 392, at: 0.16, lasts: 0.5, wave: "triangle" },
  ],
  drum: [
    { hertz: 160, to: 45, at: 0, lasts: 0.35 },
    { hertz: 90, to: 40, at: 0, lasts: 0.2, wave: "triangle" },
  ],
  buzz: [{ hertz: 110, at: 0, lasts: 0.5, wave: "sawtooth", loud: 0.6 }],
  fanfare: [
    { hertz: 523, at: 0, lasts: 0.18, wave: "triangle" },
    { hertz: 659, at: 0.15, lasts: 0.18, wave: "triangle" },
    { hertz: 784, at: 0.3, lasts: 0.18, wave: "triangle" },
    { hertz: 1047, at: 0.45, lasts: 0.7, wave: "triangle" },
  ],
  start: [{ hertz: 880, at: 0, lasts: 0.18, loud: 0.7 }],
  end: [{ hertz: 523, at: 0, lasts: 0.18, loud: 0.7 }],
};

/** The peak gain of a note. */
const LOUD = 0.3;

export class Sounds {
  #medium;
  /** @type {AudioContext | undefined} */ #speaker;
  /** What a sound goes through; it is cut off when another begins. @type {GainNode | undefined} */ #out;
  /** The number of sounds so far. */ #begun = 0;
  /** @type {WeakMap<Blob, AudioBuffer>} */ #decoded = new WeakMap();

  /** @param {(id: string) => Blob | undefined} medium returns one of the user's sounds */
  constructor(medium) {
    this.#medium = medium;
  }

  /**
   * Plays a sound to its end, unless another begins before it is decoded.
   *
   * @param {string} name of a tone, or the id of a medium; others are silent
   */
  async play(name) {
    const speaker = (this.#speaker ??= new AudioContext());
    const medium = this.#medium(name);
    if (!medium && !Object.hasOwn(TONES, name)) return;
    const mine = ++this.#begun;
    await speaker.resume();
    const own = medium && (await this.#decode(speaker, medium));
    if (mine !== this.#begun) return;
    this.#out?.disconnect();
    const out = (this.#out = new GainNode(speaker));
    out.connect(speaker.destination);
    if (own) {
      const source = new AudioBufferSourceNode(speaker, { buffer: own });
      source.connect(out);
      source.start();
      return ended(own.duration);
    }
    for (const note of TONES[name]) sound(speaker, out, note);
    return ended(Math.max(...TONES[name].map(({ at, lasts }) => at + lasts)));
  }

  /**
   * @param {AudioContext} speaker
   * @param {Blob} medium
   */
  async #decode(speaker, medium) {
    const known = this.#decoded.get(medium);
    if (known) return known;
    const buffer = await speaker.decodeAudioData(await medium.arrayBuffer());
    this.#decoded.set(medium, buffer);
    return buffer;
  }
}

/** @type {Sounds | undefined} */
let beeps;

/**
 * Plays a tone of the page, beside the sounds of actions.
 *
 * @param {string} name
 */
export function beep(name) {
  return (beeps ??= new Sounds(() => undefined)).play(name);
}

/**
 * Waits for a sound of this length to end.
 *
 * @param {number} seconds
 */
async function ended(seconds) {
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}

/**
 * Plays a note with a fast attack and a slow decay.
 *
 * @param {AudioContext} speaker
 * @param {AudioNode} out
 * @param {Note} note
 */
function sound(speaker, out, { hertz, to = hertz, at, lasts, wave = "sine", loud = 1 }) {
  const from = speaker.currentTime + 0.02 + at, end = from + lasts;
  const tone = new OscillatorNode(speaker, { type: wave, frequency: hertz });
  tone.frequency.setValueAtTime(hertz, from);
  tone.frequency.exponentialRampToValueAtTime(to, end);
  const gain = new GainNode(speaker, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, from);
  gain.gain.exponentialRampToValueAtTime(LOUD * loud, from + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  tone.connect(gain).connect(out);
  tone.start(from);
  tone.stop(end);
}
