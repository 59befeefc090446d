// @ts-check
/**
 * A network of the person's own: read from a file, and kept on the device until it is
 * removed. It takes the place of the network that comes with the page, for pictures or for
 * sounds. It is kept as projects are, in IndexedDB: a transaction is all or nothing in every
 * browser, where files of the origin's own (OPFS) can be replaced whole in some only.
 *
 * Calls reject with an error whose code is one of those in web/internal/feature/network/messages.go,
 * or of those for projects.
 *
 * @typedef Own
 * @property {string} name of the network, or of the file where that says none
 * @property {string} arch its architecture, "" where the file says none
 * @property {number} bytes
 * @property {Blob} file safetensors
 *
 * @typedef {(done: number, all: number) => void} Report in bytes
 */

import { Database, NETWORKS, done, explained, failure } from "./database.js";

const database = new Database(NETWORKS);

/** Bytes that are read and written at a time. */
const SLICE = 1 << 22;

/** A longer header is no header, as in core/weights. */
const MAX_HEADER = 1 << 22;

/**
 * Reads a file that a person chose: from then on it may be moved or changed.
 *
 * @param {File} file
 * @param {Report} onProgress
 * @returns {Promise<Own>}
 */
export async function read(file, onProgress) {
  try {
    const facts = await describe(file);
    const parts = [];
    for (let at = 0; at < file.size; at += SLICE) {
      parts.push(await file.slice(at, at + SLICE).arrayBuffer());
      onProgress(Math.min(at + SLICE, file.size), file.size);
    }
    return { ...facts, name: facts.name || file.name.replace(/\.safetensors$/i, ""), file: new Blob(parts) };
  } catch (error) {
    throw error instanceof DOMException ? failure("unreadable", error.message) : error;
  }
}

/**
 * What a file says of itself in its header. Whether a network can be built of it is the
 * engine's to say.
 *
 * @param {Blob} file
 * @returns {Promise<{ name: string, arch: string, bytes: number }>}
 */
export async function describe(file) {
  const first = new DataView(await file.slice(0, 8).arrayBuffer());
  const length = first.byteLength < 8 ? 0n : first.getBigUint64(0, true);
  if (length < 2n || length > MAX_HEADER || length > file.size - 8) throw failure("bad-weights", "it does not begin as a safetensors file does");
  const begin = 8 + Number(length);
  let header;
  try {
    header = JSON.parse(await file.slice(8, begin).text());
  } catch (error) {
    throw failure("bad-weights", `its header is damaged: ${error}`);
  }
  const { __metadata__: meta, ...tensors } = header ?? {};
  const end = Object.values(tensors).reduce((last, tensor) => Math.max(last, Number(tensor?.data_offsets?.[1]) || 0), 0);
  if (begin + end > file.size) throw failure("cut-weights", `it has ${file.size} bytes of ${begin + end}`);
  return { name: String(meta?.name ?? ""), arch: String(meta?.arch ?? ""), bytes: file.size };
}

/**
 * Keeps a network on the device, in place of the one that was kept: whole, or not at all.
 *
 * @param {string} kind of the projects that it is for
 * @param {Own} own
 * @param {Report} onProgress
 */
export async function keep(kind, { name, arch, bytes, file }, onProgress) {
  // A transaction ends when nothing is asked of it: all there is to write has to be at hand.
  const content = await file.arrayBuffer();
  await database.write(async (networks, slices) => {
    slices.delete(all(kind));
    networks.put({ kind, name, arch, bytes });
    for (let number = 0, at = 0; at < bytes; number++, at += SLICE) {
      await done(slices.put({ kind, number, content: content.slice(at, at + SLICE) }));
      onProgress(Math.min(at + SLICE, bytes), bytes);
    }
  });
}

/**
 * The network that is kept; undefined for none, and where the browser keeps nothing.
 *
 * @param {string} kind
 * @param {Report} onProgress
 * @returns {Promise<Own | undefined>}
 */
export async function kept(kind, onProgress) {
  const opened = await database.open().catch(() => undefined); // The studio says why, of its projects.
  if (!opened) return undefined;
  try {
    const transaction = opened.transaction(["networks", "slices"]);
    const facts = await done(transaction.objectStore("networks").get(kind));
    if (!facts) return undefined;
    const { name, arch, bytes } = facts;
    const parts = [];
    let loaded = 0;
    for (let number = 0; loaded < bytes; number++) {
      const { content } = (await done(transaction.objectStore("slices").get([kind, number]))) ?? {};
      if (!(content instanceof ArrayBuffer) || content.byteLength === 0) throw failure("damaged-weights", `its part ${number} is missing`);
      parts.push(content);
      loaded += content.byteLength;
      onProgress(loaded, bytes);
    }
    return { name, arch, bytes, file: new Blob(parts) };
  } catch (error) {
    throw explained(error);
  }
}

/**
 * Removes the network that is kept.
 *
 * @param {string} kind
 */
export async function forget(kind) {
  await database.write((networks, slices) => {
    networks.delete(kind);
    slices.delete(all(kind));
  });
}

/** All slices of a network. @param {string} kind */
function all(kind) {
  return IDBKeyRange.bound([kind], [kind, []]);
}
