/** Which pictures a person gives: files of a field, or what was dropped, folders with all that is in them. */

/** Files that the engine reads. */
const PICTURE = /\.(jpe?g|png|webp)$/i;

/** The pictures of a file field. */
export function chosen(field) {
  const pictures = Array.from(field.files, (file) => picture(file, file.webkitRelativePath || file.name));
  field.value = ""; // the same may be chosen again
  return pictures.filter(({ source }) => PICTURE.test(source.name));
}

/** The pictures of a drop. */
export async function dropped({ items }) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null); // before anything is awaited
  const pictures = [];
  for (const entry of entries) await walk(entry, pictures);
  return pictures;
}

/** Adds the pictures of a file or a folder to a list. */
async function walk(entry, pictures) {
  if (entry.isFile) {
    if (!PICTURE.test(entry.name)) return;
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    pictures.push(picture(file, entry.fullPath.slice(1)));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // a hundred at a time
    if (some.length === 0) return;
    for (const inner of some) await walk(inner, pictures);
  }
}

/** A picture as the gallery takes it. Cameras number their files from 1 again and again: the size tells these apart. */
function picture(file, path) {
  return { name: `${path} ${file.size}`, source: file };
}

/** What to show of a picture's name. */
export function caption(name) {
  return name.replace(/ \d+$/, "");
}
