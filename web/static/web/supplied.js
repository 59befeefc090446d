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

/** The networks by name. @type {Record<string, { url: URL, sha256: string }>} */
const all = networks;

/** The address of a network. @param {boolean} sounds @param {string} name */
export function address(sounds, name) {
  return (sounds ? networks.sounds : all[name] ?? networks.pictures).url.href;
}

/** The name of the network for images with a digest; "" if the page lacks it. @param {string | undefined} digest */
export function named(digest) {
  return Object.keys(all).find((name) => name !== "sounds" && all[name].sha256 === digest) ?? "";
}

/**
 * The network that made the embeddings of stored examples; undefined if the page lacks it.
 *
 * @param {Map<string, import("./gallery.js").Content>} contents
 */
export function madeBy(contents) {
  const makers = Array.from(contents.values(), (content) => ("maker" in content ? content.maker : ""));
  const sha256 = /^\["(\w+)"/.exec(makers.find(Boolean) ?? "")?.[1];
  const supplied = named(sha256);
  return supplied ? { name: basename(all[supplied].url), sha256, supplied } : undefined;
}

/** @param {URL} url */
function basename({ pathname }) {
  return pathname.slice(pathname.lastIndexOf("/") + 1).replace(/\.safetensors$/, "");
}
