// @ts-check
/**
 * The gallery's worker: locks the file, and runs the program that stores and searches embeddings.
 * gallery-requests.d.ts declares its requests.
 *
 * @typedef {import("./gallery-requests.d.ts").GalleryRequest} GalleryRequest
 * @typedef {import("./gallery-requests.d.ts").Embedded} Embedded
 */

import { compile } from "./download.js";
import { DeepEMDError } from "./error.js";
import { GalleryFile } from "./gallery-file.js";
import { GalleryProgram } from "./gallery-program.js";
import { describe, post } from "./reply.js";

/** The number of removed images that justifies rewriting the file. */
const WORTH = 16;

/** Milliseconds between commits: a closed tab loses no more. */
const OFTEN = 2000;

/** @type {GalleryFile} */ let file;
/** @type {GalleryProgram} */ let program;
/** Whose embeddings come. @type {object} */ let catalog;
/** Whether images are being added or removed. */
let writing = false;
/** The time of the first uncommitted image. */
let since = 0;

// Requests are answered in order.
let line = Promise.resolve();
self.onmessage = ({ data }) => {
  line = line.then(() => answer(data));
};

/** @param {GalleryRequest & { id: number }} request */
async function answer(request) {
  try {
    const reply = await perform(request);
    post({ id: request.id, ok: true, ...reply, why: file.why });
  } catch (error) {
    post({ id: request.id, ok: false, error: describe(error) });
  }
}

/**
 * @param {GalleryRequest} request
 * @returns {Promise<object>}
 */
async function perform(request) {
  switch (request.type) {
    case "init":
      return start(request);
    case "begin":
      return begin();
    case "add":
      return add(request.name, request.embedded);
    case "remove":
      return changed({ what: "remove", names: request.names });
    case "end":
      return end();
    case "clear":
      return clear();
    case "has":
    case "names":
      return { ...(await refresh()), ...program.ask({ what: request.type, ...("names" in request && { names: request.names }) }) };
    case "search":
    case "explain": {
      const state = await refresh(), { type, embedded, ...how } = request;
      return { ...state, ...program.ask({ what: type, summarized: Boolean(embedded.summary), ...how }, ...valuesOf(embedded)) };
    }
  }
}

/** @param {Extract<GalleryRequest, { type: "init" }>} request */
async function start({ program: address, name, network: { preprocess, ...network } }) {
  if (program) throw new DeepEMDError("internal", "init was sent twice");
  file = new GalleryFile(name);
  catalog = { network, preprocess, source: name };
  const [module, content] = await Promise.all([compile(address), file.read()]);
  program = await GalleryProgram.start(module, file);
  return program.ask({ what: "open", catalog }, content);
}

/** Starts to write. */
async function begin() {
  await file.hold();
  try {
    await refresh();
    const state = changed({ what: "begin" });
    writing = true;
    return state;
  } catch (error) {
    await file.release();
    throw error;
  }
}

/** Commits, and unlocks the file. */
async function end() {
  let state;
  try {
    state = changed({ what: "end" });
  } finally {
    writing = false;
    await file.release();
  }
  return state.deleted >= Math.max(WORTH, state.pictures) ? compact(state) : state;
}

/**
 * Frees the space of removed images.
 *
 * @param {import("./gallery-requests.d.ts").GalleryState} state of the gallery
 */
async function compact(state) {
  if (state.pictures === 0) return clear();
  const content = program.compacted();
  if (file.why) return program.ask({ what: "open", catalog }, content);
  return (await file.replace(content)) ? refresh() : state;
}

/** Removes all images. */
async function clear() {
  await file.remove();
  return program.ask({ what: "open", catalog });
}

/** Reads the changes of other tabs, and returns the gallery's state. */
async function refresh() {
  if (writing || !(await file.changed())) return undefined;
  try {
    return program.ask({ what: "open", catalog }, await file.read());
  } catch {
    return program.ask({ what: "open", catalog }, await file.read()); // retry: the file may have been read during a change
  }
}

/**
 * Adds an image, and commits every two seconds.
 *
 * @param {string} name
 * @param {Embedded} embedded
 */
function add(name, embedded) {
  const state = program.ask({ what: "add", name, summarized: Boolean(embedded.summary) }, ...valuesOf(embedded));
  const now = performance.now();
  if (state.waiting === 1) since = now;
  return now - since > OFTEN ? changed({ what: "commit" }) : state;
}

/**
 * Changes the gallery; in memory, if the file cannot be written.
 *
 * @param {{ what: string, names?: string[] }} request
 */
function changed(request) {
  try {
    return program.ask(request);
  } catch (error) {
    if (!(error instanceof DeepEMDError) || /** @type {string} */ (error.code) !== "file") throw error;
    file.failed();
    return program.ask(request);
  }
}

/** @param {Embedded} embedded */
function valuesOf({ data, summary }) {
  return summary ? [data, summary] : [data];
}
