// @ts-check
/**
 * Detects new frames of a video.
 *
 * Browsers report frames (requestVideoFrameCallback) when they paint the page: late if painting is
 * slow, and never in WebKitGTK without a GPU. This therefore also polls the video's frame counter,
 * if the browser has one.
 */

/** Milliseconds between polls. */
const LOOK = 20;

/** The frames of one video. */
export class VideoFrames {
  #video;
  #seen = 0; // the frame counter when next() last resolved

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.#video = video;
  }

  /** The number of frames so far; 0 if the browser does not count them. */
  get #count() {
    return this.#video.getVideoPlaybackQuality?.().totalVideoFrames ?? 0;
  }

  /**
   * Resolves with true at the first frame after it last resolved, or with false after the given time
   * without one.
   *
   * @param {number} patience milliseconds
   * @returns {Promise<boolean>}
   */
  next(patience) {
    const video = this.#video;
    return new Promise((resolve) => {
      const end = (/** @type {boolean} */ another) => {
        clearInterval(looking);
        clearTimeout(late);
        callOff();
        this.#seen = this.#count;
        resolve(another);
      };
      const shown = () => end(true);
      const look = () => {
        const count = this.#count;
        if (count > 0 && count !== this.#seen) shown();
      };
      const looking = setInterval(look, LOOK);
      const late = setTimeout(end, patience, false);
      let callOff = () => {};
      if ("requestVideoFrameCallback" in video) {
        const asked = video.requestVideoFrameCallback(shown);
        callOff = () => video.cancelVideoFrameCallback(asked);
      } else {
        const asked = requestAnimationFrame(shown);
        callOff = () => cancelAnimationFrame(asked);
      }
      look(); // a frame may already be there
    });
  }
}
