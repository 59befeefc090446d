// @ts-check
/**
 * The messages between a shared page and the page that shows it in an iframe:
 * see web/docs/frame.md.
 *
 * Only the parent is answered: messages of other windows are not read, and answers name the
 * asking origin as their target, so that the browser delivers them to no other page. Unknown
 * origins (a file, a sandbox) get no answer. Only the first message needs no request; without
 * location.ancestorOrigins it goes to any parent that the file allows. No message starts the camera.
 *
 * @typedef {import("deepemd").Answer} Answer
 * @typedef {import("deepemd").Source} Source
 */

/** The version of the messages. It changes with incompatible messages. */
const VERSION = 1;

/** The most images that may wait for answers. */
const MOST = 64;

export class Frame {
  /** The page around this one. @type {Window | undefined} */ #parent;
  /** The origins that are answered; none for all. */ #origins;
  #classify;
  /** The origin that wants to hear every answer. @type {string | undefined} */ #listener;
  #heard;
  /** Why the page did not start. @type {{ code: string, message: string } | undefined} */ #trouble;
  /** @type {{ id: string, label: string }[]} */ #classes = [];
  #waiting = 0;
  /** @type {Set<string>} */ #refused = new Set();
  /** Resolves when the page has started, or has not. @type {Promise<void>} */ #started;
  /** @type {() => void} */ #settle = () => {};

  /**
   * @param {readonly string[]} origins the origins that are answered; empty for all
   * @param {(source: Source) => Promise<Answer>} classify
   * @param {(by: boolean) => void} heard called when the parent subscribes to all answers, and when it unsubscribes
   */
  constructor(origins, classify, heard) {
    this.#origins = origins;
    this.#classify = classify;
    this.#heard = heard;
    this.#started = new Promise((resolve) => (this.#settle = resolve));
    if (window.parent === window) return;
    this.#parent = window.parent;
    addEventListener("message", (event) => void this.#receive(event));
  }

  /** @param {{ id: string, label: string }[]} classes the page's classes */
  ready(classes) {
    this.#classes = classes;
    this.#settle();
    this.#announce(this.#greeting());
  }

  /** @param {unknown} reason why the page did not start */
  failed(reason) {
    this.#trouble = explained(reason);
    this.#settle();
    this.#announce({ type: "deepemd:error", ...this.#trouble });
  }

  /** @param {Answer} answer the page's own answer */
  predicted({ scores, unknown }) {
    if (this.#listener !== undefined) this.#tell(this.#listener, { type: "deepemd:prediction", scores, unknown });
  }

  #greeting() {
    return { type: "deepemd:ready", version: VERSION, classes: this.#classes };
  }

  /** @param {MessageEvent} event */
  async #receive({ source, origin, data }) {
    if (source !== this.#parent || typeof data !== "object" || data === null) return;
    const { type, id, picture } = data;
    if (!["deepemd:listen", "deepemd:unlisten", "deepemd:classify"].includes(type)) return;
    if (!this.#answers(origin)) return;
    if (type === "deepemd:unlisten") {
      this.#listener = undefined;
      this.#heard(false);
      return;
    }
    if (type === "deepemd:listen") {
      if (this.#listener === origin) return; // a parent may ask whenever it is greeted
      this.#listener = origin;
      this.#heard(true);
      await this.#started;
      this.#tell(origin, this.#trouble ? { type: "deepemd:error", ...this.#trouble } : this.#greeting());
      return;
    }
    try {
      const answer = await this.#answer(id, picture);
      this.#tell(origin, { type: "deepemd:answer", id, ...answer });
    } catch (error) {
      const named = typeof id === "string" || typeof id === "number" ? { id } : {};
      this.#tell(origin, { type: "deepemd:error", ...named, ...explained(error) });
    } finally {
      if (picture instanceof ImageBitmap) picture.close();
    }
  }

  /**
   * @param {unknown} id
   * @param {Source} picture
   */
  async #answer(id, picture) {
    if (typeof id !== "string" && typeof id !== "number") throw trouble("bad-argument", "deepemd:classify without an id: give a string or a number, which the answer repeats");
    if (this.#waiting >= MOST) throw trouble("busy", `${MOST} pictures are waiting already: send the next when an answer has come`);
    this.#waiting++;
    try {
      await this.#started;
      if (this.#trouble) throw this.#trouble;
      const { scores, unknown, ms } = await this.#classify(picture);
      return { scores, unknown, ms };
    } finally {
      this.#waiting--;
    }
  }

  /**
   * Whether an origin is answered. The console explains a refusal to developers.
   *
   * @param {string} origin
   */
  #answers(origin) {
    const named = origin !== "null" && origin !== "" && origin !== "file://";
    if (named && (this.#origins.length === 0 || this.#origins.includes(origin))) return true;
    if (!this.#refused.has(origin)) {
      this.#refused.add(origin);
      console.warn(named ? `This page does not answer ${origin}: it was made for ${this.#origins.join(", ")}` : "This page answers no files and no sandboxes, which have no origin: serve the page around it");
    }
    return false;
  }

  /**
   * Tells the parent, unasked, that the page is ready.
   *
   * @param {object} message
   */
  #announce(message) {
    if (!this.#parent) return;
    const around = location.ancestorOrigins?.[0];
    if (around !== undefined) {
      if (this.#answers(around)) this.#tell(around, message);
      return;
    }
    for (const origin of this.#origins.length > 0 ? this.#origins : ["*"]) this.#tell(origin, message);
  }

  /**
   * @param {string} origin
   * @param {object} message
   */
  #tell(origin, message) {
    this.#parent?.postMessage(message, origin);
  }
}

/**
 * @param {string} code
 * @param {string} message
 */
const trouble = (code, message) => Object.assign(new Error(message), { code });

/**
 * @param {unknown} reason
 * @returns {{ code: string, message: string }}
 */
function explained(reason) {
  const { code = "internal", message = String(reason) } = /** @type {{ code?: string, message?: string }} */ (reason ?? {});
  return { code, message };
}
