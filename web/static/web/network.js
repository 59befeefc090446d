// @ts-check
/**
 * The user's own network, which replaces the page's network for images or for sounds. It is read
 * from a file and stored on the device until it is removed, like projects in IndexedDB: its
 * transactions are atomic in every browser, while some browsers cannot replace files of the
 * private file system (OPFS) atomically.
 *
 * Calls reject with an error whose code is one of web/internal/feature/network/messages.go, or of
 * those for projects.
 *
 * @typedef Own
 * @property {string} name of the network, or of the file if the network has none
 * @property {string} arch its architecture, "" if the file has none
 * @property {number} bytes
 * @property {Blob} file safetensors
 *
 * @typedef {(done: number, all: number) => void} Report in bytes
 */

import { Database, NETWORKS, done, explained, failure } from "./database.js";

const database = new Database(NETWORKS);

/** Bytes per read and write. */
const SLICE = 1 << 22;

/** The largest header in bytes, as in core/weights. */
const MAX_HEADER = 1 << 22;

/**
 * Reads a file completely, because it may be moved or changed later.
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
 * Reads a file's header. The engine decides whether the network is usable.
 *
 * @param {Blob} file
 * @returns {Promise<{ name: string, arch: string, bytes: number }>}
 */
export async function describe(file) {
  const first = new DataView(await file.slice(0, 8).arrayBuffer());
  const length = first.byteLength < 8 ? 0n : first.getBigUint64(0, true);
  if (length < 2n || length > MAX_HEADER || length > file.size - 8) throw failure("bad-weights", "it does not begin like a safetensors file");
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
 * Stores a network on the device and replaces the stored one, atomically.
 *
 * @param {string} kind of projects
 * @param {Own} own
 * @param {Report} onProgress
 */
export async function keep(kind, { name, arch, bytes, file }, onProgress) {
  // A transaction ends when it has no requests, so all data must be in memory.
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
 * The stored network; undefined if there is none, or no storage.
 *
 * @param {string} kind
 * @param {Report} onProgress
 * @returns {Promise<Own | undefined>}
 */
export async function kept(kind, onProgress) {
  const opened = await database.open().catch(() => undefined); // the studio reports it with the projects
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
 * Removes the stored network.
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
