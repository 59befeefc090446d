// @ts-check
/**
 * The settings of <deep-emd>: attributes, and properties of the same names. Each setting
 * has a reader and a writer of attributes, and the work that a change requires. Frameworks
 * set either, at any time.
 */

import { DeepEMDError } from "./error.js";

/**
 * Reads and writes one type of value as text.
 *
 * @typedef {object} Sort
 * @property {(text: string) => unknown} read the value of a text; undefined for an invalid one
 * @property {(value: any) => string | null | undefined} write the attribute's text; null: no attribute; undefined: the value has no text
 * @property {string} want the type, for error messages
 */

/** @type {Sort} */
const text = { read: (text) => text || undefined, write: String, want: "a text" };

/** @type {Sort} */
const number = {
  read: (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined),
  write: String,
  want: "a number",
};

/** True if the attribute exists. @type {Sort} */
const presence = {
  read: truth,
  write: (value) => (value === false ? null : String(value === true ? "" : value)),
  want: 'nothing, "true" or "false"',
};

/** Both values override the default. @type {Sort} */
const verdict = { read: truth, write: (value) => String(value), want: '"true" or "false"' };

/** @type {Sort} */
const json = { read: parsed, write: (value) => (plain(value) ? JSON.stringify(value) : undefined), want: "JSON" };

