// @ts-check
/**
 * Writes images as PNG files, pixel for pixel. A canvas would write smaller files, but some
 * browsers change the pixels that a canvas returns. Rows are filtered and not compressed, so that
 * compressing the file later works well.
 */

import { crc32 } from "./crc32.js";

/** The largest uncompressed block of deflate. */
const BLOCK = 0xffff;

/** PNG's filter for photographs. */
const PAETH = 4;

/**
 * Filters the rows of an image with the Paeth filter, each after the filter's number: it replaces a byte
 * by the difference from its left, upper or upper-left neighbor, the nearest in value to
 * left + upper − upper-left.
 *
 * @param {number} row bytes
 * @param {number} height
 * @param {Uint8Array} pixels
 */
function filtered(row, height, pixels) {
  const all = new Uint8Array((row + 1) * height);
  let to = 0;
  for (let from = 0; from < row * height; ) {
    all[to++] = PAETH;
    for (const end = from + row; from < end; from++) {
      const first = end - from > row - 3;
      const left = first ? 0 : pixels[from - 3];
      const up = from < row ? 0 : pixels[from - row];
      const third = first || from < row ? 0 : pixels[from - row - 3];
      const a = Math.abs(up - third);
      const b = Math.abs(left - third);
      const c = Math.abs(left + up - 2 * third);
      all[to++] = pixels[from] - (a <= b && a <= c ? left : b <= c ? up : third);
    }
  }
  return all;
}

/**
 * Encodes RGB pixels, 8 bits per channel, without compression.
 *
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} pixels RGB, width·height·3
 * @returns {Uint8Array}
 */
export function encodePNG(width, height, pixels) {
  const raw = filtered(3 * width, height, pixels);
  const blocks = Math.max(1, Math.ceil(raw.length / BLOCK));
  const data = new Uint8Array(2 + 5 * blocks + raw.length + 4);
  const view = new DataView(data.buffer);
  data.set([0x78, 0x01]);
  let at = 2;
  for (let i = 0; i < blocks; i++) {
    const part = raw.subarray(i * BLOCK, (i + 1) * BLOCK);
    data[at] = i === blocks - 1 ? 1 : 0;
    view.setUint16(at + 1, part.length, true);
    view.setUint16(at + 3, ~part.length & 0xffff, true);
    data.set(part, at + 5);
    at += 5 + part.length;
  }
  view.setUint32(at, adler32(raw));

  const header = new Uint8Array(13);
  const sides = new DataView(header.buffer);
  sides.setUint32(0, width);
  sides.setUint32(4, height);
  header.set([8, 2], 8); // bits, RGB
  const file = new Uint8Array(8 + 3 * 12 + header.length + data.length);
  file.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  let end = chunk(file, 8, "IHDR", header);
  end = chunk(file, end, "IDAT", data);
  chunk(file, end, "IEND", new Uint8Array(0));
  return file;
}

/**
 * @param {Uint8Array} file
 * @param {number} at
 * @param {string} type
 * @param {Uint8Array} data
 * @returns {number} where the next chunk goes
 */
function chunk(file, at, type, data) {
  const view = new DataView(file.buffer);
  view.setUint32(at, data.length);
  for (let i = 0; i < 4; i++) file[at + 4 + i] = type.charCodeAt(i);
  file.set(data, at + 8);
  view.setUint32(at + 8 + data.length, crc32(file.subarray(at + 4, at + 8 + data.length)));
  return at + 12 + data.length;
}

/** @param {Uint8Array} bytes */
function adler32(bytes) {
  let a = 1;
  let b = 0;
  for (let i = 0; i < bytes.length; ) {
    // The sums of 3800 bytes stay below 2³².
    for (const end = Math.min(i + 3800, bytes.length); i < end; i++) {
      a += bytes[i];
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}
