// @ts-check
/**
 * The page's own networks: the usual ones for images and for sounds, and a small one for images
 * on slow devices. A measurement or the user decides between the two for images; the choice is
 * stored on the device.
 */

import { networks } from "deepemd/networks.js";

const KEY = "deepemd.network";

/** The stored choice: "small", "usual" or "". */
export function chosen() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Stores the choice for the next visit. @param {"small" | "usual"} name */
export function prefer(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Browsers without storage forget the choice.
  }
}

/** Whether there is a small network. @param {boolean} sounds */
export function offered(sounds) {
  return !sounds && "small" in networks;
}

/** The address of a network. @param {boolean} sounds @param {boolean} small */
export function address(sounds, small) {
  const { pictures, sounds: heard } = networks;
  const { url } = sounds ? heard : small && "small" in networks ? networks.small : pictures;
  return url.href;
}
