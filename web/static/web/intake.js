// @ts-check
/**
 * Files of other programs on their way in, and examples on their way out as files that other
 * programs take.
 *
 * @typedef {import("./gallery.js").Content} Content
 * @typedef {import("./projects.js").Manifest} Manifest
 * @typedef {import("./folders.js").Found["source"]} Source
 *
 * @typedef Incoming A file that becomes an example.
 * @property {string} id of the example
 * @property {string} name
 * @property {Source} source
 */

import { BadArchive, Breather, ZipWriter } from "deepemd/zip.js";
import { encodePNG } from "deepemd/png.js";
import { failure } from "./database.js";

/** A file of more bytes is made smaller before it is kept: a photograph of a telephone has fifty times as many. */
const LARGE = 1 << 18;

/** The shorter side in pixels of a picture that was made smaller: four times what the network sees. */
const SIDE = 336;

/** How many files are read, and made smaller, at a time. */
const LANES = 3;

/** A description of a project has no more bytes. */
const MOST_TEXT = 1 << 24;

/** How often progress is told: after so many files. */
const TOLD = 25;

/**
 * The contents of examples that files become. Nothing of them is held in memory but where they lie.
 *
 * @param {Incoming[]} files
 * @param {(done: number, all: number) => void} onProgress
 * @returns {Promise<Map<string, Content>>} in the order of the files; throws an error of code "bad-zip" for an archive that is damaged
 */
export async function takeIn(files, onProgress) {
  const breather = new Breather();
  /** @type {(Content | undefined)[]} */
  const taken = new Array(files.length);
  let next = 0;
  let done = 0;
  const lane = async () => {
    while (next < files.length) {
      const at = next++;
      const { name, source } = files[at];
      const blob = await contentOf(source, breather);
      taken[at] = { picture: blob.size > LARGE ? await smaller(blob, name) : blob, name };
      if (++done % TOLD === 0) {
        onProgress(done, files.length);
        await breather.breathe();
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return new Map(files.map(({ id }, i) => [id, /** @type {Content} */ (taken[i])]));
}

/**
 * What a file holds. An entry of an archive is read against its checksum.
 *
 * @param {Source} source
 * @param {Breather} breather
 * @returns {Promise<Blob>}
 */
async function contentOf(source, breather) {
  if (source instanceof Blob) return source;
  try {
    await /** @type {any} */ (source).check(breather);
    return await source.blob();
  } catch (error) {
    if (error instanceof BadArchive || error instanceof DOMException) throw failure("bad-zip", error.message);
    throw error;
  }
}

/**
 * The text of a small file.
 *
 * @param {Source} source
 */
export async function textOf(source) {
  const blob = await contentOf(source, new Breather());
  if (blob.size > MOST_TEXT) throw failure("bad-zip", `a description of ${blob.size} bytes`);
  return blob.text();
}

/**
 * A picture with fewer pixels; a file that holds none, and one that is small already, stays.
 *
 * @param {Blob} file
 * @param {string} name
 * @returns {Promise<Blob>}
 */
async function smaller(file, name) {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return file;
  const { width, height } = bitmap;
  const scale = SIDE / Math.min(width, height);
  if (scale >= 1) {
    bitmap.close();
    return file;
  }
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const type = /\.jpe?g$/i.test(name) ? "image/jpeg" : "image/png"; // others may be transparent
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), type, 0.92));
}

/**
 * A zip archive of examples, in a folder for each class: what was kept of each picture at most, and
 * of a sound the sound itself. Examples that no engine has seen go out as they came.
 *
 * @param {Manifest} manifest
 * @param {string[]} folders a name for each class's folder
 * @param {Map<string, Content>} contents
 * @param {(done: number, all: number) => void} onProgress
 * @returns {Promise<Blob>}
 */
export async function folderArchive({ classes }, folders, contents, onProgress) {
  const archive = new ZipWriter();
  const all = classes.reduce((n, c) => n + c.examples.length, 0);
  let done = 0;
  for (const [at, { examples }] of classes.entries()) {
    const digits = Math.max(3, String(examples.length).length);
    for (const [i, { id }] of examples.entries()) {
      const content = contents.get(id);
      if (!content) throw failure("internal", `the example ${id} is not there`);
      const { bytes, ending } = await outgoing(content);
      await archive.add(`${folders[at]}/${String(i + 1).padStart(digits, "0")}${ending}`, [bytes]);
      if (++done % TOLD === 0) onProgress(done, all);
    }
  }
  return archive.finish("application/zip");
}

/**
 * The file that an example goes out as.
 *
 * @param {Content} content
 * @returns {Promise<{ bytes: Uint8Array, ending: string }>}
 */
async function outgoing(content) {
  if (!("pixels" in content)) {
    const bytes = new Uint8Array(await content.picture.arrayBuffer());
    return { bytes, ending: endingOf(bytes) ?? content.name?.match(/\.\w{2,5}$/)?.[0].toLowerCase() ?? ".png" };
  }
  if (content.second) return { bytes: encodeWAV(content.second), ending: ".wav" };
  const { size, pixels } = content.original ?? content;
  return { bytes: encodePNG(size, size, pixels), ending: ".png" };
}

/** How files of some kinds begin. @type {[string, string][]} */
const BEGINNINGS = [
  ["\xff\xd8\xff", ".jpg"],
  ["\x89PNG", ".png"],
  ["GIF8", ".gif"],
  ["BM", ".bmp"],
  ["ID3", ".mp3"],
];

/**
 * The ending of a name that fits a file; undefined where its beginning does not say.
 *
 * @param {Uint8Array} bytes
 */
function endingOf(bytes) {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith("RIFF")) return head.endsWith("WEBP") ? ".webp" : ".wav";
  return BEGINNINGS.find(([beginning]) => head.startsWith(beginning))?.[1];
}

/** Of the sounds that the page keeps, in hertz. */
const RATE = 16_000;

/**
 * A sound as a WAV file: one channel of 16 bits.
 *
 * @param {Float32Array} samples from -1 to 1
 * @returns {Uint8Array}
 */
function encodeWAV(samples) {
  const file = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (/** @type {number} */ at, /** @type {string} */ word) => {
    for (let i = 0; i < word.length; i++) file.setUint8(at + i, word.charCodeAt(i));
  };
  text(0, "RIFF");
  file.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, RATE, true);
  file.setUint32(28, 2 * RATE, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  text(36, "data");
  file.setUint32(40, 2 * samples.length, true);
  for (let i = 0; i < samples.length; i++) file.setInt16(44 + 2 * i, Math.max(-1, Math.min(1, samples[i])) * 0x7fff, true);
  return new Uint8Array(file.buffer);
}
