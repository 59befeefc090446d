// @ts-check
/**
 * Sends a file through the system's share sheet. Browsers open it only soon after a click; if
 * the file takes longer to make, it waits for another click.
 */

import { failure } from "./database.js";

/** The waiting file. @type {File | undefined} */
let ready;

/**
 * Sends a page.
 *
 * @param {Blob} page
 * @param {string} name of the file
 * @returns {Promise<void>} rejects with the code "waiting" if the browser requires a click: call sendReady then
 */
export async function send(page, name) {
  ready = new File([page], name, { type: "text/html" });
  await sendReady();
}

/** Sends the waiting file. */
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
