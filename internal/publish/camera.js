// @ts-check
/** The camera of a shared page, and why it may be missing. */

/** The name of a text about cameras in words.js. @typedef {"noCamera" | "deniedCamera" | "framedCamera" | "missingCamera"} Reason */

/** A missing camera, with the name of the text that explains it. */
export class NoCamera extends Error {
  /** @param {Reason} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Opens the camera, preferably the rear camera.
 *
 * @returns {Promise<MediaStream>}
 */
export async function openCamera() {
  if (forbidden()) throw new NoCamera("framedCamera");
  // Only some browsers give a camera to pages from a disk.
  const media = navigator.mediaDevices;
  if (!media?.getUserMedia) throw new NoCamera("noCamera");
  try {
    return await media.getUserMedia({ video: { width: { ideal: 640 }, height: { ideal: 480 }, facingMode: { ideal: "environment" } }, audio: false });
  } catch (error) {
    throw new NoCamera(reason(/** @type {Error} */ (error).name));
  }
}

/** Whether the page around this one blocks the camera, as far as the browser says. */
function forbidden() {
  const { permissionsPolicy, featurePolicy } = /** @type {{ permissionsPolicy?: Policy, featurePolicy?: Policy }} */ (/** @type {unknown} */ (document));
  const policy = permissionsPolicy ?? featurePolicy;
  return framed() && policy !== undefined && !policy.allowsFeature("camera");
}

/** The browser's permissions policy. @typedef {{ allowsFeature: (name: string) => boolean }} Policy */

const framed = () => window.parent !== window;

/**
 * @param {string} name of the browser's error
 * @returns {Reason}
 */
function reason(name) {
  if (name === "NotFoundError") return "missingCamera";
  if (name !== "NotAllowedError") return "noCamera";
  // Without a readable policy, a block by the parent looks like a block by the user.
  return framed() && !("permissionsPolicy" in document || "featurePolicy" in document) ? "framedCamera" : "deniedCamera";
}
