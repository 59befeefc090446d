// @ts-check
/** Why the camera or microphone of a shared page is missing. */

/** The name of a text in words.js. @typedef {"noCamera" | "deniedCamera" | "framedCamera" | "missingCamera" | "takenCamera" | "lateCamera"} Reason */

/**
 * Whether the page around this one blocks a device, as far as the browser says.
 *
 * @param {"camera" | "microphone"} device
 */
export function forbidden(device) {
  const { permissionsPolicy, featurePolicy } = /** @type {{ permissionsPolicy?: Policy, featurePolicy?: Policy }} */ (/** @type {unknown} */ (document));
  const policy = permissionsPolicy ?? featurePolicy;
  return framed() && policy !== undefined && !policy.allowsFeature(device);
}

/** The browser's permissions policy. @typedef {{ allowsFeature: (name: string) => boolean }} Policy */

const framed = () => window.parent !== window;

/**
 * Why a device did not start. Only some browsers give devices to pages from a disk.
 *
 * @param {unknown} error
 * @returns {Reason}
 */
export function reason(error) {
  const { name } = /** @type {Error} */ (error);
  if (name === "NotFoundError") return "missingCamera";
  if (name === "NotReadableError") return "takenCamera";
  if (name === "TimeoutError") return "lateCamera";
  if (name !== "NotAllowedError") return "noCamera";
  // Without a readable policy, a block by the parent looks like a block by the user.
  return framed() && !("permissionsPolicy" in document || "featurePolicy" in document) ? "framedCamera" : "deniedCamera";
}
