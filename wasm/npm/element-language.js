// @ts-check
/**
 * The language of <deep-emd>: the closest `lang` attribute of the element or an ancestor.
 * Without one, it is the first of the browser's languages that has texts.
 */

import { words } from "./element-words.js";

/** @typedef {import("./element-words.js").Words} Words */

/**
 * The closest `lang` attribute; "" if there is none.
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
  /** The current texts. @type {Words} */ words = words([]);

  /**
   * @param {Element} host
   * @param {(words: Words) => void} changed called when the language changes
   */
  constructor(host, changed) {
    this.#host = host;
    this.#changed = changed;
  }

  /** Starts to follow changes of the language. */
  follow() {
    this.unfollow();
    this.#observer = new MutationObserver(() => this.look());
    /** @type {Node | undefined} */
    let root = this.#host.getRootNode();
    while (root) {
      this.#observer.observe(root, { subtree: true, attributes: true, attributeFilter: ["lang"] });
      root = root instanceof ShadowRoot ? root.host.getRootNode() : undefined;
    }
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
   * The text of an error for users.
   *
   * @param {import("./error.js").DeepEMDError & { word?: string }} error
   * @returns {string}
   */
  reason({ word = "", code }) {
    const said = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (this.words))[word];
    return typeof said === "string" ? said : (this.words.reasons[code] ?? this.words.failed);
  }
}
