// @ts-check
/**
 * The square of a camera's picture that the network sees, as a project keeps it: see
 * core/project/FORMAT.md, "Frame". It is cut out before an engine gets the picture, so
 * that every page that opens the project shows the network the same.
 *
 * @typedef {object} Frame
 * @property {number} zoom 1 for the whole shorter side, 2 for half of it
 * @property {number} x where the square's middle lies, from the picture's middle to the right, in shorter sides
 * @property {number} y and down
 * @property {boolean} [mirror] whether the picture is shown as in a mirror; the network sees it unmirrored
 */

/** As in core/project. */
const MAX_ZOOM = 5;

/** The whole central square, which engines cut out by themselves. @type {Frame} */
export const central = Object.freeze({ zoom: 1, x: 0, y: 0 });

/**
 * The frame that a project keeps; the central square where it keeps none.
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
 * The square of a frame in a picture, in whole pixels, inside the picture.
 *
 * @param {Frame} frame
 * @param {number} width of the picture
 * @param {number} height
 */
export function square({ zoom, x, y }, width, height) {
  const short = Math.min(width, height);
  const side = Math.max(1, Math.round(short / clamp(zoom, 1, MAX_ZOOM)));
  const start = (/** @type {number} */ whole, /** @type {number} */ by) => clamp(Math.round((whole - side) / 2 + by * short), 0, whole - side);
  return { left: start(width, x), top: start(height, y), side };
}

/** What is cut out is drawn here, for each video. @type {WeakMap<HTMLVideoElement, CanvasRenderingContext2D>} */
const cuts = new WeakMap();

/**
 * What an engine is to get of a video: the video itself where the frame is the central
 * square, else a canvas with the frame's pixels, which the next call draws on again.
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
 * Shows of a video what the frame holds: it fills the square element around it, which cuts
 * off the rest.
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
