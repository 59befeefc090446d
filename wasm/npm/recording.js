// @ts-check
/**
 * Decodes recordings that the engine does not. Only a page can do this.
 *
 * @typedef {import("./deepemd.d.ts").Sound} Sound
 */

import { samplesOf } from "./sound.js";

/** The beginnings of recordings that only the browser decodes, with their offsets. */
const PACKED = /** @type {const} */ ([
  ["OggS", 0],
  ["fLaC", 0],
  ["ftyp", 4], // MP4, M4A
  ["\x1a\x45\xdf\xa3", 0], // WebM
  ["\xff\xf1", 0], // AAC
  ["\xff\xf9", 0],
  ["FORM", 0], // AIFF
  ["caff", 0],
]);

/** The largest recording for the browser in bytes, more than a minute in FLAC. An hour of speech would take a gigabyte of memory. */
const MOST_PACKED = 1 << 23;

/** The sample rate of the browser's recordings in hertz. The engine's own conversion from there is the same in all browsers. */
const RATE = 48_000;

/**
 * A recording in a format that only the browser decodes; undefined for other files, and if the browser cannot decode it.
 *
 * @param {Blob | ArrayBuffer} file
 * @returns {Promise<Sound | undefined>}
 */
export async function decoded(file) {
  const blob = new Blob([file]);
  if (typeof OfflineAudioContext !== "function" || blob.size > MOST_PACKED) return undefined;
  try {
    const head = String.fromCharCode(...new Uint8Array(await blob.slice(0, 12).arrayBuffer()));
    if (!PACKED.some(([text, at]) => head.startsWith(text, at))) return undefined;
    return samplesOf(await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await blob.arrayBuffer()));
  } catch {
    return undefined; // the engine's message names the format
  }
}
