// @ts-check
/**
 * Images in folders: chosen, dropped, or in a zip archive. Files are named by their path; their
 * content is read on demand, one at a time.
 *
 * @typedef {{ path: string, name: string, source: Blob | { size?: number, blob: () => Promise<Blob> } }} Found
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

/** More files at once are a mistake. */
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
    if (one instanceof File) await add(one.webkitRelativePath || one.name, one, found);
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
  const asked = (/** @type {(good: (found: any) => void, bad: (error: any) => void) => void} */ ask) => new Promise(ask).catch(() => {
    throw Object.assign(new Error(path), { code: "unreadable" });
  });
  if (entry.isFile) {
    // A file takes browsers a hundred times as long as its name.
    const blob = () => asked((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    await add(path, { blob }, found);
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
 * @param {string} path
 * @param {Found["source"]} source
 * @param {Found[]} found
 */
async function add(path, source, found) {
  if (hidden(path)) return;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/\.zip$/i.test(name)) {
    // Browsers limit the number of arguments, and so of spread files.
    for (const one of await unpack(/** @type {File} */ (source instanceof Blob ? source : await source.blob()))) found.push(one);
  } else {
    found.push({ path: path.normalize(), name, source }); // one form of accented letters
  }
  if (found.length > MOST) throw Object.assign(new Error(path.split("/")[0]), { code: "too-many" });
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
