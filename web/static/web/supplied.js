// @ts-check
/**
 * The networks that come with the page: the usual ones for pictures and for sounds, and a
 * small one for pictures on slow devices. Which of the two for pictures a device uses is
 * found out by measuring, or chosen by the person, and kept on the device.
 */

import { networks } from "deepemd/networks.js";

const KEY = "deepemd.network";

/** What is kept: "small", "usual", or "" while nothing was found out or chosen. */
export function chosen() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Keeps which is to be used from the next visit on. @param {"small" | "usual"} name */
export function prefer(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Browsers that keep nothing for this page forget, and work.
  }
}

/** Whether there is a small one. @param {boolean} sounds */
export function offered(sounds) {
  return !sounds && "small" in networks;
}

/** Where a network lies. @param {boolean} sounds @param {boolean} small */
export function address(sounds, small) {
  const { pictures, sounds: heard } = networks;
  const { url } = sounds ? heard : small && "small" in networks ? networks.small : pictures;
  return url.href;
}
