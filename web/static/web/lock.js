// @ts-check
/** Locks projects: with https or on localhost, a project is open in one tab at a time. Other pages have no locks. */

import { failure } from "./database.js";

/** The number of tries and the milliseconds between them: a closing tab keeps its lock for a moment. */
const TRIES = 10;
const PAUSE = 150;

/**
 * Aborted when the user leaves the page, after a last save. Browsers may keep the page for the way back. Other pages may
 * change its project by then, so it holds no lock and saves nothing; boot.js reloads it.
 */
const leaving = new AbortController();
export const left = leaving.signal;
addEventListener("pagehide", () => leaving.abort());

/**
 * Locks a project for this tab, until the returned function is called or the page is left.
 *
 * @param {string} id
 * @returns {Promise<() => void>}
 */
export async function lock(id) {
  if (!navigator.locks) return () => {}; // on a page from an http address other than localhost
  for (let tries = 1; ; tries++) {
    const release = await new Promise((/** @type {(release: (() => void) | undefined) => void} */ resolve, reject) => {
      navigator.locks.request(`deepemd ${id}`, { ifAvailable: true }, (held) => {
        if (!held) return resolve(undefined);
        return new Promise((/** @type {(_: void) => void} */ end) => {
          if (left.aborted) end();
          left.addEventListener("abort", () => end());
          resolve(() => end());
        });
      }).catch(reject);
    });
    if (release) return release;
    if (tries === TRIES) throw failure("elsewhere", "the project is open in another tab");
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
