// @ts-check
/**
 * The content of <deep-emd>: classes as <deep-emd-class name="cup">, and examples as <img>
 * and <audio> within them or with data-class. The content may change at any time; the
 * element forgets removed classes and examples.
 */

/** The elements that declare examples. */
const PICTURES = "img[data-class], audio[data-class], deep-emd-class img, deep-emd-class audio";
const WATCHED = { childList: true, subtree: true, attributes: true, attributeFilter: ["name", "data-class", "src", "srcset"] };

/**
 * The class and the address of an example.
 *
 * @typedef {{ label: string, src: string }} Declared
 */

/**
 * Called when the content changes.
 *
 * @typedef {object} Handlers
 * @property {(label: string) => unknown} add a class was added
 * @property {(label: string) => unknown} remove a class was removed
 * @property {(before: string, after: string) => boolean} rename a class was renamed; false if it was removed, with its examples
 * @property {() => unknown} pictures examples changed: call teach
 */

/** The content of one element. */
export class Content {
  /** @type {Map<Element, string>} Class names by their elements. */ #names = new Map();
  /** @type {Map<Element, { id: string, src: string, label: string }>} Taught examples by their elements. */ #taught = new Map();
  /** @type {Map<Element, Declared>} Declared examples by their elements. */ #declared = new Map();
  /** @type {MutationObserver | undefined} */ #observer;
  #host;
  #on;

  /**
   * @param {Element} host
   * @param {Handlers} on
   */
  constructor(host, on) {
    this.#host = host;
    this.#on = on;
  }

  /** The classes with a <deep-emd-class>. */
  get names() {
    return [...new Set(this.#names.values())];
  }

  /** All declared classes, including classes of single examples. */
  get labels() {
    return [...new Set([...this.#names.values(), ...Array.from(this.#pictures().values(), ({ label }) => label)])];
  }

  /** Starts to observe the content. */
  follow() {
    this.#observer = new MutationObserver(() => {
      this.#declare();
      const before = this.#declared;
      this.#declared = this.#pictures();
      // Ignore other content, which may change with every answer.
      const isOther = (/** @type {[Element, Declared]} */ [element, { label, src }]) => before.get(element)?.label !== label || before.get(element)?.src !== src;
      if (before.size !== this.#declared.size || [...this.#declared].some(isOther)) this.#on.pictures();
    });
    this.#observer.observe(this.#host, WATCHED);
    this.#declare();
    this.#declared = this.#pictures();
  }

  unfollow() {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  /** Marks all examples as not taught: the engine's content was replaced. */
  forget() {
    this.#taught.clear();
  }

  /**
   * Teaches added examples and removes deleted ones. Examples that the engine has from a saved
   * project are not taught again.
   *
   * @param {{ has: (id: string) => boolean, teach: (label: string, source: any, id: string) => Promise<unknown>, forget: (id: string) => Promise<unknown>, report: (error: unknown) => void }} engine
   */
  async teach({ has, teach, forget, report }) {
    const declared = this.#pictures();
    // Frameworks move examples to other elements.
    const wanted = new Set(Array.from(declared.values(), idOf));
    for (const [element, { id, src }] of [...this.#taught]) {
      const now = declared.get(element);
      if (now?.src === src && now.label === this.#taught.get(element)?.label) continue;
      this.#taught.delete(element);
      if (has(id) && !wanted.has(id)) await forget(id).catch(report);
    }
    for (const [element, { label, src }] of declared) {
      if (this.#taught.has(element)) continue;
      const id = idOf({ label, src });
      this.#taught.set(element, { id, src, label });
      if (has(id)) continue;
      try {
        await teach(label, element instanceof HTMLImageElement ? element : src, id);
      } catch (error) {
        if (/** @type {import("./error.js").DeepEMDError} */ (error).code === "disposed") this.#taught.delete(element); // for the next engine
        report(error);
      }
    }
  }

  /** Reports added, removed and renamed classes. */
  #declare() {
    const before = this.#names;
    const elements = /** @type {NodeListOf<HTMLElement>} */ (this.#host.querySelectorAll("deep-emd-class"));
    this.#names = new Map(Array.from(elements, (element) => /** @type {const} */ ([element, element.getAttribute("name")?.trim() ?? ""])).filter(([, name]) => name));
    for (const [element, name] of this.#names) {
      const former = before.get(element);
      if (former === name) continue;
      if (former === undefined || [...this.#names.values()].includes(former)) this.#on.add(name);
      else if (this.#on.rename(former, name)) {
        for (const [picture, taught] of this.#taught) if (element.contains(picture) && taught.label === former) taught.label = name;
      }
      before.delete(element);
    }
    for (const [element, name] of before) if (!this.#names.has(element) && !this.labels.includes(name)) this.#on.remove(name);
  }

  /** @returns {Map<Element, Declared>} */
  #pictures() {
    const found = new Map();
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (this.#host.querySelectorAll(PICTURES))) {
      const label = (element.dataset.class ?? element.closest("deep-emd-class")?.getAttribute("name") ?? "").trim();
      const src = element.getAttribute("src") ?? element.getAttribute("srcset") ?? "";
      if (label && src) found.set(element, { label, src });
    }
    return found;
  }
}

/** @param {Declared} example */
function idOf({ label, src }) {
  return `page-${digest(`${label}\n${src}`)}`;
}

/**
 * Hashes a text: two FNV-1a hashes with different seeds.
 *
 * @param {string} text
 */
function digest(text) {
  const hash = (/** @type {number} */ h) => {
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    return (h >>> 0).toString(36);
  };
  return hash(0x811c9dc5) + hash(0x9747b28c);
}
