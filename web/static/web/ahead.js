// @ts-check
/**
 * Reads what this browser keeps of a project. The one used last is read while the page's programs
 * are on their way: the studio is going to open it.
 *
 * @typedef Kept A project as it is kept.
 * @property {string} id
 * @property {import("deepemd/project.js").Draft} manifest
 * @property {number} used when it was saved or opened last
 * @property {number} [removed] when it was put away, if it was
 */

import { Database, done } from "./database.js";

/** How many examples are read at a time. */
const BATCH = 64;

/** All examples of a project. @param {string} id */
export function ofProject(id) {
  return IDBKeyRange.bound([id], [id, []]);
}

/**
 * All projects, those that were put away too.
 *
 * @param {Database} database
 * @returns {Promise<Kept[]>}
 */
export async function keptIn(database) {
  return done((await database.open()).transaction("projects").objectStore("projects").getAll());
}

/**
 * The projects that were not put away, the one used last first.
 *
 * @param {Kept[]} kept
 */
export function lastFirst(kept) {
  return kept.filter((p) => !p.removed).sort((a, b) => (b.used || 0) - (a.used || 0));
}

/**
 * Whether all is there that opening a project takes. What a browser keeps can be damaged by a full disk, a crash or
 * another program; other projects must not suffer for it.
 *
 * @param {any} kept
 * @returns {kept is Kept}
 */
export function isWhole(kept) {
  const { manifest } = kept;
  return (
    typeof manifest?.name === "string" && typeof manifest.kind === "string" && Array.isArray(manifest.classes) &&
    manifest.classes.every((/** @type {any} */ c) => Array.isArray(c?.examples) && c.examples.every((/** @type {any} */ e) => typeof e?.id === "string"))
  );
}

/**
 * What an example is made of, by its record; undefined where that is damaged. An embedding that no engine can use counts
 * as nobody's: the engine makes it again of the pixels.
 *
 * @param {any} record
 * @returns {import("./gallery.js").Content | undefined}
 */
export function contentOf(record) {
  if (record.picture instanceof Blob) return record;
  const { size, pixels, embedding } = record;
  if (!(size > 0) || !(pixels instanceof Uint8Array) || pixels.length !== 3 * size * size) return undefined;
  return embedding instanceof Float32Array && areNumbers(embedding) ? record : { ...record, maker: "" };
}

/**
 * Whether all of many values are numbers. Hundreds of examples have millions: nothing is called for each.
 *
 * @param {Float32Array} values
 */
function areNumbers(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * 0; // 0, or NaN for what is no number
  return sum === 0;
}

/**
 * The records of a project's examples, in parts. All are asked for at once: while the page looks at
 * one part, the browser reads the next.
 *
 * @param {Database} database
 * @param {string} id
 * @returns {Promise<any[][]>} { project, id, medium } or { project, id } with what an example is made of
 */
export async function examplesOf(database, id) {
  const examples = (await database.open()).transaction("examples").objectStore("examples");
  const keys = await done(examples.getAllKeys(ofProject(id)));
  const parts = [];
  for (let i = 0; i < keys.length; i += BATCH) {
    parts.push(done(examples.getAll(IDBKeyRange.bound(keys[i], keys[Math.min(i + BATCH, keys.length) - 1]))));
  }
  return Promise.all(parts);
}

/**
 * Begins to read the project that was used last.
 *
 * @param {string} kind of projects
 */
export async function ahead(kind) {
  const database = new Database();
  const kept = lastFirst(await keptIn(database).catch(() => [])).find((p) => isWhole(p) && p.manifest.kind === kind); // The studio asks again, and says why.
  if (!kept) return { database };
  const parts = examplesOf(database, kept.id);
  parts.catch(() => {}); // Whoever opens it is told.
  return { database, last: { id: kept.id, used: kept.used, parts } };
}
