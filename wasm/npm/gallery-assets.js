// @ts-check
/**
 * Where the gallery's worker and program lie: apart from assets.js, so that bundlers put
 * neither into a page that has no gallery.
 */

/** The worker's script. */
export const galleryWorker = { get url() { return new URL("./gallery-worker.js", import.meta.url); } };

/** The program. */
export const galleryProgram = { get url() { return new URL("./deepemd-gallery.wasm", import.meta.url); } };
