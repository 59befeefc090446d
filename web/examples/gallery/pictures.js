/** The images that a user gives: files of a field, or dropped files and folders. */

/** File types that the engine reads. */
const PICTURE = /\.(jpe?g|png|webp)$/i;

/** The images of a file field. */
export function chosen(field) {
  const pictures = Array.from(field.files, (file) => picture(file, file.webkitRelativePath || file.name));
  field.value = ""; // allows choosing the same files again
  return pictures.filter(({ source }) => PICTURE.test(source.name));
}

/** The images of a drop. */
export async function dropped({ items }) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null); // before any await
  const pictures = [];
  for (const entry of entries) await walk(entry, pictures);
  return pictures;
}

/** Adds the images of a file or a folder to a list. */
async function walk(entry, pictures) {
  if (entry.isFile) {
    if (!PICTURE.test(entry.name)) return;
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    pictures.push(picture(file, entry.fullPath.slice(1)));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // at most a hundred at a time
    if (some.length === 0) return;
    for (const inner of some) await walk(inner, pictures);
  }
}

/** An image with its name for the gallery. Cameras reuse file names, so the name includes the size. */
function picture(file, path) {
  return { name: `${path} ${file.size}`, source: file };
}

/** The caption for a name. */
export function caption(name) {
  return name.replace(/ \d+$/, "");
}
