// @ts-check
/**
 * The drawn characters of the page, cut out of one image: a row for each character, a column for
 * each person who drew it. Package web/internal/lessons has their numbers.
 *
 * @typedef Drawing
 * @property {Blob} blob a PNG
 * @property {string} url of the blob, valid while the page is open
 */

/** @type {Promise<ImageBitmap> | undefined} */
let sheet;

/** The drawings so far, by their place in the sheet: each call would make further addresses. @type {Map<string, Promise<Drawing>>} */
const drawings = new Map();

async function load() {
  const response = await fetch(new URL("characters/characters.png", import.meta.url));
  if (!response.ok) throw new Error(`characters.png: ${response.status} ${response.statusText}`);
  return createImageBitmap(await response.blob());
}

/**
 * Cuts out rows of drawings. After a failed download, the next call tries again.
 *
 * @param {number} first row
 * @param {number} rows
 * @param {number} columns
 * @param {number} side of a drawing
 * @returns {Promise<Drawing[]>} row after row
 */
export async function cut(first, rows, columns, side) {
  const picture = await (sheet ??= load().catch((error) => {
    sheet = undefined;
    throw error;
  }));
  const all = [];
  for (let row = first; row < first + rows; row++) {
    for (let column = 0; column < columns; column++) {
      const place = `${row} ${column} ${side}`;
      const known = drawings.get(place) ?? drawing(picture, column * side, row * side, side);
      drawings.set(place, known);
      known.catch(() => drawings.delete(place));
      all.push(known);
    }
  }
  return Promise.all(all);
}

/**
 * @param {ImageBitmap} picture
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @returns {Promise<Drawing>}
 */
async function drawing(picture, x, y, side) {
  const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  canvas.getContext("2d")?.drawImage(picture, x, y, side, side, 0, 0, side, side);
  const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) => canvas.toBlob(resolve));
  if (!blob) throw new Error("the browser has no memory for a drawing");
  return { blob, url: URL.createObjectURL(blob) };
}
