// @ts-check
/**
 * Reports sightings to the page that shows the studio in a frame, if a rule does so and
 * the page listens: see web/docs/frame.md, "The studio in an iframe". As in a shared
 * page, messages go only to the parent, and sightings only to the origin that asked. Until one asks,
 * the classes go to any parent if the browser does not name its origin.
 */

import { sent } from "./outgoing.js";

/** The version of the messages, as in internal/publish/frame.js. */
const VERSION = 1;

export class Around {
  /** @type {Window | undefined} */ #parent;
  /** The origin that asked. @type {string | undefined} */ #listener;
  /** @type {{ id: string, label: string }[] | undefined} */ #classes;

  constructor() {
    if (window.parent === window) return;
    this.#parent = window.parent;
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== this.#parent || !named(origin)) return;
      if (data?.type === "deepemd:unlisten") this.#listener = undefined;
      if (data?.type !== "deepemd:listen" || this.#listener === origin) return; // a parent may ask whenever it is greeted
      this.#listener = origin;
      if (this.#classes) this.#tell(origin, this.#greeting());
    });
  }

  /** @param {{ id: string, label: string }[]} classes */
  greet(classes) {
    this.#classes = classes;
    const around = this.#listener ?? location.ancestorOrigins?.[0] ?? "*";
    if (around === "*" || named(around)) this.#tell(around, this.#greeting());
  }

  /** @param {{ classId: string, of: string, label: string, counted: number }} what */
  seen({ classId, of, label, counted }) {
    if (this.#listener === undefined) return;
    this.#tell(this.#listener, {
      type: "deepemd:seen",
      ...(classId && { class: { id: classId, label } }),
      unknown: of !== "",
      nothing: of === "nothing",
      ...(counted > 0 && { count: counted }),
    });
  }

  #greeting() {
    return { type: "deepemd:ready", version: VERSION, classes: this.#classes };
  }

  /**
   * @param {string} origin
   * @param {object} message
   */
  #tell(origin, message) {
    if (!this.#parent) return;
    this.#parent.postMessage(message, origin);
    sent("messages");
  }
}

/** @param {string} origin */
function named(origin) {
  return origin !== "null" && origin !== "" && origin !== "file://";
}
