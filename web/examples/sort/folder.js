/**
 * The photos of a folder. Only the File System Access API can move them; other browsers read
 * the files.
 *
 * A photo is { name, album, file, from }: album is its subfolder, "" for the folder itself, and
 * `from` is the handle of its folder, if available.
 */

/** File types that the engine reads. */
const PICTURE = /\.(jpe?g|png|webp)$/i;

/** Whether the browser can move files. */
export const canMove = "showDirectoryPicker" in globalThis;

/** Asks for a folder, and lists the photos in it and its subfolders. */
export async function choose() {
  const folder = await showDirectoryPicker({ mode: "readwrite" });
  const photos = [];
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === "file" && PICTURE.test(name)) photos.push({ name, album: "", file: await handle.getFile(), from: folder });
    if (handle.kind !== "directory" || name.startsWith(".")) continue;
    for await (const [inner, file] of handle.entries()) {
      if (file.kind === "file" && PICTURE.test(inner)) photos.push({ name: inner, album: name, file: await file.getFile(), from: handle });
    }
  }
  return { folder, photos: photos.sort(byName) };
}

/** The photos of a file field with webkitdirectory. Paths begin with the folder's name. */
export function listed(files) {
  return Array.from(files, (file) => ({ file, path: file.webkitRelativePath.split("/").slice(1) }))
    .filter(({ file, path }) => PICTURE.test(file.name) && path.length <= 2)
    .map(({ file, path }) => ({ name: file.name, album: path.length === 2 ? path[0] : "", file, from: null }))
    .sort(byName);
}

/** Moves a photo into a subfolder: writes it there, then removes the original. */
export async function move(photo, folder, album) {
  const to = await folder.getDirectoryHandle(album, { create: true });
  const name = await free(to, photo.name);
  const copy = await (await to.getFileHandle(name, { create: true })).createWritable();
  await copy.write(photo.file);
  await copy.close();
  await photo.from.removeEntry(photo.name);
  Object.assign(photo, { name, album, from: to, file: await (await to.getFileHandle(name)).getFile() });
}

/** A free file name in the folder: a.jpg, a (2).jpg, … */
async function free(folder, name) {
  const [, stem, ending] = name.match(/^(.*?)(\.[^.]*)?$/);
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${stem} (${n})${ending ?? ""}`;
    try {
      await folder.getFileHandle(candidate);
    } catch (error) {
      if (error.name === "NotFoundError") return candidate;
      throw error;
    }
  }
}

const byName = (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true });
