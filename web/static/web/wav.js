// @ts-check
/**
 * Encodes a sound as a WAV file: one channel of 16 bits.
 *
 * @param {Float32Array} samples from -1 to 1
 * @param {number} rate in hertz
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeWAV(samples, rate) {
  const file = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (/** @type {number} */ at, /** @type {string} */ letters) => [...letters].forEach((letter, i) => file.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF");
  file.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true); // integers
  file.setUint16(22, 1, true); // one channel
  file.setUint32(24, rate, true);
  file.setUint32(28, 2 * rate, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  text(36, "data");
  file.setUint32(40, 2 * samples.length, true);
  samples.forEach((v, i) => file.setInt16(44 + 2 * i, Math.max(-1, Math.min(1, v)) * 0x7fff, true));
  return new Uint8Array(file.buffer);
}
