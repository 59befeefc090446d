// @ts-check
/**
 * Which language <deep-emd> speaks: that of what is around it, by the attribute lang of the
 * element or the nearest one above it that says so; else the first of the person's that
 * there are words in.
 */

import { words } from "./element-words.js";

/** @typedef {import("./element-words.js").Words} Words */

/**
 * The language of what an element stands in; "" where nothing says so.
 *
 * @param {Element} element
 * @returns {string}
 */
function around(element) {
  const said = element.closest("[lang]");
  if (said) return said.getAttribute("lang") ?? "";
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? around(root.host) : "";
}

/** The language of one element. */
export class Language {
  /** @type {MutationObserver | undefined} */ #observer;
  #host;
  #changed;
  /** What it says. @type {Words} */ words = words([]);

  /**
   * @param {Element} host
   * @param {(words: Words) => void} changed called when it says something else
   */
  constructor(host, changed) {
    this.#host = host;
    this.#changed = changed;
  }

  /** Begins to follow the language of what is around it. */
  follow() {
    this.#observer = new MutationObserver(() => this.look());
    this.#observer.observe(document.documentElement, { attributes: true, attributeFilter: ["lang"] });
    this.look();
  }

  unfollow() {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  /** Follows a change. */
  look() {
    if (!this.#observer) return;
    const found = words([around(this.#host), ...navigator.languages]);
    if (found === this.words) return;
    this.words = found;
    this.#changed(found);
  }

  /**
   * What an error says to people.
   *
   * @param {import("./error.js").DeepEMDError & { word?: string }} error
   * @returns {string}
   */
  reason({ word = "", code }) {
    const said = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (this.words))[word];
    return typeof said === "string" ? said : (this.words.reasons[code] ?? this.words.failed);
  }
}
