// @ts-check
/**
 * The square of a camera's image that the model sees, stored in projects: see
 * core/project/FORMAT.md, "Frame". It is cut out before the engine gets the image, so that
 * every page that opens the project shows the model the same square.
 *
 * @typedef {object} Frame
 * @property {number} zoom 1 for the whole shorter side, 2 for half of it
 * @property {number} x offset of the square's center from the image's center to the right, in shorter sides
 * @property {number} y and down
 * @property {boolean} [mirror] whether the image is shown mirrored; the model sees it unmirrored
 */

/** As in core/project. */
const MAX_ZOOM = 5;

/** The whole central square, which is the engine's default. @type {Frame} */
export const central = Object.freeze({ zoom: 1, x: 0, y: 0 });

/**
 * The frame of a project; default: the central square.
 *
 * @param {{ extensions?: Record<string, unknown> } | undefined} manifest
 * @returns {Frame}
 */
export function frameOf(manifest) {
  const { zoom, x, y, mirror } = /** @type {Record<string, unknown>} */ (manifest?.extensions?.frame ?? {});
  const number = (/** @type {unknown} */ v) => (typeof v === "number" && Number.isFinite(v) ? v : 0);
  return { zoom: number(zoom) || 1, x: number(x), y: number(y), ...(typeof mirror === "boolean" && { mirror }) };
}

/**
 * The square of a frame, in whole pixels within the image.
 *
 * @param {Frame} frame
 * @param {number} width of the image
 * @param {number} height
 */
export function square({ zoom, x, y }, width, height) {
  const short = Math.min(width, height);
  const side = Math.max(1, Math.round(short / clamp(zoom, 1, MAX_ZOOM)));
  const start = (/** @type {number} */ whole, /** @type {number} */ by) => clamp(Math.round((whole - side) / 2 + by * short), 0, whole - side);
  return { left: start(width, x), top: start(height, y), side };
}

/** A canvas for each video's square. @type {WeakMap<HTMLVideoElement, CanvasRenderingContext2D>} */
const cuts = new WeakMap();

/**
 * The source for an engine: the video if the frame is the central square, otherwise a canvas with
 * the frame's pixels, which the next call overwrites.
 *
 * @param {HTMLVideoElement} video
 * @param {Frame} frame
 * @returns {HTMLVideoElement | HTMLCanvasElement}
 */
export function cut(video, frame) {
  const { videoWidth: width, videoHeight: height } = video;
  if (isCentral(frame) || !width || !height) return video;
  let context = cuts.get(video);
  if (!context) {
    context = document.createElement("canvas").getContext("2d", { alpha: false }) ?? undefined;
    if (!context) return video;
    cuts.set(video, context);
  }
  const { left, top, side } = square(frame, width, height);
  const { canvas } = context;
  if (canvas.width !== side) canvas.width = canvas.height = side;
  context.drawImage(video, left, top, side, side, 0, 0, side, side);
  return canvas;
}

/**
 * Shows the frame's part of a video in the square element around it, which clips the rest.
 *
 * @param {HTMLVideoElement} video
 * @param {Frame} frame
 * @param {boolean} mirrored
 */
export function show(video, frame, mirrored) {
  const { videoWidth: width, videoHeight: height, style } = video;
  const names = ["position", "max-width", "object-fit", "width", "height", "left", "top"];
  if (isCentral(frame) || !width || !height) {
    for (const name of names) style.removeProperty(name);
    return;
  }
  const { left, top, side } = square(frame, width, height);
  const shares = [width, height, mirrored ? left + side - width : -left, -top];
  const values = ["absolute", "none", "fill", ...shares.map((pixels) => `${(100 * pixels) / side}%`)];
  names.forEach((name, i) => style.setProperty(name, values[i]));
}

/** @param {Frame} frame */
function isCentral({ zoom, x, y }) {
  return zoom <= 1 && x === 0 && y === 0;
}

/**
 * @param {number} v
 * @param {number} least
 * @param {number} most
 */
function clamp(v, least, most) {
  return Math.min(Math.max(v, least), most);
}
