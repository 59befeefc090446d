// @ts-check
/**
 * Reads and checks the manifest of a project file: see core/project/FORMAT.md.
 *
 * @typedef {import("./project.d.ts").Manifest} Manifest
 */

import { DeepEMDError } from "./error.js";
import { FORMAT, KINDS, NOTHING, VERSION, defaults, embedders, limits, settings } from "./method.js";

/**
 * Reads and checks a manifest.
 *
 * @param {string} text
 * @returns {Manifest}
 */
export function parseManifest(text) {
  let m;
  try {
    m = JSON.parse(text);
  } catch (error) {
    throw damaged(`manifest.json cannot be read (${error})`);
  }
  if (m?.format !== FORMAT) throw foreign();
  if (m.version > VERSION) throw newer(`it has version ${m.version}, this page reads ${VERSION}`);
  if (m.version !== VERSION) throw damaged(`version ${m.version}, which no program wrote`);
  if (!KINDS.includes(m.kind)) throw newer(`it holds a project of kind "${m.kind}"`);
  if (!Array.isArray(m.requires ?? [])) throw damaged("what it requires is no list");
  const unmet = m.requires?.find((/** @type {unknown} */ name) => name !== NOTHING);
  if (unmet !== undefined) throw newer(`it needs "${unmet}"`);
  // Some programs leave out empty lists, or write null.
  if (Array.isArray(m.classes ?? [])) m.classes = (m.classes ?? []).map((/** @type {any} */ c) => c && { ...c, examples: c.examples ?? [] });
  const short = (/** @type {unknown} */ t) => typeof t === "string" && t.length <= limits.text;
  const ids = { classes: new Set(), examples: new Set() };
  const fresh = (/** @type {Set<string>} */ set, /** @type {string} */ id) => short(id) && id !== "" && !set.has(id) && set.add(id);
  const bare = (/** @type {any} */ e) => m.kind === "features" && e.picture === undefined;
  const fine =
    short(m.name) &&
    Array.isArray(m.classes) &&
    m.classes.every(
      (/** @type {any} */ c) =>
        fresh(ids.classes, c?.id) && short(c.label) && Array.isArray(c.examples) && c.examples.every((/** @type {any} */ e) => fresh(ids.examples, e?.id) && (short(e.picture) || bare(e))),
    ) &&
    ids.examples.size <= limits.examples;
  if (!fine) throw damaged(`manifest.json has classes or examples without a name, or with the same one`);
  const pictures = new Set();
  for (const { picture } of m.classes.flatMap((/** @type {any} */ c) => c.examples)) {
    // Otherwise a small file could have a hundred thousand examples.
    if (pictures.has(picture) && picture !== undefined) throw damaged(`two examples have the picture "${picture}": want one picture per example`);
    pictures.add(picture);
  }
  if (m.kind === "features") {
    const { name, nodes, channels } = m.network ?? {};
    const count = (/** @type {unknown} */ n, /** @type {number} */ most) => Number.isInteger(n) && Number(n) > 0 && Number(n) <= most;
    if (!short(name) || !count(nodes, limits.nodes) || !count(channels, limits.channels)) throw damaged("it does not say whose features it holds, or of which shape");
  }
  if (typeof (m.method ?? {}) !== "object") throw damaged("its method is none");
  return { ...m, method: complete(m.method ?? {}) };
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
  if (classes.some(({ nothing }) => nothing)) all.push(NOTHING);
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
  return new DeepEMDError("newer-project", `the file was made by a newer version of deepemd: ${what}; load the page again to update it`);
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
