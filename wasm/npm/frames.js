// @ts-check
/**
 * Converts images and sounds for the engine: files to bytes, frames to pixels.
 *
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 */

import { DeepEMDError } from "./error.js";
import { refusal } from "./sound.js";

/**
 * The largest size of a video frame, in multiples of the model's input. The engine resizes it
 * exactly, at a cost per pixel.
 */
const OVERSAMPLING = 4;

/** The largest drawn square in pixels: some browsers have no larger canvas. */
const LARGEST = 4096;

/** The beginnings of recordings: WAV, MP3, FLAC, Ogg, M4A. */
const RECORDING = /^(RIFF.{4}WAVE|ID3|\xff[\xf2\xf3\xfa\xfb]|fLaC|OggS|.{4}ftypM4A)/s;

/** @type {OffscreenCanvasRenderingContext2D | undefined} */
let canvas;

/**
 * The engine's input: an encoded file (JPEG, PNG, WebP) as bytes, or RGB or RGBA pixels with their
 * size; for sounds, a file (MP3, WAV) as bytes, or samples with their rate.
 *
 * @param {Picture} picture
 * @param {{ sound: boolean, inputSize: number }} engine whether it is for sounds, and the side of the model's input
 * @returns {Promise<{ data: Uint8Array, width: number, height: number } | import("./deepemd.d.ts").Sound>}
 */
export async function pixels(picture, { sound, inputSize }) {
  if ("samples" in picture) {
    if (sound) return picture;
    throw new DeepEMDError("bad-sound", "this engine is for images, not sounds: make one with DeepEMD.create({ sound: true })");
  }
  if ("frame" in picture) {
    try {
      return draw(picture.frame, "displayWidth" in picture.frame ? OVERSAMPLING * inputSize : LARGEST);
    } finally {
      picture.frame.close();
    }
  }
  if ("data" in picture) return picture;
  const { file, name } = picture;
  const called = name ? `"${name}"` : "the file";
  const refused = sound && refusal(file, called);
  if (refused) throw new DeepEMDError("bad-sound", refused);
  let data;
  try {
    // Pages whose workers cannot read files send bytes: see picture.js.
    data = new Uint8Array(file instanceof Blob ? await file.arrayBuffer() : file);
  } catch (error) {
    throw new DeepEMDError(sound ? "bad-sound" : "bad-image", `${called} could not be read (${error}): was it moved or changed?`);
  }
  if (sound || decodedByEngine(data)) return { data, width: 0, height: 0 };
  // The browser decodes other formats.
  let bitmap;
  try {
    bitmap = await createImageBitmap(file instanceof Blob ? file : new Blob([file]));
  } catch {
    if (RECORDING.test(String.fromCharCode(...data.subarray(0, 12)))) {
      throw new DeepEMDError("bad-image", `${called} is a recording, and this engine is for images: make one for sounds with DeepEMD.create({ sound: true })`);
    }
    throw new DeepEMDError("bad-image", `${called} is not a picture that can be read: use JPEG, PNG or WebP`);
  }
  try {
    return draw(bitmap, LARGEST);
  } finally {
    bitmap.close();
  }
}

/**
 * Whether the content is JPEG, PNG or WebP, despite the file's name.
 *
 * @param {Uint8Array} data
 */
function decodedByEngine(data) {
  const starts = (/** @type {string} */ text, at = 0) => Array.from(text).every((c, i) => data[at + i] === c.charCodeAt(0));
  return starts("\xff\xd8\xff") || starts("\x89PNG\r\n\x1a\n") || (starts("RIFF") && starts("WEBP", 8));
}

/**
 * The pixels of a frame's central square, which is the model's view.
 *
 * @param {ImageBitmap | VideoFrame} frame
 * @param {number} most largest side in pixels
 */
function draw(frame, most) {
  const width = "displayWidth" in frame ? frame.displayWidth : frame.width;
  const height = "displayHeight" in frame ? frame.displayHeight : frame.height;
  const square = Math.min(width, height);
  if (!square) throw new DeepEMDError("bad-image", "the frame is empty: it was closed before it was used");
  const side = Math.min(square, most);
  if (canvas?.canvas.width !== side) {
    canvas = new OffscreenCanvas(side, side).getContext("2d", { alpha: false, willReadFrequently: true }) ?? undefined;
    if (!canvas) throw new DeepEMDError("unsupported", "this browser gives its workers no canvas to read pixels with");
    canvas.imageSmoothingQuality = "medium";
    canvas.fillStyle = "white";
  }
  const left = central(width - square);
  const top = central(height - square);
  canvas.fillRect(0, 0, side, side); // transparent pixels are blended with white
  canvas.drawImage(/** @type {CanvasImageSource} */ (frame), left, top, square, square, 0, 0, side, side);
  const { data } = canvas.getImageData(0, 0, side, side);
  return { data: new Uint8Array(data.buffer), width: side, height: side };
}

/**
 * The offset of a centered crop: half of the rest, rounded half to even as in core/imaging.
 *
 * @param {number} spare
 */
function central(spare) {
  return (spare + ((spare >> 1) & 1)) >> 1;
}
