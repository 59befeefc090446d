/**
 * Types of deepemd/node. All is as in a page (deepemd.d.ts), with two differences: a string is the
 * path of a file unless it begins as an address does (https:, file:, data:, blob:), and Node has no elements.
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
  /** The file that the project is written to: whole, or not at all. Default: none. */
  to?: string | URL | undefined;
}

/**
 * Saves what an engine was taught, with its method, and resolves to the content of the file. Rejects as saveProject of
 * project.d.ts does and, where the file cannot be written, with Node's error.
 */
export function saveProject(engine: DeepEMD<any>, options?: SaveOptions): Promise<Blob>;
