// @ts-check
/** CRC-32, the checksum of ZIP and PNG files. */

/** @type {Uint32Array[] | undefined} Tables for eight bytes at a time. */
let tables;

/**
 * Continues a CRC-32 over more bytes.
 *
 * @param {Uint8Array} bytes
 * @param {number} [before]
 */
export function crc32(bytes, before = 0) {
  tables ??= makeTables();
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  let c = ~before;
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    c ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    c =
      t7[c & 255] ^ t6[(c >>> 8) & 255] ^ t5[(c >>> 16) & 255] ^ t4[c >>> 24] ^
      t3[bytes[i + 4]] ^ t2[bytes[i + 5]] ^ t1[bytes[i + 6]] ^ t0[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) c = t0[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}

function makeTables() {
  const all = Array.from({ length: 8 }, () => new Uint32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    all[0][n] = c;
  }
  for (let k = 1; k < 8; k++) {
    for (let n = 0; n < 256; n++) all[k][n] = all[0][all[k - 1][n] & 255] ^ (all[k - 1][n] >>> 8);
  }
  return all;
}
