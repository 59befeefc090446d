/** Writes ZIP archives. Photos are compressed already, so entries are stored. */

const UTF8 = 0x0800; // the flag of UTF-8 names
const DATE = 0x21; // 1 January 1980, the format's first date

/**
 * @param {{ name: string, file: Blob }[]} entries names may have folders: "cats/1.jpg"; a repeated name gets a number
 * @returns {Promise<Blob>}
 */
export async function zip(entries) {
  const parts = [], directory = [], used = new Set();
  let at = 0;
  for (const { name, file } of entries) {
    const path = new TextEncoder().encode(free(name, used)), bytes = new Uint8Array(await file.arrayBuffer());
    // The fields of both headers of an entry: version, flags, method, time, date, CRC, sizes, lengths.
    const common = [[20, 2], [UTF8, 2], [0, 2], [0, 2], [DATE, 2], [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [path.length, 2], [0, 2]];
    parts.push(record([[0x04034b50, 4], ...common]), path, file);
    directory.push(record([[0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]]), path);
    at += 30 + path.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = record([[0x06054b50, 4], [0, 2], [0, 2], [entries.length, 2], [entries.length, 2], [size, 4], [at, 4], [0, 2]]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** An unused file name: a.jpg, a (2).jpg, … Many systems ignore case. */
function free(name, used) {
  const [, stem, ending] = name.match(/^(.*?)(\.[^./]*)?$/);
  let candidate = name;
  for (let n = 2; used.has(candidate.toLowerCase()); n++) candidate = `${stem} (${n})${ending ?? ""}`;
  used.add(candidate.toLowerCase());
  return candidate;
}

/** Encodes numbers of two and four bytes, little-endian. */
function record(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}
