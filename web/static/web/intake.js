// @ts-check
/**
 * Converts files of other programs to examples, and examples to files for other programs.
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
import { encodeWAV } from "./wav.js";

/** Larger files, in bytes, are scaled down. A phone's photograph is fifty times larger. */
const LARGE = 1 << 18;

/** The shorter side of a scaled image in pixels: three times the default model's input. */
const SIDE = 336;

/** Files in progress at once. */
const LANES = 3;

/** The largest project description, in bytes. */
const MOST_TEXT = 1 << 24;

/** Files per report of progress. */
const TOLD = 8;

/**
 * Reads files as examples. Their contents stay in Blobs, not in memory.
 *
 * @param {Incoming[]} files
 * @param {(done: number, all: number) => boolean} onProgress false to stop
 * @returns {Promise<Map<string, Content>>} in the order of the files; throws an error with the code "bad-zip" for a damaged archive, and with
 *   "AbortError" when stopped
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
        if (!onProgress(done, files.length)) throw failure("AbortError", "the import was stopped");
        await breather.breathe();
      }
    }
  };
  const lanes = Array.from({ length: LANES }, lane);
  await Promise.all(lanes).catch(async (error) => {
    next = files.length; // for the other lanes
    await Promise.allSettled(lanes);
    throw error;
  });
  return new Map(files.map(({ id }, i) => [id, /** @type {Content} */ (taken[i])]));
}

/**
 * The content of a file. The checksum of an archive's entry is verified.
 *
 * @param {Source} source
 * @param {Breather} breather
 * @returns {Promise<Blob>}
 */
async function contentOf(source, breather) {
  if (source instanceof Blob) return source;
  try {
    await /** @type {any} */ (source).check?.(breather);
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
  const check = ({ size = 0 }) => {
    if (size > MOST_TEXT) throw failure("bad-zip", `a description of ${size} bytes`);
  };
  check(source); // an entry of an archive, before it is unpacked
  const blob = await contentOf(source, new Breather());
  check(blob);
  return blob.text();
}

/**
 * Scales an image down. Small files, and files that are not images, stay unchanged.
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
  const type = /\.jpe?g$/i.test(name) ? "image/jpeg" : "image/png"; // other types may be transparent
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), type, 0.92));
}

/**
 * A zip archive of examples, with a folder for each class: the largest stored version of each image,
 * and the sound itself. Examples that are not embedded keep their original file.
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
 * The exported file of an example.
 *
 * @param {Content} content
 * @returns {Promise<{ bytes: Uint8Array, ending: string }>}
 */
async function outgoing(content) {
  if (!("pixels" in content)) {
    const bytes = new Uint8Array(await content.picture.arrayBuffer());
    return { bytes, ending: endingOf(bytes) ?? content.name?.match(/\.\w{2,5}$/)?.[0].toLowerCase() ?? ".png" };
  }
  if (content.second) return { bytes: encodeWAV(content.second, RATE), ending: ".wav" };
  const { size, pixels } = content.original ?? content;
  return { bytes: encodePNG(size, size, pixels), ending: ".png" };
}

/** The first bytes of file types. @type {[string, string][]} */
const BEGINNINGS = [
  ["\xff\xd8\xff", ".jpg"],
  ["\x89PNG", ".png"],
  ["GIF8", ".gif"],
  ["BM", ".bmp"],
  ["ID3", ".mp3"],
];

/**
 * The file name extension for a content; undefined if its type is unknown.
 *
 * @param {Uint8Array} bytes
 */
function endingOf(bytes) {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith("RIFF")) return head.endsWith("WEBP") ? ".webp" : ".wav";
  return BEGINNINGS.find(([beginning]) => head.startsWith(beginning))?.[1];
}

/** The sample rate of stored sounds, in hertz. */
const RATE = 16_000;
