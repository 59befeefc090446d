// @ts-check
/**
 * The files of galleries, apart from assets.js, so that bundlers leave them out of pages without
 * a gallery.
 */

/** The worker's script. */
export const galleryWorker = { get url() { return new URL("./gallery-worker.js", import.meta.url); } };

/** The program. */
export const galleryProgram = { get url() { return new URL("./deepemd-gallery.wasm", import.meta.url); } };
