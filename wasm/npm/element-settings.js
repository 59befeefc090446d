// @ts-check
/**
 * What a page can tell <deep-emd>: attributes, and properties of the same names. Here
 * is how each is read from an attribute and written as one, and what follows from a
 * change. Frameworks set either, at any time.
 */

import { DeepEMDError } from "./error.js";

/**
 * How one sort of value is read from text and written as text.
 *
 * @typedef {object} Sort
 * @property {(text: string) => unknown} read what a text means; undefined: it means nothing
 * @property {(value: any) => string | null | undefined} write an attribute's text; null: it is absent; undefined: no text says it
 * @property {string} want for people
 */

/** @type {Sort} */
const text = { read: (text) => text || undefined, write: String, want: "a text" };

/** @type {Sort} */
const number = {
  read: (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined),
  write: String,
  want: "a number",
};

/** On where it is there. @type {Sort} */
const presence = {
  read: truth,
  write: (value) => (value === false ? null : String(value === true ? "" : value)),
  want: 'nothing, "true" or "false"',
};

/** Either way it overrules the default. @type {Sort} */
const verdict = { read: truth, write: (value) => String(value), want: '"true" or "false"' };

/** @type {Sort} */
const json = { read: parsed, write: (value) => (plain(value) ? JSON.stringify(value) : undefined), want: "JSON" };

/** @type {Sort} */
const embedder = { ...json, read: (text) => (/^\s*\{/.test(text) ? parsed(text) : { kind: text.trim() }), want: 'JSON or a kind, such as "grid"' };

/** An address, or the content itself. @type {Sort} */
const file = { read: (text) => text || undefined, write: (value) => (value instanceof URL ? value.href : undefined), want: "an address" };

/** @type {Sort} */
const camera = {
  read: (text) => (text === "user" || text === "environment" ? text : truth(text)),
  write: presence.write,
  want: 'nothing, "user" or "environment"',
};

/** Names, with commas between or as JSON. @type {Sort} */
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
 * What a change takes: "start", another engine; "method", telling the engine; "file",
 * opening it; the others are followed at once.
 *
 * @typedef {"start" | "method" | "file" | "classes" | "live"} Part
 */

/** Every setting, by its name. @type {Record<string, { sort: Sort, part: Part }>} */
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

/** What one element was told. */
export class Settings {
  /** @type {Map<string, unknown>} */ #values = new Map();
  /** @type {Map<string, DeepEMDError>} What is wrong with those that mean nothing. */ #wrong = new Map();
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
   * @returns {any} undefined where the page says nothing
   */
  get(name) {
    return this.#values.get(name);
  }

  /**
   * Sets a property. What a text can say is said by the attribute too.
   *
   * @param {string} name
   * @param {unknown} value null, undefined: as by default
   */
  set(name, value) {
    const { sort } = SETTINGS[name];
    let said;
    try {
      said = value === null || value === undefined ? null : typeof value === "string" ? value : sort.write(value);
    } catch {
      said = String(value); // reading it says what is wrong
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
   * Follows an attribute.
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

  /** What is wrong and was not said yet. */
  wrong() {
    const all = [...this.#wrong.values()];
    this.#wrong.clear();
    return all;
  }

  /**
   * What the engine is to be told: settings of the method, as options of configure.
   *
   * @param {Iterable<string>} [changed] default: those that the page sets
   * @returns {import("./deepemd.d.ts").Options}
   */
  method(changed) {
    const ours = Object.keys(SETTINGS).filter((name) => SETTINGS[name].part === "method");
    const told = changed ? new Set(changed) : new Set(this.#values.keys());
    // A whole method takes the place of single settings, which are said again.
    return Object.fromEntries(ours.filter((name) => told.has(name) || told.has("method")).map((name) => [name, this.get(name)]));
  }

  /**
   * What an engine is made of.
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
 * Whether JSON says all of a value.
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
 * Whether two values say the same: what a framework sets again is no change.
 *
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
function same(a, b) {
  if (Object.is(a, b)) return true;
  if (!plain(a) || !plain(b)) {
    // Options with content in them: the same content.
    const keys = (/** @type {any} */ v) => (Object.prototype.toString.call(v) === "[object Object]" ? Object.keys(v) : []);
    return keys(a).length > 0 && keys(a).length === keys(b).length && keys(a).every((key) => same(a[key], b[key]));
  }
  return a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** @param {string} said */
function shorten(said) {
  return said.length > 60 ? `${said.slice(0, 59)}…` : said;
}
