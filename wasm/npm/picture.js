// @ts-check
/**
 * Converts everything that shows an image to messages for the worker. Only a page can do this
 * part of the work.
 *
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 */

import { kindOf, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { samplesOf } from "./sound.js";

/** Releases nothing: the image belongs to the caller. */
export function keep() {}

/**
 * Converts a source for the worker. release frees temporary images.
 *
 * @param {Source} source
 * @returns {Promise<{ picture: Picture, release: () => void }>}
 */
export async function pack(source) {
  // Not instanceof: images may come from another frame, and
  // not every browser has every type.
  const kind = kindOf(source);
  const any = /** @type {any} */ (source);
  switch (kind) {
    case "Blob":
    case "File":
      // Some workers get the file without its name.
      return { picture: { file: await readable(any), ...(any.name && { name: String(any.name) }) }, release: keep };
    case "ArrayBuffer":
    case "Uint8Array":
      if (!any.byteLength) throw badImage("the file is empty: was its memory handed on (transferred) before?");
      return { picture: { file: await readable(new Blob([any])) }, release: keep };
    case "HTMLVideoElement":
      if (any.readyState < 2 || !any.videoWidth) throw badImage('the video shows no picture yet: wait for its "playing" event');
      return frame(await grabVideo(any));
    case "HTMLImageElement":
      await any.decode().catch(() => {
        const address = shorten(any.currentSrc || any.src);
        throw badImage(address ? `the image ${address} could not be loaded: is the address right?` : "the image has no source: set its src");
      });
      return frame(await grab(any));
    case "HTMLCanvasElement":
    case "OffscreenCanvas":
      if (!any.width || !any.height) throw badImage("the canvas has no area: set its width and height");
      return frame(await grab(any));
    case "ImageBitmap":
      if (!any.width) throw badImage("the ImageBitmap was closed or handed on before it was used");
      return typeof OffscreenCanvas === "function" ? { picture: { frame: any }, release: keep } : readHere(any);
    case "VideoFrame":
      if (!any.codedWidth) throw badImage("the VideoFrame was closed or handed on before it was used");
      return frame(any.clone());
  }
  const sound = samplesOf(any);
  if (sound) return { picture: sound, release: keep };
  const { samples, rate, width, height, data } = any ?? {};
  if (samples !== undefined) {
    throw new DeepEMDError("bad-sound", `a sound has samples ${shown(samples)} and sample rate ${shown(rate)}: want a Float32Array and a number of samples per second above 0`);
  }
  if (width !== undefined && height !== undefined && data !== undefined) {
    return { picture: { width, height, data: rows(width, height, data) }, release: keep };
  }
  throw badImage(`${shown(any)} is not a picture: pass an address, File, Blob, image, video, canvas, ImageBitmap, VideoFrame, ImageData or {width, height, data}; or for sounds an AudioBuffer or {samples, rate}`);
}

/**
 * A file that a worker can read. In WebKit, workers of pages without an origin (such as pages
 * from a disk) cannot read the page's files, so they get the bytes.
 *
 * @param {Blob} file
 * @returns {Promise<Blob | ArrayBuffer>}
 */
async function readable(file) {
  if (globalThis.origin !== "null") return file;
  // The worker reports unreadable files.
  return file.arrayBuffer().catch(() => file);
}

/**
 * The bytes of an image's rows.
 *
 * @param {unknown} width
 * @param {unknown} height
 * @param {unknown} data
 */
function rows(width, height, data) {
  for (const [name, side] of Object.entries({ width, height })) {
    if (!Number.isSafeInteger(side) || Number(side) < 1) throw badImage(`the ${name} is ${shown(side)}: want a whole number of pixels above 0`);
  }
  const kind = kindOf(data);
  if (kind !== "Uint8Array" && kind !== "Uint8ClampedArray") {
    throw badImage(`the data is ${shown(data)}: want a Uint8Array or Uint8ClampedArray of RGB or RGBA, 0 to 255`);
  }
  const { buffer, byteOffset, length } = /** @type {Uint8Array} */ (data);
  const pixels = Number(width) * Number(height);
  if (length === 0 && buffer.byteLength === 0) throw badImage("the data is empty: was its memory handed on (transferred) before?");
  if (length !== 3 * pixels && length !== 4 * pixels) {
    throw badImage(`the data has ${length} bytes: a picture of ${width}×${height} pixels has ${3 * pixels} of RGB or ${4 * pixels} of RGBA`);
  }
  return new Uint8Array(buffer, byteOffset, length);
}

/**
 * @param {ImageBitmap | VideoFrame} made
 * @returns {{ picture: Picture, release: () => void }}
 */
function frame(made) {
  if (typeof OffscreenCanvas === "function") return { picture: { frame: made }, release: () => made.close() };
  try {
    return readHere(made);
  } finally {
    made.close();
  }
}

/**
 * Reads a frame's pixels on the page, for browsers whose workers cannot.
 *
 * @param {ImageBitmap | VideoFrame} image
 */
function readHere(image) {
  const width = "displayWidth" in image ? image.displayWidth : image.width;
  const height = "displayHeight" in image ? image.displayHeight : image.height;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (!context) throw new DeepEMDError("unsupported", "this browser gives no canvas to read pixels with");
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.drawImage(/** @type {CanvasImageSource} */ (image), 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { picture: { width, height, data: new Uint8Array(data.buffer) }, release: keep };
}

/** @param {HTMLVideoElement} video */
async function grabVideo(video) {
  if (typeof VideoFrame === "function") {
    try {
      return new VideoFrame(video);
    } catch {
      // Some streams do not support this; use a bitmap.
    }
  }
  return grab(video);
}

/** @param {ImageBitmapSource} source */
async function grab(source) {
  try {
    return await createImageBitmap(source);
  } catch (error) {
    throw badImage(`the picture could not be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} message */
function badImage(message) {
  return new DeepEMDError("bad-image", message);
}

/** @param {string} address */
function shorten(address) {
  return address.length > 100 ? `${address.slice(0, 97)}…` : address;
}
