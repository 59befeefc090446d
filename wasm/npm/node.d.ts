/**
 * The engine in Node 20 and later, in Deno 2.9 (`deno run --allow-read --allow-net`) and in Bun 1.4. The calls are the same as in a
 * page, and the answers equal the native ones up to rounding. The engine and its `workers` run in threads. Differences:
 *
 * - A source is the path of a file, a `file:` or `https:` address, a Buffer, Uint8Array, ArrayBuffer or Blob of such a file (JPEG, PNG,
 *   WebP; with `sound` MP3, WAV), `{ width, height, data }`, or `{ samples, rate }`. A string that begins with `http:`, `https:`, `file:`, `data:` or
 *   `blob:` is an address; any other string is a path. The same holds for `weights`, `engine` and projects.
 * - `saveProject(engine, { to })` also writes the file.
 * - An idle engine does not keep the program running. `dispose()` ends its thread at once.
 * - `base` and `worker` must be files. Elements and other image formats are not supported.
 * - The types need `@types/node`, but not `"dom"` in `lib`.
 * - A bundler for servers must not bundle the package (esbuild: `external`; Next.js: `serverExternalPackages`), because the thread's script is a separate file.
 *
 * ```js
 * import { DeepEMD, openProject } from "deepemd/node";
 *
 * const engine = await DeepEMD.create();
 * await openProject(engine, "cups.deepemd"); // saved by the studio or by this program
 * const { scores, unknown } = await engine.classify("new/1.jpg");
 * console.log(unknown?.unknown ? "unknown" : scores[0].label);
 * ```
 *
 * @packageDocumentation
 */

import type { DeepEMD } from "./deepemd.js";
import type { SaveOptions as PageSaveOptions } from "./project.js";

export * from "./deepemd.js";
export { openProject, packProject, unpackProject } from "./project.js";
export type {
  Content, Manifest, ManifestClass, ManifestExample, Network, OnExamples, OpenOptions, ProjectFile, Unpacked,
} from "./project.js";

/** Options of {@link saveProject}. */
export interface SaveOptions extends PageSaveOptions {
  /** The path or `file:` URL to write the project to, atomically. Default: no file. */
  to?: string | URL | undefined;
}

/**
 * Saves an engine's classes, examples and method, and resolves to the content of the file. Rejects like saveProject of
 * project.d.ts and, if the file cannot be written, with Node's error.
 */
export function saveProject(engine: DeepEMD<any>, options?: SaveOptions): Promise<Blob>;
