// @ts-check
/** Pictures of videos. */

/** The maximum number of pictures of a video. */
const MOST = 24;

/**
 * Takes pictures of a video at equal intervals, at most two per second.
 *
 * @param {Blob} file
 * @returns {Promise<Blob[]>} rejects if the browser cannot play the file
 */
export async function picturesOf(file) {
  const video = document.createElement("video");
  const next = (/** @type {string} */ event) => new Promise((resolve, reject) => {
    video.addEventListener(event, resolve, { once: true });
    video.addEventListener("error", () => reject(video.error));
    if (video.error) reject(video.error); // since the last event
  });
  video.muted = true;
  video.src = URL.createObjectURL(file);
  try {
    await next("loadeddata");
    if (!Number.isFinite(video.duration)) { // as in recordings of browsers
      video.currentTime = 1e9;
      await next("seeked");
    }
    const seconds = Math.min(video.duration, video.currentTime || Infinity);
    const count = Math.min(MOST, Math.max(1, Math.round(2 * seconds)));
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const pictures = [];
    for (let i = 0; i < count; i++) {
      video.currentTime = ((i + 0.5) / count) * seconds;
      await next("seeked");
      context.drawImage(video, 0, 0);
      pictures.push(await canvas.convertToBlob({ type: "image/jpeg", quality: 0.95 }));
    }
    return pictures;
  } finally {
    URL.revokeObjectURL(video.src);
  }
}
