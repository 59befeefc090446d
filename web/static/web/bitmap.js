// @ts-check
/**
 * Converts images to data URLs for <img>, uncompressed. An encoder would block the page's main thread, and an object
 * URL waits for another process.
 */

/** The size of a BMP file's header. */
const HEADER = 54;

/** Bytes per conversion to characters. */
const PART = 0x8000;

/**
 * The data URL of a BMP file (24 bits per pixel) with exactly these pixels.
 *
 * @param {number} size pixels per side
 * @param {Uint8Array} pixels RGB, size·size·3
 */
export function bitmapAddress(size, pixels) {
  const row = Math.ceil((3 * size) / 4) * 4;
  const file = new Uint8Array(HEADER + row * size);
  const view = new DataView(file.buffer);
  view.setUint16(0, 0x424d); // "BM"
  view.setUint32(2, file.length, true);
  view.setUint32(10, HEADER, true);
  view.setUint32(14, 40, true); // size of the rest of the header
  view.setInt32(18, size, true);
  view.setInt32(22, -size, true); // top to bottom
  view.setUint16(26, 1, true); // planes
  view.setUint16(28, 24, true); // bits
  view.setUint32(34, row * size, true);
  for (let y = 0, from = 0; y < size; y++) {
    for (let to = HEADER + y * row, end = to + 3 * size; to < end; to += 3, from += 3) {
      file[to] = pixels[from + 2];
      file[to + 1] = pixels[from + 1];
      file[to + 2] = pixels[from];
    }
  }
  let text = "";
  for (let at = 0; at < file.length; at += PART) text += String.fromCharCode.apply(null, /** @type {any} */ (file.subarray(at, at + PART)));
  return `data:image/bmp;base64,${btoa(text)}`;
}
