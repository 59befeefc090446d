// @ts-check
/**
 * The package's files that are loaded on demand, and their sizes in bytes: 0 in the source, filled
 * in by the build. Bundlers find the files by these addresses, so each is a literal.
 *
 * @typedef {{ readonly url: URL, bytes: number }} Asset
 */

/** The worker's script. @type {Asset} */
export const worker = { get url() { return new URL("./worker.js", import.meta.url); }, bytes: 0 };

/** The engine for images. @type {Asset} */
export const engine = { get url() { return new URL("./deepemd.wasm", import.meta.url); }, bytes: 0 };

/** The engine for sounds. @type {Asset} */
export const soundEngine = { get url() { return new URL("./deepemd-sound.wasm", import.meta.url); }, bytes: 0 };

/** The audio worklet that collects a microphone's samples. @type {Asset} */
export const recorder = { get url() { return new URL("./recorder.js", import.meta.url); }, bytes: 0 };
