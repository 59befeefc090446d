// @ts-check
/** The camera of a shared page, and why there is none. */

/** Something of what words.js says about cameras. @typedef {"noCamera" | "deniedCamera" | "framedCamera" | "missingCamera"} Reason */

/** Why the page has no camera: which words say so. */
export class NoCamera extends Error {
  /** @param {Reason} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Opens the camera, of several the one that looks away from the person.
 *
 * @returns {Promise<MediaStream>}
 */
export async function openCamera() {
  if (forbidden()) throw new NoCamera("framedCamera");
  // Pages that lie on a disk get a camera from some browsers only.
  const media = navigator.mediaDevices;
  if (!media?.getUserMedia) throw new NoCamera("noCamera");
  try {
    return await media.getUserMedia({ video: { width: { ideal: 640 }, height: { ideal: 480 }, facingMode: { ideal: "environment" } }, audio: false });
  } catch (error) {
    throw new NoCamera(reason(/** @type {Error} */ (error).name));
  }
}

/** Whether the page around this one keeps the camera from it, as far as the browser says. */
function forbidden() {
  const { permissionsPolicy, featurePolicy } = /** @type {{ permissionsPolicy?: Policy, featurePolicy?: Policy }} */ (/** @type {unknown} */ (document));
  const policy = permissionsPolicy ?? featurePolicy;
  return framed() && policy !== undefined && !policy.allowsFeature("camera");
}

/** What browsers call a page's leave to use things. @typedef {{ allowsFeature: (name: string) => boolean }} Policy */

const framed = () => window.parent !== window;

/**
 * @param {string} name of the browser's error
 * @returns {Reason}
 */
function reason(name) {
  if (name === "NotFoundError") return "missingCamera";
  if (name !== "NotAllowedError") return "noCamera";
  // A browser that does not tell a page's policy refuses in the same words as a person.
  return framed() && !("permissionsPolicy" in document || "featurePolicy" in document) ? "framedCamera" : "deniedCamera";
}
