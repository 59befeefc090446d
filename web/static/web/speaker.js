// @ts-check
/** Plays sounds, one at a time. */

import { encodeWAV } from "./wav.js";

/** The sample rate of examples, in hertz. */
const RATE = 16_000;

/** The latest sound. @type {HTMLAudioElement | undefined} */
let playing;

/** The number of calls. */
let calls = 0;

/**
 * Plays a sound, and stops the previous one.
 *
 * @param {Float32Array | Blob | { blob: () => Promise<Blob> }} sound the samples of an example, or a file
 */
export async function play(sound) {
  const call = ++calls;
  const source = sound instanceof Float32Array ? new Blob([encodeWAV(sound, RATE)], { type: "audio/wav" }) : sound;
  const file = source instanceof Blob ? source : await source.blob();
  if (call !== calls) return; // a later file was unpacked before
  if (playing) {
    playing.pause();
    URL.revokeObjectURL(playing.src);
  }
  playing = new Audio(URL.createObjectURL(file));
  await playing.play();
}
