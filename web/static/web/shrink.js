// @ts-check
/** Scales the user's images and sounds down to store them in a project. */

import { failure } from "./database.js";
import { encodeWAV } from "./wav.js";

/** The largest accepted file in bytes. */
const MOST = 20e6;

/** The longer side of an image, in pixels. */
const SIDE = 640;

/** Smaller sounds, in bytes, stay unchanged; larger ones are cut, and so are those of a type that a project file rejects (media.js). */
const SMALL = 200_000;

/** The stored seconds of a sound, and its sample rate in hertz. */
const SECONDS = 5, RATE = 22_050;

/**
 * @param {Blob} file
 * @param {"picture" | "sound"} kind
 * @returns {Promise<Blob>} throws an error with the code "too-large" or "bad-medium"
 */
export async function shrunk(file, kind) {
  if (file.size > MOST) throw failure("too-large", `${file.size} bytes`);
  try {
    return await (kind === "picture" ? picture(file) : sound(file));
  } catch (/** @type {any} */ error) {
    throw failure("bad-medium", error?.message ?? String(error));
  }
}

/** Draws an image again, without the camera's metadata. @param {Blob} file */
async function picture(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  /** @type {Blob | null} */
  const drawn = await new Promise((resolve) => canvas.toBlob(resolve, "image/webp", 0.85)); // or PNG, if the browser cannot write WebP
  if (!drawn) throw new Error("the browser has no memory for it");
  return drawn;
}

/** @param {Blob} file */
async function sound(file) {
  const context = new OfflineAudioContext(1, SECONDS * RATE, RATE);
  const heard = await context.decodeAudioData(await file.arrayBuffer());
  if (file.size <= SMALL && /^(audio|video)\//.test(file.type)) return file.slice(0, file.size, file.type); // a Blob, not a File with a name
  const source = new AudioBufferSourceNode(context, { buffer: heard });
  source.connect(context.destination);
  source.start();
  const samples = (await context.startRendering()).getChannelData(0);
  const wav = encodeWAV(samples.subarray(0, Math.ceil(Math.min(heard.duration, SECONDS) * RATE)), RATE);
  return new Blob([wav], { type: "audio/wav" });
}
