// @ts-check
/**
 * Measures how fast a model answers on this device: a separate engine learns two synthetic
 * examples and classifies a third.
 */

import { DeepEMD } from "deepemd";
import { failure } from "./database.js";
import { describe } from "./network.js";

/** Milliseconds of answers before the measurement: browsers optimize running code. */
const WARM = 400;

/** The progress once the engine runs, and once it has learned. */
const STARTED = 0.2, TAUGHT = 0.4;

/** Milliseconds of measurement, and the smallest and largest number of answers. */
const ENOUGH = 1000, LEAST = 3, MOST = 25;

/**
 * @param {Blob | ArrayBuffer} weights
 * @param {boolean} sound whether the model is for sounds
 * @param {object} options of the engine: its method and number of workers
 * @param {{ onProgress: (share: number) => void, signal: AbortSignal }} how
 * @returns {Promise<{ name: string, arch: string, bytes: number, nodes: number, pixels: number, perSecond: number }>}
 */
export async function measure(weights, sound, options, { onProgress, signal }) {
  const facts = await describe(new Blob([weights]));
  const thing = sound ? noise : picture;
  onProgress(0);
  const engine = await DeepEMD.create({ ...options, sound, weights, signal });
  try {
    onProgress(STARTED);
    for (const seed of [1, 2]) await engine.addExample(await engine.addClass(String(seed)), thing(seed), { signal });
    onProgress(TAUGHT);
    const ask = async () => {
      const { scores, ms } = await engine.classify(thing(3), { signal });
      if (!scores.every(({ score }) => Number.isFinite(score))) throw failure("bad-weights", "its answers are not numbers");
      return ms;
    };
    for (let warm = 0; warm < WARM; ) warm += await ask();
    const took = [];
    let sum = 0;
    while (took.length < LEAST || (took.length < MOST && sum < ENOUGH) || sum === 0) {
      const ms = await ask();
      took.push(ms);
      sum += ms;
      const share = Math.min(Math.max(sum / ENOUGH, took.length / MOST), took.length / LEAST, 1);
      onProgress(TAUGHT + (1 - TAUGHT) * share);
    }
    const { name, nodes, inputSize } = engine.info;
    return { ...facts, name: name || facts.name, nodes, pixels: inputSize, perSecond: 1000 / (median(took) || sum / took.length) }; // a coarse clock says 0 for most answers
  } finally {
    engine.dispose();
  }
}

/** @param {number[]} values */
function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** A synthetic image. @param {number} seed */
function picture(seed) {
  const side = 128, next = random(seed);
  return { width: side, height: side, data: Uint8Array.from({ length: 3 * side * side }, () => next() * 256) };
}

/** A second of synthetic sound. @param {number} seed */
function noise(seed) {
  const rate = 16_000, next = random(seed);
  return { samples: Float32Array.from({ length: rate }, () => next() - 0.5), rate };
}

/**
 * Reproducible random numbers from 0 to 1.
 *
 * @param {number} seed
 */
function random(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
