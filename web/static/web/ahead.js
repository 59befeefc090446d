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
  return kept.filter((p) => !p.removed).sort((a, b) => b.used - a.used);
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
  const kept = lastFirst(await keptIn(database).catch(() => [])).find((p) => p.manifest.kind === kind); // The studio asks again, and says why.
  if (!kept) return { database };
  const parts = examplesOf(database, kept.id);
  parts.catch(() => {}); // Whoever opens it is told.
  return { database, last: { id: kept.id, used: kept.used, parts } };
}
