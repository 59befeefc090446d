// @ts-check
/**
 * How fast a network answers on this device: an engine of its own runs it beside the one in
 * use, is taught two made-up things and asked about a third, and ends.
 */

import { DeepEMD } from "deepemd";
import { failure } from "./database.js";
import { describe } from "./network.js";

/** The browser makes code faster while it runs: answers of so many milliseconds do not count. */
const WARM = 400;

/** How much of the work is done once the engine runs, and once it has been taught. */
const STARTED = 0.2, TAUGHT = 0.4;

/** It is asked until so many milliseconds have gone, and so often at least and at most. */
const ENOUGH = 1000, LEAST = 3, MOST = 25;

/**
 * @param {Blob | ArrayBuffer} weights
 * @param {boolean} sound whether it tells sounds apart
 * @param {object} options of the engine: its method, and how many workers
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
      if (!scores.every(({ score }) => Number.isFinite(score))) throw failure("bad-weights", "its answers are no numbers");
      return ms;
    };
    for (let warm = 0; warm < WARM; ) warm += await ask();
    const took = [];
    for (let sum = 0; took.length < LEAST || (took.length < MOST && sum < ENOUGH); ) {
      const ms = await ask();
      took.push(ms);
      sum += ms;
      const share = Math.min(Math.max(sum / ENOUGH, took.length / MOST), took.length / LEAST, 1);
      onProgress(TAUGHT + (1 - TAUGHT) * share);
    }
    const { name, nodes, inputSize } = engine.info;
    return { ...facts, name: name || facts.name, nodes, pixels: inputSize, perSecond: 1000 / median(took) };
  } finally {
    engine.dispose();
  }
}

/** @param {number[]} values */
function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** A picture that nobody has seen. @param {number} seed */
function picture(seed) {
  const side = 128, next = random(seed);
  return { width: side, height: side, data: Uint8Array.from({ length: 3 * side * side }, () => next() * 256) };
}

/** A second of a sound that nobody has heard. @param {number} seed */
function noise(seed) {
  const rate = 16_000, next = random(seed);
  return { samples: Float32Array.from({ length: rate }, () => next() - 0.5), rate };
}

/**
 * Numbers from 0 to 1, the same every time.
 *
 * @param {number} seed
 */
function random(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
