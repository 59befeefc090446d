// @ts-check
/**
 * The system's share sheet: hands a file to another app. Browsers open it soon after a
 * click only, and making the file may take longer: then it waits for another click.
 */

import { failure } from "./database.js";

/** What is to be handed over. @type {File | undefined} */
let ready;

/**
 * Hands a page over.
 *
 * @param {Blob} page
 * @param {string} name of the file
 * @returns {Promise<void>} rejects with code "waiting" when the browser wants a click first: then see sendReady
 */
export async function send(page, name) {
  ready = new File([page], name, { type: "text/html" });
  await sendReady();
}

/** Hands over what waits for a click. */
export async function sendReady() {
  if (!ready) throw failure("internal", "there is no page to hand over: make it again");
  try {
    await navigator.share({ files: [ready], title: ready.name.replace(/\.html$/, "") });
  } catch (error) {
    const { name, message } = /** @type {DOMException} */ (error);
    if (name === "NotAllowedError" || name === "InvalidStateError") throw failure("waiting", "the page is ready, and the browser wants a click before it hands it over");
    if (name !== "AbortError") throw failure("internal", `the system did not take the page: save it as a file (${message})`);
  }
  ready = undefined;
}
