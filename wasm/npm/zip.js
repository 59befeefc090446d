// @ts-check
/**
 * Reads and writes the ZIP archives of project files. Entries are written uncompressed; deflated
 * entries of other programs can be read. Content stays in Blobs, and long work yields to the page.
 *
 * Why no library: this and png.js are 2.2 kB together (minified, brotli). fflate 0.8.3 takes
 * 6.6 kB, needs the complete archive in memory (a 267 MB archive costs Chromium 490 MB with
 * fflate, 440 MB with this) and checks no CRC; client-zip 2.5.1 with unzipit 2.1.1 takes 6.9 kB and
 * checks none either; zip.js 2.24.0 does everything, but takes 44 kB.
 */

import { crc32 } from "./crc32.js";

/** Milliseconds of work before the page gets a turn. */
const TURN = 8;

/** The largest 32-bit offset or size. ZIP64 has 64-bit fields for larger ones, and for counts over 16 bits. */
const LIMIT = 2 ** 32 - 1;
const MOST = 2 ** 16 - 1;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_SIZE = 22;
const END64 = 0x06064b50;
const END64_SIZE = 56;
const LOCATOR = 0x07064b50;
const LOCATOR_SIZE = 20;

/** The ZIP version with ZIP64, and the extra field of its entries. */
const VERSION64 = 45;
const EXTRA64 = 1;

/** The flag of UTF-8 names. */
const UTF8 = 0x0800;

/**
 * The letters of code page 850 from 0x80. Windows writes names without the UTF-8 flag in it: "\x84pfel" is "äpfel".
 * The page's later characters are not letters, except the last of these.
 */
const LETTERS = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑ";
const SHARP_S = 0xe1;

/** 1 January 1980. A fixed date makes the file of a project reproducible. */
const DATE = 0x21;

/**
 * Decodes an entry's name: UTF-8, or the code page of Windows.
 *
 * @param {Uint8Array} bytes
 */
function nameOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (b) => (b < 0x80 ? String.fromCharCode(b) : b === SHARP_S ? "ß" : (LETTERS[b - 0x80] ?? "_"))).join("");
  }
}

/** Yields to the page after every {@link TURN} milliseconds. */
export class Breather {
  #since = performance.now();

  async breathe() {
    if (performance.now() - this.#since < TURN) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#since = performance.now();
  }
}

/** Writes an archive. */
export class ZipWriter {
  /** @type {BlobPart[]} */ #parts = [];
  /** @type {BlobPart[]} */ #directory = [];
  #offset = 0;
  #directorySize = 0;
  #count = 0;
  #breather = new Breather();

  /**
   * Adds an entry that consists of the given parts.
   *
   * @param {string} name
   * @param {Iterable<Uint8Array>} parts
   */
  async add(name, parts) {
    const written = /** @type {BlobPart[]} */ ([]);
    let crc = 0;
    let size = 0;
    for (const part of parts) {
      crc = crc32(part, crc);
      size += part.byteLength;
      written.push(/** @type {Uint8Array<ArrayBuffer>} */ (part));
      await this.#breather.breathe();
    }
    const path = new TextEncoder().encode(name);
    const offset = this.#offset;
    const large = size >= LIMIT ? [size, size] : [];
    const extra = extra64(large);
    const header = record(30, LOCAL);
    describe(header, 4, crc, size, path.length, extra.length);
    const more = extra64([...large, ...(offset >= LIMIT ? [offset] : [])]);
    const central = record(46, CENTRAL);
    central.setUint16(4, large.length ? VERSION64 : 20, true);
    describe(central, 6, crc, size, path.length, more.length);
    central.setUint32(42, Math.min(offset, LIMIT), true);
    this.#parts.push(header, path, extra, ...written);
    this.#offset += 30 + path.length + extra.length + size;
    this.#directory.push(central, path, more);
    this.#directorySize += 46 + path.length + more.length;
    this.#count++;
  }

