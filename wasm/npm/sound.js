// @ts-check
/**
 * Prepares sounds for the engine, in the page and in the worker.
 *
 * @typedef {import("./deepemd.d.ts").Sound} Sound
 */

/** The largest file in bytes: larger ones are longer than a minute. */
const MAX_FILE = 1 << 26;

/** The power ratio of the loudest channel to the mean of channels above which they cancel each other: see core/sound. */
const CANCELLED = 16;

/**
 * The mean of channels, or the loudest channel if they cancel each other.
 *
 * @param {Float32Array[]} channels
 */
function mixed(channels) {
  const samples = new Float32Array(channels[0].length);
  for (const channel of channels) channel.forEach((v, i) => (samples[i] += v / channels.length));
  const power = (/** @type {Float32Array} */ channel) => {
    let sum = 0;
    let squares = 0;
    for (const v of channel) {
      sum += v;
      squares += v * v;
    }
    return squares - (sum * sum) / channel.length;
  };
  const powers = channels.map(power);
  const loudest = Math.max(...powers);
  return power(samples) * CANCELLED < loudest ? channels[powers.indexOf(loudest)].slice() : samples;
}

/**
 * The samples of an AudioBuffer or of {samples, rate}, as one channel; undefined for anything
 * else, and for an invalid rate.
 *
 * @param {any} source
 * @returns {Sound | undefined}
 */
export function samplesOf(source) {
  if (Object.prototype.toString.call(source) === "[object AudioBuffer]") {
    const { numberOfChannels, sampleRate } = source;
    return { samples: mixed(Array.from({ length: numberOfChannels }, (_, c) => source.getChannelData(c))), rate: sampleRate };
  }
  const { samples, rate } = source ?? {};
  return samples instanceof Float32Array && typeof rate === "number" && Math.round(rate) > 0 ? { samples, rate: Math.round(rate) } : undefined;
}

/**
 * Why a file is unusable, without reading it, or "".
 *
 * @param {Blob | ArrayBuffer} file
 * @param {string} name for messages
 */
export function refusal(file, name) {
  const bytes = file instanceof Blob ? file.size : file.byteLength;
  if (bytes <= MAX_FILE) return "";
  return `${name} has ${Math.round(bytes / (1 << 20))} MB, more than a minute of sound: cut out the part that counts`;
}
