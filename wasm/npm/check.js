// @ts-check
/** Checks the arguments of calls in advance: unknown options, and values of wrong types. */

import { DeepEMDError } from "./error.js";
import { limits } from "./method.js";

/**
 * The types of values: a test, and the name in error messages.
 *
 * @type {Record<string, [(value: any) => boolean, string]>}
 */
const KINDS = {
  flag: [(v) => typeof v === "boolean", "true or false"],
  number: [(v) => typeof v === "number" && !Number.isNaN(v), "a number"],
  positive: [(v) => typeof v === "number" && v > 0, "a number above 0"],
  duration: [(v) => typeof v === "number" && v > 0, "a number of milliseconds above 0"],
  count: [(v) => Number.isSafeInteger(v) && v >= 0, "a whole number that is not negative"],
  text: [(v) => typeof v === "string", "a text"],
  choice: [(v) => typeof v === "boolean" || typeof v === "string", "true, false or the id of a class"],
  address: [(v) => typeof v === "string" || v instanceof URL, "an address: a text or a URL"],
  call: [(v) => typeof v === "function", "a function"],
  signal: [(v) => typeof v?.aborted === "boolean" && typeof v.addEventListener === "function", "an AbortSignal, such as the signal of an AbortController"],
  object: [(v) => kindOf(v) === "Object", "an object"],
  numbers: [(v) => Array.isArray(v) && v.every(Number.isInteger), "a list of whole numbers, such as [2, 1]"],
  file: [(v) => isFile(v), "an address, Blob, ArrayBuffer, typed array or Response"],
  program: [(v) => isFile(v) || kindOf(v) === "WebAssembly.Module", "an address, Blob, ArrayBuffer, typed array, Response or WebAssembly.Module"],
  any: [() => true, ""],
};

/** @param {any} value */
function isFile(value) {
  return typeof value === "string" || ArrayBuffer.isView(value) || ["URL", "Blob", "File", "ArrayBuffer", "Response"].includes(kindOf(value));
}

/**
 * The type of an object by name, because it may come from another frame, and not every
 * runtime has every type.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function kindOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/**
 * Checks and returns the options of a call.
 *
 * @template {object} T
 * @param {string} call the call's name
 * @param {T} options
 * @param {Record<string, keyof typeof KINDS>} kinds the known options; undefined is valid for each
 * @returns {T}
 */
export function options(call, options, kinds) {
  if (!KINDS.object[0](options)) throw bad(`${call} takes an object of options (${Object.keys(kinds).join(", ")}), not ${shown(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined; // "toString" must not find Object's
    if (!kind) throw bad(`${call} has no option "${name}": ${advice(name, Object.keys(kinds))}`);
    if (value !== undefined) demand(value, kind, name);
  }
  return options;
}

/**
 * Throws if a value has the wrong type.
 *
 * @param {unknown} value
 * @param {keyof typeof KINDS} kind
 * @param {string} name the value's name, for the message
 */
export function demand(value, kind, name) {
  const [is, wanted] = KINDS[kind];
  if (!is(value)) throw bad(`${name} is ${shown(value)}: want ${wanted}`);
}

/**
 * Checks a label and returns it as a string.
 *
 * @param {unknown} label
 */
export function label(label) {
  if (typeof label !== "string" && typeof label !== "number") throw bad(`the label is ${shown(label)}: want a text`);
  const text = String(label);
  const why = faultOf(text);
  if (why) throw bad(`the label ${why}`);
  return text;
}

/**
 * Checks an id that the caller chose.
 *
 * @param {unknown} id undefined for a new one
 * @returns {string | undefined}
 */
export function newId(id) {
  if (id !== undefined) demandName(id, "the id");
  return /** @type {string | undefined} */ (id);
}

/**
 * Throws if a value cannot be an id or a name.
 *
 * @param {unknown} name
 * @param {string} what the value's name, for the message
 */
export function demandName(name, what) {
  if (typeof name !== "string" || name === "") throw bad(`${what} is ${shown(name)}: want a text of 1 to ${limits.text} characters`);
  const why = faultOf(name);
  if (why) throw bad(`${what} ${why}`);
}

/**
 * Why a project or a gallery cannot store a text, or "". The engine has the same rule: see CheckText in core/method.
 *
 * @param {string} text
 */
export function faultOf(text) {
  const { length } = [...text];
  if (length > limits.text) return `has ${length} characters: want at most ${limits.text}`;
  return /\p{Cs}/u.test(text) ? "has half a character, a lone surrogate: cut the text elsewhere" : "";
}

/** @param {string} message */
export function bad(message) {
  return new DeepEMDError("bad-argument", message);
}

/**
 * Describes a value for an error message.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value) {
  if (typeof value === "string") return JSON.stringify(value.length > 100 ? `${value.slice(0, 97)}…` : value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value) && value.length < 10 && value.every((v) => !["object", "bigint"].includes(typeof v))) return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  const kind = kindOf(value);
  return kind === "Object" ? "an object" : `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;
}

/**
 * Suggests a known name for an unknown one.
 *
 * @param {string} name
 * @param {string[]} known
 */
function advice(name, known) {
  const [nearest] = known.map((other) => ({ other, far: distance(name.toLowerCase(), other.toLowerCase()) })).sort((a, b) => a.far - b.far);
  if (nearest && nearest.far <= Math.max(2, nearest.other.length / 3)) return `did you mean "${nearest.other}"?`;
  return known.length > 0 ? `it takes ${known.join(", ")}` : "it takes none";
}

/**
 * The edit distance of two words.
 *
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}
