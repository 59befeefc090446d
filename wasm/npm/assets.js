// @ts-check
/**
 * Where the package's own files lie that are loaded when they are needed, and how many
 * bytes each has: 0 in the source, filled in by the build. Bundlers find the files by
 * these addresses, so each is written out.
 *
 * @typedef {{ readonly url: URL, bytes: number }} Asset
 */

/** The worker's script. @type {Asset} */
export const worker = { get url() { return new URL("./worker.js", import.meta.url); }, bytes: 0 };

/** The engine that tells pictures apart. @type {Asset} */
export const engine = { get url() { return new URL("./deepemd.wasm", import.meta.url); }, bytes: 0 };

/** The engine that tells sounds apart. @type {Asset} */
export const soundEngine = { get url() { return new URL("./deepemd-sound.wasm", import.meta.url); }, bytes: 0 };

/** What collects a microphone's samples, where audio is processed. @type {Asset} */
export const recorder = { get url() { return new URL("./recorder.js", import.meta.url); }, bytes: 0 };
