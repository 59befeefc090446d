/** Thumbnails for the search results: the gallery stores only embeddings. IndexedDB stores a thumbnail under the name of its image. */

/** Pixels per side. */
const SIDE = 160;

const STORE = "thumbnails";

let memory = new Map(); // for browsers without storage
const database = opened().catch(() => undefined);

/** Stores an image's central square, which is the model's view. */
export async function keep(name, source) {
  const canvas = await square(source), blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/webp", 0.8));
  await change((store) => store.put(blob, name), () => memory.set(name, blob));
}

/** Removes images. */
export async function forget(names) {
  await change((store) => names.forEach((name) => store.delete(name)), () => names.forEach((name) => memory.delete(name)));
}

/** Removes all images. */
export async function clear() {
  await change((store) => store.clear(), () => memory.clear());
}

/** An image's file; undefined if there is none. */
export async function get(name) {
  const db = await database;
  return db && !memory.has(name) ? asked(db.transaction(STORE).objectStore(STORE).get(name)) : memory.get(name);
}

/** An image element; gray if there is no file. */
export async function shown(name) {
  const blob = await get(name);
  return blob ? square(blob) : Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
}

/** The largest central square of an image: a file, a canvas or a video. */
export async function square(source) {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const bitmap = await createImageBitmap(source), side = Math.min(bitmap.width, bitmap.height);
  canvas.getContext("2d").drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  bitmap.close();
  return canvas;
}

/** Changes the database, or the memory if the database is full. */
async function change(kept, otherwise) {
  const db = await database;
  if (!db) return otherwise();
  const work = db.transaction(STORE, "readwrite");
  kept(work.objectStore(STORE));
  await new Promise((resolve) => {
    work.oncomplete = resolve;
    work.onabort = () => resolve(otherwise());
  });
}

async function opened() {
  const request = indexedDB.open("deepemd-example-gallery", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return asked(request);
}

function asked(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
