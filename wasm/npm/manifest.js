// @ts-check
/**
 * Reads and checks the manifest of a project file: see core/project/FORMAT.md.
 *
 * @typedef {import("./project.d.ts").Manifest} Manifest
 */

import { faultOf, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { FORMAT, KINDS, NOTHING, VERSION, defaults, embedders, limits, settings } from "./method.js";

/** The options of saveProject, with their kinds. */
export const SAVING = /** @type {const} */ ({ name: "text", created: "text", extensions: "object", signal: "signal" });

/** A time as in RFC 3339. Its day is checked separately. */
const TIME = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Reads and checks a manifest.
 *
 * @param {Uint8Array} bytes
 * @returns {Manifest}
 */
export function parseManifest(bytes) {
  let m;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    m = JSON.parse(text, (_, value) => (typeof value === "string" ? value.replace(/\p{Cs}/gu, "\ufffd") : value)); // as the engine reads lone surrogates
  } catch (error) {
    throw damaged(`manifest.json cannot be read (${error})`);
  }
  if (m?.format !== FORMAT) throw foreign();
  if (m.version > VERSION) throw newer(`it has version ${m.version}, this one reads ${VERSION}`);
  if (m.version !== VERSION) throw damaged(`version ${m.version}, which no program wrote`);
  if (!KINDS.includes(m.kind)) throw newer(`it holds a project of kind "${m.kind}"`);
  if (!Array.isArray(m.requires ?? [])) throw damaged("requires is not a list");
  const unmet = m.requires?.find((/** @type {unknown} */ name) => name !== NOTHING);
  if (unmet !== undefined) throw newer(`it needs "${unmet}"`);
  // Some programs leave out empty lists, or write null.
  if (Array.isArray(m.classes ?? [])) m.classes = (m.classes ?? []).map((/** @type {any} */ c) => c && { ...c, examples: c.examples ?? [] });
  checkManifest(m, (what) => damaged(`manifest.json: ${what}`));
  if (typeof (m.method ?? {}) !== "object") throw damaged("its method is not an object");
  return { ...m, method: complete(m.method ?? {}) };
}

/**
 * Throws for a manifest that readers reject. Package project has the same rules.
 *
 * @param {any} m
 * @param {(what: string) => Error} fault makes the error
 */
export function checkManifest(m, fault) {
  const text = (/** @type {string} */ what, /** @type {unknown} */ value) => {
    const why = typeof value === "string" ? faultOf(value) : `is ${shown(value)}: want a text`;
    if (why) throw fault(`${what} ${why}`);
  };
  const fresh = (/** @type {string} */ what, /** @type {any} */ id, /** @type {Set<string>} */ others) => {
    text(what, id);
    if (id === "" || others.has(id)) throw fault(`${what} ${shown(id)} is empty or duplicate`);
    others.add(id);
  };
  const list = (/** @type {string} */ what, /** @type {unknown} */ value) => {
    if (!Array.isArray(value)) throw fault(`${what} is ${shown(value)}: want a list`);
    return value;
  };
  text("the project's name", m.name);
  for (const name of ["created", "saved"]) {
    const time = m[name];
    if (time === undefined || time === null) continue;
    const day = String(time).slice(0, 10);
    if (typeof time !== "string" || !TIME.test(time) || !new Date(day).toJSON()?.startsWith(day)) throw fault(`${name} is ${shown(time)}: want a time such as 2026-05-01T12:00:00Z`);
  }
  const classes = new Set(), examples = new Set(), pictures = new Set();
  for (const c of list("the list of classes", m.classes)) {
    fresh("the id of a class", c?.id, classes);
    text("the label of a class", c.label);
    for (const e of list("the list of examples", c.examples)) {
      fresh("the id of an example", e?.id, examples);
      if (m.kind === "features" && e.picture === undefined) continue;
      text("the name of a picture", e.picture);
      // Otherwise a small file could have a hundred thousand examples.
      if (pictures.has(e.picture)) throw fault(`two examples have the picture ${shown(e.picture)}: want one picture per example`);
      pictures.add(e.picture);
    }
  }
  if (classes.size > limits.classes) throw fault(`it has ${classes.size} classes: want at most ${limits.classes}`);
  if (examples.size > limits.examples) throw fault(`it has ${examples.size} examples: want at most ${limits.examples}`);
  if (m.kind === "features") {
    const { name, nodes, channels } = m.network ?? {};
    const count = (/** @type {unknown} */ n, /** @type {number} */ most) => Number.isInteger(n) && Number(n) > 0 && Number(n) <= most;
    text("the name of the features", name);
    if (!count(nodes, limits.nodes) || !count(channels, limits.channels)) throw fault(`its features have ${shown(nodes)} nodes of ${shown(channels)} channels: want 1 to ${limits.nodes} nodes of 1 to ${limits.channels} channels`);
  }
}

/**
 * A method with the defaults of absent settings.
 *
 * @param {any} [method]
 * @returns {import("./protocol.d.ts").Method}
 */
function complete({ embedder, strangers, ...others } = {}) {
  const method = { ...defaults, ...others, embedder: completeEmbedder(embedder), strangers: { ...defaults.strangers, ...strangers } };
  const embeds = Object.fromEntries(Object.entries(method.embedder).filter(([name]) => settings.includes(name)));
  return only(defaults, { ...method, embedder: embeds, strangers: only(defaults.strangers, method.strangers) });
}

/**
 * The known properties of an object; readers ignore the rest.
 *
 * @template {object} T
 * @param {T} known
 * @param {any} all
 * @returns {T}
 */
function only(known, all) {
  return /** @type {T} */ (Object.fromEntries(Object.keys(known).map((name) => [name, all[name]])));
}

/**
 * The extensions that a manifest must require.
 *
 * @param {{ classes: { nothing?: boolean }[], requires?: string[] }} manifest
 * @returns {{ requires?: string[] }}
 */
export function requirement({ classes, requires = [] }) {
  const all = requires.filter((name) => name !== NOTHING);
  if (classes?.some?.((c) => c?.nothing)) all.push(NOTHING);
  return all.length > 0 ? { requires: all } : {};
}

/** @param {any} [embedder] */
export function completeEmbedder(embedder) {
  return { ...embedders[embedder?.kind ?? defaults.embedder.kind], ...embedder };
}

/** @param {string} what */
export function damaged(what) {
  return new DeepEMDError("bad-project", `the file is damaged: ${what}. Open another copy of it`);
}

/** @param {string} what */
function newer(what) {
  return new DeepEMDError("newer-project", `the file was made by a newer version of deepemd: ${what}; update this program, or reload the page`);
}

/**
 * The error for a file of another kind.
 *
 * @param {Uint8Array} [head] the file's first bytes
 */
export function foreign(head = new Uint8Array()) {
  const text = new TextDecoder().decode(head);
  let what = "";
  if (text.startsWith("version https://git-lfs")) what = "it is a Git LFS pointer; fetch the file itself with `git lfs pull`";
  else if (text.startsWith("<")) what = "it is a web page; is the address right?";
  return new DeepEMDError("bad-project", `the file is not a project: ${what || "choose one that was saved here, *.deepemd"}`);
}
