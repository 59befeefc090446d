// @ts-check
/**
 * Images in folders: chosen, dropped, or in a zip archive. Files are named by their path; their
 * content is read on demand, one at a time.
 *
 * @typedef {{ path: string, name: string, source: Blob | { blob: () => Promise<Blob> } }} Found
 */

/** Files and folders of operating systems without a leading dot. */
const SYSTEM = ["__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin", "system volume information", "@eadir", "#recycle", "lost+found"];

/**
 * Whether the name of a file or of its folders is hidden or an operating system's. The
 * command has the same rule (internal/folders).
 *
 * @param {string} path with slashes
 */
export function hidden(path) {
  return path.split("/").some((name) => (name.startsWith(".") && name !== "." && name !== "..") || SYSTEM.includes(name.toLowerCase()));
}

/** Dropping more files is a mistake. */
const MOST = 50_000;

/**
 * Lists the files in files and folders without hidden ones.
 *
 * @param {(File | FileSystemEntry)[]} given
 * @returns {Promise<Found[]>} throws an error with the code "bad-zip" and the file's name as message, or "unreadable" and the path, or "too-many" and the folder
 */
export async function find(given) {
  /** @type {Found[]} */
  const found = [];
  for (const one of given) {
    if (one instanceof File) await add(one, one.webkitRelativePath || one.name, found);
    else await walk(one, "", found);
  }
  return found;
}

/**
 * @param {FileSystemEntry} entry
 * @param {string} folder
 * @param {Found[]} found
 */
async function walk(entry, folder, found) {
  const path = folder + entry.name;
  if (hidden(entry.name)) return;
  if (found.length >= MOST) throw Object.assign(new Error(path.split("/")[0]), { code: "too-many" });
  const asked = (/** @type {(good: (found: any) => void, bad: (error: any) => void) => void} */ ask) => new Promise(ask).catch(() => {
    throw Object.assign(new Error(path), { code: "unreadable" });
  });
  if (entry.isFile) {
    const file = await asked((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    await add(file, path, found);
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    // Browsers return a hundred at a time.
    const some = /** @type {FileSystemEntry[]} */ (await asked((resolve, reject) => reader.readEntries(resolve, reject)));
    if (some.length === 0) return;
    for (const one of some) await walk(one, `${path}/`, found);
  }
}

/**
 * @param {File} file
 * @param {string} path
 * @param {Found[]} found
 */
async function add(file, path, found) {
  if (hidden(path)) return;
  if (!/\.zip$/i.test(file.name)) {
    found.push({ path: path.normalize(), name: file.name, source: file }); // one form of accented letters
    return;
  }
  found.push(...(await unpack(file)));
}

/**
 * Lists the files in a zip archive without hidden ones.
 *
 * @param {File} file
 * @returns {Promise<Found[]>} throws an error with the code "bad-zip" and the file's name as message
 */
export async function unpack(file) {
  const { readZip } = await import("deepemd/zip.js");
  /** @type {Found[]} */
  const found = [];
  let entries;
  try {
    entries = await readZip(file);
  } catch {
    throw Object.assign(new Error(file.name), { code: "bad-zip" });
  }
  for (const [name, entry] of entries) {
    if (!name.endsWith("/") && !hidden(name)) found.push({ path: name.normalize(), name: name.slice(name.lastIndexOf("/") + 1), source: entry });
  }
  return found;
}
