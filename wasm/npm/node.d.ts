/**
 * Types of deepemd/node. Everything is as in a page (deepemd.d.ts), but that a string is the
 * path of a file unless it begins as an address does (https:, file:, data:, blob:), and that there are no elements.
 */

import type { DeepEMD } from "./deepemd.js";
import type { Manifest, OnExamples, Unpacked } from "./project.js";

export * from "./deepemd.js";
export { packProject, unpackProject } from "./project.js";
export type { Content, Manifest, ManifestClass, ManifestExample, Network, OnExamples, Unpacked } from "./project.js";

/**
 * Saves what an engine was taught, with its method, and writes it to a file where `to` names one: whole, or not at all.
 * Resolves to the file's content. created: when the project began, as in RFC 3339.
 */
export function saveProject(
  engine: DeepEMD,
  options?: { to?: string | URL; name?: string; created?: string; extensions?: Record<string, unknown> },
): Promise<Blob>;

/**
 * Puts a project in the place of all that an engine was taught, whole or not at all: see openProject of project.d.ts. A
 * string is the path of a file, or an address. Rejects with code "network" for a file that cannot be read.
 */
export function openProject(
  engine: DeepEMD,
  file: string | URL | Blob | ArrayBuffer | Uint8Array | Unpacked,
  options?: { onProgress?: OnExamples; signal?: AbortSignal },
): Promise<Manifest>;