/** @type {Sort} */
const embedder = { ...json, read: (text) => (/^\s*\{/.test(text) ? parsed(text) : { kind: text.trim() }), want: 'JSON or a kind, such as "grid"' };

/** An address, or the content. @type {Sort} */
const file = { read: (text) => text || undefined, write: (value) => (value instanceof URL ? value.href : undefined), want: "an address" };

/** @type {Sort} */
const camera = {
  read: (text) => (text === "user" || text === "environment" ? text : truth(text)),
  write: presence.write,
  want: 'nothing, "user" or "environment"',
};

/** Names, separated by commas or as JSON. @type {Sort} */
const names = {
  read(text) {
    if (!/^\s*\[/.test(text)) return unique(text.split(",").map((name) => name.trim()));
    const list = parsed(text);
    return Array.isArray(list) && list.every((name) => typeof name === "string") ? unique(list) : undefined;
  },
  write(value) {
    const list = [...value].map(String);
    return list.some((name) => /^\s|\s$|^\[|,/.test(name)) ? JSON.stringify(list) : list.join(", ");
  },
  want: 'names with commas between, or JSON such as ["salt, sea", "pepper"]',
};

/**
 * The work that a change requires. "start": a new engine; "method": configure the engine;
 * "file": open the project. The others take effect at once.
 *
 * @typedef {"start" | "method" | "file" | "classes" | "live"} Part
 */

/** All settings by name. @type {Record<string, { sort: Sort, part: Part }>} */
export const SETTINGS = {
  classes: { sort: names, part: "classes" },
  camera: { sort: camera, part: "live" },
  autostart: { sort: presence, part: "live" },
  threshold: { sort: number, part: "live" },
  project: { sort: file, part: "file" },
  weights: { sort: file, part: "start" },
  base: { sort: file, part: "start" },
  sound: { sort: presence, part: "start" },
  options: { sort: json, part: "start" },
  method: { sort: json, part: "method" },
  embedder: { sort: embedder, part: "method" },
  pyramid: { sort: json, part: "method" },
  classifier: { sort: text, part: "method" },
  weighting: { sort: text, part: "method" },
  solver: { sort: text, part: "method" },
  temperature: { sort: number, part: "method" },
  balance: { sort: verdict, part: "method" },
  unknown: { sort: verdict, part: "method" },
  strictness: { sort: number, part: "method" },
  skip: { sort: verdict, part: "method" },
  workers: { sort: number, part: "method" },
};

/** The settings of one element. */
export class Settings {
  /** @type {Map<string, unknown>} */ #values = new Map();
  /** @type {Map<string, DeepEMDError>} The errors of invalid settings, by name. */ #wrong = new Map();
  #host;
  #onChange;

  /**
   * @param {HTMLElement} host
   * @param {(name: string, part: Part) => void} onChange
   */
  constructor(host, onChange) {
    this.#host = host;
    this.#onChange = onChange;
  }

  /**
   * @param {string} name
   * @returns {any} undefined if it is not set
   */
  get(name) {
    return this.#values.get(name);
  }

  /**
   * Sets a property, and its attribute if the value can be text.
   *
   * @param {string} name
   * @param {unknown} value null, undefined: the default
   */
  set(name, value) {
    const { sort } = SETTINGS[name];
    let said;
    try {
      said = value === null || value === undefined ? null : typeof value === "string" ? value : sort.write(value);
    } catch {
      said = String(value); // attributeChangedCallback reports the error
    }
    if (said === null) {
      this.#host.removeAttribute(name);
      this.#put(name, undefined);
    } else if (said !== undefined) {
      this.#host.setAttribute(name, said);
      this.attribute(name, said);
    } else {
      this.#host.removeAttribute(name);
      this.#put(name, value);
    }
  }

  /**
   * Takes over an attribute.
   *
   * @param {string} name
   * @param {string | null} said
   */
  attribute(name, said) {
    if (said === null) return this.#put(name, undefined);
    const { sort } = SETTINGS[name];
    const value = sort.read(said);
    if (value !== undefined || said === "") return this.#put(name, value);
    this.#put(name, undefined, new DeepEMDError("bad-argument", `<deep-emd> has ${name}="${shorten(said)}": want ${sort.want}`));
  }

  /** Takes over the properties that were set before the element was defined. */
  upgrade() {
    for (const name of Object.keys(SETTINGS)) {
      if (!Object.hasOwn(this.#host, name)) continue;
      const host = /** @type {any} */ (this.#host);
      const value = host[name];
      delete host[name];
      host[name] = value;
    }
  }

  /**
   * The errors of the settings that are invalid now.
   *
   * @param {string[]} [names] default: all settings
   */
  wrong(names = [...this.#wrong.keys()]) {
    return names.flatMap((name) => this.#wrong.get(name) ?? []);
  }

  /**
   * The settings of the method, as options of configure.
   *
   * @param {Iterable<string>} [changed] default: all that the page sets
   * @returns {import("./deepemd.d.ts").Options}
   */
  method(changed) {
    const ours = Object.keys(SETTINGS).filter((name) => SETTINGS[name].part === "method");
    const told = changed ? new Set(changed) : new Set(this.#values.keys());
    // A complete method resets single settings, so these are sent again.
    return Object.fromEntries(ours.filter((name) => told.has(name) || told.has("method")).map((name) => [name, this.get(name)]));
  }

  /**
   * The options of DeepEMD.create.
   *
   * @returns {import("./deepemd.d.ts").Options}
   */
  options() {
    const said = Object.entries(SETTINGS).filter(([, { part }]) => part === "start" || part === "method");
    const all = said.map(([name]) => [name, this.get(name)]).filter(([name, value]) => name !== "options" && value !== undefined);
    return { ...this.get("options"), ...Object.fromEntries(all) };
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {DeepEMDError} [wrong]
   */
  #put(name, value, wrong) {
    if (wrong) this.#wrong.set(name, wrong);
    else this.#wrong.delete(name);
    if (same(this.#values.get(name), value) && !wrong) return;
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
    this.#onChange(name, SETTINGS[name].part);
  }
}

/** @param {string} said */
function truth(said) {
  return said === "" || said === "true" ? true : said === "false" ? false : undefined;
}

/** @param {string} said */
function parsed(said) {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

/** @param {string[]} list */
function unique(list) {
  return [...new Set(list)].filter((name) => name !== "");
}

/**
 * Whether JSON represents a value completely.
 *
 * @param {unknown} value
 * @returns {boolean}
 */
function plain(value) {
  if (value === null || ["string", "boolean", "undefined"].includes(typeof value) || Number.isFinite(value)) return true;
  if (Array.isArray(value)) return value.every(plain);
  if (Object.prototype.toString.call(value) !== "[object Object]") return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === null || Object.getPrototypeOf(prototype) === null) && Object.values(/** @type {object} */ (value)).every(plain);
}

/**
 * Whether two values are equal: frameworks set equal values again.
 *
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
function same(a, b) {
  if (Object.is(a, b)) return true;
  if (!plain(a) || !plain(b)) {
    // Files and buffers are equal only if they are the same object.
    const keys = (/** @type {any} */ v) => (Object.prototype.toString.call(v) === "[object Object]" ? Object.keys(v) : []);
    return keys(a).length > 0 && keys(a).length === keys(b).length && keys(a).every((key) => same(a[key], b[key]));
  }
  return a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** @param {string} said */
function shorten(said) {
  return said.length > 60 ? `${said.slice(0, 59)}…` : said;
}
