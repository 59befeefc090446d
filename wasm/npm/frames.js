// @ts-check
/**
 * Pictures and sounds as the engine takes them: files as their bytes, frames as
 * pixels.
 *
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 */

import { Failure } from "./reply.js";
import { refusal } from "./sound.js";

/**
 * Frames of a video are drawn no larger than this many times the network's input: from
 * there the engine's exact resizing takes over, at a price for each pixel.
 */
const OVERSAMPLING = 4;

/** The side of the largest square that is drawn: some browsers have no larger canvas. */
const LARGEST = 4096;

/** @type {OffscreenCanvasRenderingContext2D | undefined} */
let canvas;

/**
 * What the engine takes: an encoded file (JPEG, PNG, WebP) as its bytes, or
 * RGB or RGBA pixels with their size; of sounds, a file (MP3, WAV) as its bytes, or
 * samples with their rate.
 *
 * @param {Picture} picture
 * @param {{ sound: boolean, inputSize: number }} engine whether it hears, and the side of the network's input
 * @returns {Promise<{ data: Uint8Array, width: number, height: number } | import("./deepemd.d.ts").Sound>}
 */
export async function pixels(picture, { sound, inputSize }) {
  if ("samples" in picture) {
    if (sound) return picture;
    throw new Failure("bad-sound", "this engine sees and does not hear: make one with DeepEMD.create({ sound: true })");
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
  if (refused) throw new Failure("bad-sound", refused);
  let data;
  try {
    // Bytes come from pages whose workers read no file: see picture.js.
    data = new Uint8Array(file instanceof Blob ? await file.arrayBuffer() : file);
  } catch (error) {
    throw new Failure(sound ? "bad-sound" : "bad-image", `${called} could not be read (${error}): was it moved or changed?`);
  }
  if (sound || decodedByEngine(data)) return { data, width: 0, height: 0 };
  // Other kinds of picture are left to the browser.
  let bitmap;
  try {
    bitmap = await createImageBitmap(file instanceof Blob ? file : new Blob([file]));
  } catch {
    throw new Failure("bad-image", `${called} is not a picture that can be read: use JPEG, PNG or WebP`);
  }
  try {
    return draw(bitmap, LARGEST);
  } finally {
    bitmap.close();
  }
}

/**
 * Whether the file begins as a JPEG, PNG or WebP does, whatever its name says.
 *
 * @param {Uint8Array} data
 */
function decodedByEngine(data) {
  const starts = (/** @type {string} */ text, at = 0) => Array.from(text).every((c, i) => data[at + i] === c.charCodeAt(0));
  return starts("\xff\xd8\xff") || starts("\x89PNG\r\n\x1a\n") || (starts("RIFF") && starts("WEBP", 8));
}

/**
 * The pixels of a frame's central square, all that the network looks at.
 *
 * @param {ImageBitmap | VideoFrame} frame
 * @param {number} most side in pixels
 */
function draw(frame, most) {
  const width = "displayWidth" in frame ? frame.displayWidth : frame.width;
  const height = "displayHeight" in frame ? frame.displayHeight : frame.height;
  const square = Math.min(width, height);
  if (!square) throw new Failure("bad-image", "the frame is empty: it was closed before it was used");
  const side = Math.min(square, most);
  if (canvas?.canvas.width !== side) {
    canvas = new OffscreenCanvas(side, side).getContext("2d", { alpha: false, willReadFrequently: true }) ?? undefined;
    if (!canvas) throw new Failure("unsupported", "this browser gives its workers no canvas to read pixels with");
    canvas.imageSmoothingQuality = "medium";
    canvas.fillStyle = "white";
  }
  const left = central(width - square);
  const top = central(height - square);
  canvas.fillRect(0, 0, side, side); // behind what is transparent
  canvas.drawImage(/** @type {CanvasImageSource} */ (frame), left, top, square, square, 0, 0, side, side);
  const { data } = canvas.getImageData(0, 0, side, side);
  return { data: new Uint8Array(data.buffer), width: side, height: side };
}

/**
 * Where a centred crop starts: half of what is spare, rounded as core/imaging
 * does, half to even.
 *
 * @param {number} spare
 */
function central(spare) {
  return (spare + ((spare >> 1) & 1)) >> 1;
}
