// @ts-check
/** Plays the sounds of examples. */

/** The current sound. @type {AudioBufferSourceNode | undefined} */
let playing;

/** @type {AudioContext | undefined} */
let speaker;

/**
 * Plays a second at 16 kHz.
 *
 * @param {Float32Array} second
 */
export async function play(second) {
  speaker ??= new AudioContext();
  await speaker.resume();
  playing?.stop();
  const buffer = new AudioBuffer({ length: second.length, sampleRate: 16000 });
  buffer.copyToChannel(new Float32Array(second), 0);
  playing = new AudioBufferSourceNode(speaker, { buffer });
  playing.connect(speaker.destination);
  playing.start();
}
