// @ts-check
/**
 * Reads projects that this browser stores. The last used project is read while the page's
 * programs are downloaded, because the studio will open it.
 *
 * @typedef {{ kind: number, classes: import("deepemd/project.js").Draft["classes"] }} Past A step, and the classes before it.
 *
 * @typedef Kept A stored project.
 * @property {string} id
 * @property {import("deepemd/project.js").Draft} manifest
 * @property {Past[]} [past] the latest steps, which can be undone
 * @property {number} used when it was last saved or opened
 * @property {number} [removed] when it was deleted, if it was
 */

import { Database, done } from "./database.js";

/** Examples per read. */
const BATCH = 64;

/** The key range of a project's examples. @param {string} id */
export function ofProject(id) {
  return IDBKeyRange.bound([id], [id, []]);
}

/**
 * All projects, including deleted ones.
 *
 * @param {Database} database
 * @returns {Promise<Kept[]>}
 */
export async function keptIn(database) {
  return done((await database.open()).transaction("projects").objectStore("projects").getAll());
}

/**
 * The projects that are not deleted, the last used first.
 *
 * @param {Kept[]} kept
 */
export function lastFirst(kept) {
  return kept.filter((p) => !p.removed).sort((a, b) => (b.used || 0) - (a.used || 0));
}

/**
 * Whether a record is complete. A full disk, a crash or another program can damage the storage;
 * other projects must stay usable.
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

/** The ids of the examples of classes. @param {Kept["manifest"]["classes"]} classes */
export function idsOf(classes) {
  return classes.flatMap((c) => c.examples.map((e) => e.id));
}

/** The intact steps of a project. @param {Kept} kept */
export function stepsOf({ manifest, past }) {
  return (Array.isArray(past) ? past : []).filter((step) => isWhole({ manifest: { ...manifest, classes: step?.classes } }));
}

/**
 * The content of an example's record; undefined if the record is damaged. An invalid embedding is dropped,
 * and the engine embeds the pixels again.
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
 * Whether all values are finite. Hundreds of examples have millions of values, so the loop calls no function.
 *
 * @param {Float32Array} values
 */
function areNumbers(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * 0; // adds 0, or NaN for a value that is not finite
  return sum === 0;
}

/**
 * The records of a project's examples, in batches. All batches are requested at once, so that the browser reads the
 * next one while the page processes one.
 *
 * @param {Database} database
 * @param {string} id
 * @returns {Promise<any[][]>} { project, id, medium }, or { project, id } with an example's content
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
 * Starts to read the last used project.
 *
 * @param {string} kind of projects
 */
export async function ahead(kind) {
  const database = new Database();
  const kept = lastFirst(await keptIn(database).catch(() => [])).find((p) => isWhole(p) && p.manifest.kind === kind); // the studio tries again and reports the error
  if (!kept) return { database };
  const parts = examplesOf(database, kept.id);
  parts.catch(() => {}); // reported when the project is opened
  return { database, last: { id: kept.id, used: kept.used, parts } };
}
