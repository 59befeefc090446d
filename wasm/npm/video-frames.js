// @ts-check
/**
 * When a video shows another frame.
 *
 * Browsers say so (requestVideoFrameCallback) while they paint the page: late where painting
 * is slow, and WebKitGTK not at all where no graphics processor paints. So the number of
 * frames that the video has had is looked at, too, where the browser counts them.
 */

/** Milliseconds between two looks at the number of frames. */
const LOOK = 20;

/** The frames of one video. */
export class VideoFrames {
  #video;
  #seen = 0; // frames of the video, when next() resolved last

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.#video = video;
  }

  /** How many frames there were; 0 where the browser does not count them. */
  get #count() {
    return this.#video.getVideoPlaybackQuality?.().totalVideoFrames ?? 0;
  }

  /**
   * Resolves with true once there is a frame that was not there when it last resolved, or
   * with false when there was none for so many milliseconds.
   *
   * @param {number} patience
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
      look(); // One that came meanwhile.
    });
  }
}
