// @ts-check
/**
 * Sounds on their way to the engine: what the page packs, and what the worker lets
 * through.
 *
 * @typedef {import("./deepemd.d.ts").Sound} Sound
 */

/** Files above this, in bytes, hold more than the minute that is decoded. */
export const MAX_FILE = 1 << 26;

/**
 * The samples of an AudioBuffer or of {samples, rate}, of one channel; undefined for
 * anything else.
 *
 * @param {any} source
 * @returns {Sound | undefined}
 */
export function samplesOf(source) {
  if (Object.prototype.toString.call(source) === "[object AudioBuffer]") {
    const { numberOfChannels, length, sampleRate } = source;
    const samples = new Float32Array(length);
    for (let c = 0; c < numberOfChannels; c++) {
      const channel = source.getChannelData(c);
      for (let i = 0; i < length; i++) samples[i] += channel[i] / numberOfChannels;
    }
    return { samples, rate: sampleRate };
  }
  const { samples, rate } = source ?? {};
  return samples instanceof Float32Array && typeof rate === "number" ? { samples, rate: Math.round(rate) } : undefined;
}

/**
 * What is wrong with a file before it is read, or "".
 *
 * @param {Blob | ArrayBuffer} file
 * @param {string} name for people
 */
export function refusal(file, name) {
  const bytes = file instanceof Blob ? file.size : file.byteLength;
  if (bytes <= MAX_FILE) return "";
  return `${name} has ${Math.round(bytes / (1 << 20))} MB, more than a minute of sound: cut out the part that counts`;
}