  /**
   * Ends the archive.
   *
   * @param {string} type of the Blob
   */
  finish(type) {
    const end = record(END_SIZE, END);
    const count = Math.min(this.#count, MOST);
    end.setUint16(8, count, true);
    end.setUint16(10, count, true);
    end.setUint32(12, Math.min(this.#directorySize, LIMIT), true);
    end.setUint32(16, Math.min(this.#offset, LIMIT), true);
    const long = this.#count >= MOST || this.#offset >= LIMIT;
    return new Blob([...this.#parts, ...this.#directory, ...(long ? this.#end64() : []), end], { type });
  }

  /** Writes the ZIP64 end record and its locator, before the end record. */
  #end64() {
    const end = record(END64_SIZE, END64);
    end.setBigUint64(4, BigInt(END64_SIZE - 12), true);
    end.setUint16(12, VERSION64, true);
    end.setUint16(14, VERSION64, true);
    end.setBigUint64(24, BigInt(this.#count), true);
    end.setBigUint64(32, BigInt(this.#count), true);
    end.setBigUint64(40, BigInt(this.#directorySize), true);
    end.setBigUint64(48, BigInt(this.#offset), true);
    const locator = record(LOCATOR_SIZE, LOCATOR);
    locator.setBigUint64(8, BigInt(this.#offset + this.#directorySize), true);
    locator.setUint32(16, 1, true); // disks
    return [end, locator];
  }
}

/**
 * @param {number} size
 * @param {number} signature
 */
function record(size, signature) {
  const view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, signature, true);
  return view;
}

/**
 * The ZIP64 extra field with the numbers that exceed 32 bits; empty if there are none.
 *
 * @param {number[]} values
 */
function extra64(values) {
  const view = new DataView(new ArrayBuffer(values.length && 4 + 8 * values.length));
  if (values.length) {
    view.setUint16(0, EXTRA64, true);
    view.setUint16(2, 8 * values.length, true);
  }
  values.forEach((v, i) => view.setBigUint64(4 + 8 * i, BigInt(v), true));
  return new Uint8Array(view.buffer);
}

/**
 * Fills in the fields that local headers and directory records share, starting at the version.
 *
 * @param {DataView} view
 * @param {number} at
 * @param {number} crc
 * @param {number} size
 * @param {number} nameLength
 * @param {number} extraLength
 */
function describe(view, at, crc, size, nameLength, extraLength) {
  view.setUint16(at, size >= LIMIT ? VERSION64 : 20, true);
  view.setUint16(at + 2, UTF8, true);
  view.setUint16(at + 8, DATE, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, Math.min(size, LIMIT), true);
  view.setUint32(at + 18, Math.min(size, LIMIT), true);
  view.setUint16(at + 22, nameLength, true);
  view.setUint16(at + 24, extraLength, true);
}

/** Reports an unusable archive. */
export class BadArchive extends Error {}

/** The maximum expansion factor of deflate. */
const MAX_DEFLATE = 1032;

/** Limits of the unpacked size, fixed and per byte of the archive, as in core/project/archive. */
const FREE_BYTES = 1 << 26;
const BYTES_PER_BYTE = 32;

/** Bytes per read. */
const BLOCK = 1 << 22;

/**
 * Reads an archive in blocks. Entries follow each other, and each read of a file is slow,
 * however few bytes it reads.
 */
class Blocks {
  #from = 0;
  #block = new Uint8Array(0);

  /** @param {Blob} archive */
  constructor(archive) {
    this.archive = archive;
  }

  /**
   * @param {number} from
   * @param {number} size up to BLOCK
   * @returns {Promise<Uint8Array<ArrayBuffer>>} fewer bytes at the archive's end
   */
  async bytes(from, size) {
    if (from < this.#from || from + size > this.#from + this.#block.length) {
      const block = new Uint8Array(await this.archive.slice(from, from + BLOCK).arrayBuffer());
      this.#block = block;
      this.#from = from;
    }
    return this.#block.subarray(from - this.#from, from - this.#from + size);
  }
}

/** An entry of an archive that is being read. */
class Entry {
  /** @type {Promise<Blob> | undefined} */ #content;
  /** The offset of uncompressed content. @type {number | undefined} */ #stored;

  /**
   * @param {Blocks} blocks
   * @param {{ name: string, method: number, crc: number, packed: number, size: number, offset: number }} facts
   */
  constructor(blocks, facts) {
    this.blocks = blocks;
    this.facts = facts;
    this.name = facts.name;
    this.size = facts.size;
  }

  /** The content, without reading it. Its checksum is not verified: see check. */
  blob() {
    return (this.#content ??= this.#open());
  }

  /** @returns {Promise<Uint8Array<ArrayBuffer>>} the content */
  async bytes() {
    return new Uint8Array(await (await this.blob()).arrayBuffer());
  }

  /**
   * Reads the content and verifies its checksum.
   *
   * @param {Breather} breather
   * @returns {Promise<Uint8Array>} its first 32 bytes, or fewer
   */
  async check(breather) {
    const content = await this.blob();
    let crc = 0;
    let head = new Uint8Array(0);
    for (let at = 0; at < content.size; at += BLOCK) {
      const size = Math.min(BLOCK, content.size - at);
      const bytes = this.#stored === undefined ? new Uint8Array(await content.slice(at, at + size).arrayBuffer()) : await this.blocks.bytes(this.#stored + at, size);
      if (at === 0) head = bytes.slice(0, 32);
      crc = crc32(bytes, crc);
      await breather.breathe();
    }
    if (content.size !== this.size || crc !== this.facts.crc) throw new BadArchive(`"${this.name}" is damaged: its checksum is wrong`);
    return head;
  }

  async #open() {
    const { offset, packed, method, name } = this.facts;
    const read = await this.blocks.bytes(offset, 30);
    const header = new DataView(read.buffer, read.byteOffset, read.byteLength);
    if (header.byteLength < 30 || header.getUint32(0, true) !== LOCAL) throw new BadArchive(`"${name}" is not where it should be`);
    const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
    const content = this.blocks.archive.slice(start, start + packed);
    if (content.size !== packed) throw new BadArchive(`"${name}" is cut off`);
    if (method === 0) {
      this.#stored = start;
      return content;
    }
    if (method !== 8 || typeof DecompressionStream !== "function") throw new BadArchive(`"${name}" has an unsupported compression method`);
    // Stop at the size in the directory, even if the stream continues.
    const reader = content.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    for (let left = this.size; ; ) {
      const { done, value } = await reader.read().catch(() => {
        throw new BadArchive(`"${name}" cannot be unpacked`);
      });
      if (done) return new Blob(parts);
      if ((left -= value.length) < 0) throw new BadArchive(`"${name}" is larger than it says`);
      parts.push(value);
    }
  }
}

/**
 * Reads a 64-bit number. Numbers in an archive are small enough to be exact.
 *
 * @param {DataView} view
 * @param {number} at
 */
function long(view, at) {
  return Number(view.getBigUint64(at, true));
}

/**
 * The entry's size, packed size and offset: each from its directory field or, if that is full, from
 * the ZIP64 extra field.
 *
 * @param {DataView} directory
 * @param {number} p offset of the entry's record
 * @param {number} extra offset of its extra fields
 */
function lengths(directory, p, extra) {
  const all = { size: directory.getUint32(p + 24, true), packed: directory.getUint32(p + 20, true), offset: directory.getUint32(p + 42, true) };
  const end = extra + directory.getUint16(p + 30, true);
  for (let at = extra; at + 4 <= end; at += 4 + directory.getUint16(at + 2, true)) {
    if (directory.getUint16(at, true) !== EXTRA64) continue;
    const last = Math.min(end, at + 4 + directory.getUint16(at + 2, true));
    at += 4;
    for (const key of /** @type {const} */ (["size", "packed", "offset"])) {
      if (all[key] !== LIMIT || at + 8 > last) continue;
      all[key] = long(directory, at);
      at += 8;
    }
    break;
  }
  return all;
}

/**
 * Reads the directory of an archive. Throws BadArchive, also for contents that are too large for the archive's size.
 *
 * @param {Blob} archive
 * @returns {Promise<Map<string, Entry>>} the entries by name
 */
export async function readZip(archive) {
  // The end record is last, followed only by a comment of up to 64 KB.
  const from = Math.max(0, archive.size - END_SIZE - 0xffff);
  const tail = new DataView(await archive.slice(from).arrayBuffer());
  let at = tail.byteLength - END_SIZE;
  while (at >= 0 && (tail.getUint32(at, true) !== END || at + END_SIZE + tail.getUint16(at + 20, true) !== tail.byteLength)) at--;
  if (at < 0) throw new BadArchive("its end is missing");
  let count = tail.getUint16(at + 10, true);
  let size = tail.getUint32(at + 12, true);
  let offset = tail.getUint32(at + 16, true);
  if (count === MOST || size === LIMIT || offset === LIMIT) {
    const locator = new DataView(await archive.slice(Math.max(0, from + at - LOCATOR_SIZE), from + at).arrayBuffer());
    if (locator.byteLength === LOCATOR_SIZE && locator.getUint32(0, true) === LOCATOR) {
      const begin = long(locator, 8);
      const end = new DataView(await archive.slice(begin, begin + END64_SIZE).arrayBuffer());
      if (end.byteLength < END64_SIZE || end.getUint32(0, true) !== END64) throw new BadArchive("its end is missing");
      [count, size, offset] = [long(end, 32), long(end, 40), long(end, 48)];
    }
  }
  if (!(offset + size <= from + at)) throw new BadArchive("its directory is cut off");
  const directory = new DataView(await archive.slice(offset, offset + size).arrayBuffer());
  const blocks = new Blocks(archive);
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  let left = archive.size;
  for (let i = 0, p = 0; i < count; i++) {
    if (p + 46 > size || directory.getUint32(p, true) !== CENTRAL) throw new BadArchive("its directory cannot be read");
    const nameLength = directory.getUint16(p + 28, true);
    const next = p + 46 + nameLength + directory.getUint16(p + 30, true) + directory.getUint16(p + 32, true);
    if (next > size) throw new BadArchive("its directory cannot be read");
    const name = nameOf(new Uint8Array(directory.buffer, p + 46, nameLength));
    if (entries.has(name)) throw new BadArchive(`"${name}" is in it twice`);
    if (directory.getUint16(p + 8, true) & 1) throw new BadArchive(`"${name}" is encrypted`);
    const facts = {
      name,
      method: directory.getUint16(p + 10, true),
      crc: directory.getUint32(p + 16, true),
      ...lengths(directory, p, p + 46 + nameLength),
    };
    if ((left -= facts.packed) < 0) throw new BadArchive("its entries overlap: they have more bytes than the file");
    if (facts.size > MAX_DEFLATE * facts.packed) throw new BadArchive(`"${name}" claims that ${facts.packed} bytes unpack to ${facts.size}`);
    entries.set(name, new Entry(blocks, facts));
    p = next;
  }
  const unpacked = [...entries.values()].reduce((sum, { size }) => sum + size, 0);
  if (unpacked > FREE_BYTES + BYTES_PER_BYTE * archive.size) throw new BadArchive(`its ${archive.size} bytes would unpack to ${unpacked} bytes`);
  return entries;
}
