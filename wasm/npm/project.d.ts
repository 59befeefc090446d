/**
 * Project files (*.deepemd): classes, examples and method in one file. core/project/FORMAT.md describes the file.
 *
 * A file holds the images exactly as the model saw them, their embeddings, and the method. An engine with the same model
 * (`engine.network()`) uses the embeddings; any other engine embeds the images again.
 *
 * @packageDocumentation
 */

import type { Abortable, DeepEMD, Given } from "./deepemd.js";
import type { Embedder, Method } from "./protocol.js";

/** The model that made embeddings. Features that a page computes itself have only a name and a shape. */
export interface Network {
  /** Such as resnet12-photo. */
  name: string;
  /** SHA-256 of the weights file, in hexadecimal. */
  sha256?: string;
  /** How an image becomes local embeddings. */
  embedder?: Embedder;
  /** Local embeddings per image. */
  nodes: number;
  /** The length of each node. */
  channels: number;
  /** How an image becomes the model's input. */
  preprocess?: { size: number; resize: number; mean: number[]; std: number[] };
}

/** An example in a manifest. */
export interface ManifestExample {
  /** Its id, unique in the file. */
  id: string;
  /** The name of its image in the file. Only examples of features may lack it. */
  picture?: string;
}

/** A class in a manifest. */
export interface ManifestClass {
  /** Its id, unique in the file. */
  id: string;
  /** The name that users see. */
  label: string;
  /** The number of its color in the studio. */
  hue?: number;
  /** Whether the class is disabled. */
  disabled?: boolean;
  /** Whether it is a background class: see {@link DeepEMD.addClass}. */
  nothing?: boolean;
  /** In the order in which they were added. */
  examples: ManifestExample[];
}

/** Everything except images and embeddings. */
export interface Manifest {
  /** Identifies a project among other archives. */
  format: "deepemd-project";
  /** The version of the format. */
  version: number;
  /** The kind of examples: images, sounds, or features that a page computes. */
  kind: "image" | "sound" | "features";
  /** The project's name. */
  name: string;
  /** The program that wrote the file. */
  generator?: string;
  /** When the project was created (RFC 3339). */
  created?: string;
  /** When it was saved (RFC 3339). */
  saved?: string;
  /** The complete method. */
  method: Method;
  /** Data of other programs, by name. It is kept. */
  extensions?: Record<string, unknown>;
  /** Names of extensions that a reader must support to answer correctly. */
  requires?: string[];
  /** How images became the model's input. */
  preprocess?: NonNullable<Network["preprocess"]>;
  /** The model that made the embeddings in the file. */
  network?: Omit<Network, "preprocess">;
  /** In order. */
  classes: ManifestClass[];
}

/** A manifest without the fields that packProject adds. */
export type Draft = Omit<Manifest, "format" | "version" | "preprocess" | "network" | "classes"> & {
  classes: (Omit<ManifestClass, "examples"> & { examples: { id: string }[] })[];
};

/** The image and embedding of an example: see Example of deepemd.js. */
export interface Content {
  /** The side in pixels; 0 for features without an image. */
  size: number;
  /** [size, size, 3], RGB. */
  pixels: Uint8Array;
  /** [nodes, channels], node by node. Without embeddings, the file is smaller, and opening it embeds the images again. */
  embedding?: Float32Array | undefined;
}

/** A project file that was opened and checked. Images and embeddings are read on demand. */
export interface Unpacked {
  /** Everything except images and embeddings. */
  manifest: Manifest;
  /** The number of examples. */
  count: number;
  /**
   * The address of the package's model that taught the project, for the option `weights` of DeepEMD.create; undefined for the
   * default model, and for models that the package lacks.
   */
  weights?: URL | undefined;
  /** An example's image as a PNG file. Only examples of features may lack it. */
  picture(example: ManifestExample): Promise<Blob>;
  /**
   * The embedding of the example with this index among all examples, class by class; undefined if the file has no embeddings of
   * the given model.
   */
  embedding(index: number, network: Network): Promise<Float32Array | undefined>;
}

/** A project file, or its address, relative to the page. */
export type ProjectFile = Given;

/** Options of {@link openProject} and {@link unpackProject}. */
export interface OpenOptions extends Abortable {
  /** Called with the number of finished examples and of all examples. */
  onProgress?: OnExamples | undefined;
}

/** Options of {@link saveProject}. */
export interface SaveOptions extends Abortable {
  /** The project's name, of up to 1000 characters (Unicode code points). Default "". */
  name?: string | undefined;
  /** When the project was created (RFC 3339), such as "2026-05-01T12:00:00Z". */
  created?: string | undefined;
  /** Data of other programs, by name. */
  extensions?: Record<string, unknown> | undefined;
}

/** Called with the number of finished examples and of all examples. */
export type OnExamples = (done: number, all: number) => void;

/**
 * Writes a project file; content returns an example's image and embedding. Rejects with the code "bad-argument" for what readers
 * reject: long names, times that are not RFC 3339, duplicate ids, and a manifest above 32 MB.
 */
export function packProject(draft: Draft, network: Network, content: (exampleId: string) => Content): Promise<Blob>;

/**
 * Opens a file and checks all of it. Rejects with the code "bad-project" for a file that is damaged or is not a project, and
 * "newer-project" for a file that a newer version wrote or that requires an unknown extension.
 */
export function unpackProject(file: ProjectFile, options?: OpenOptions): Promise<Unpacked>;

/**
 * Saves an engine's classes, examples and method. Rejects like packProject.
 *
 * @example
 * ```js
 * import { saveProject } from "deepemd/project";
 * const file = await saveProject(engine, { name: "Cups and pens" }); // a Blob
 * ```
 */
export function saveProject(engine: DeepEMD<any>, options?: SaveOptions): Promise<Blob>;

/**
 * Replaces an engine's classes, examples and method by a project's, all or nothing. The same images then get the same scores and
 * verdicts as in the program that saved the file. After a failure the engine is unchanged. Rejects like unpackProject and
 * addExample, with the code "wrong-kind" for a project of sounds in an engine for images or the reverse, with "wrong-network" for
 * features of another name or shape than the engine's, and with the signal's reason. To keep more about a project, use
 * unpackProject and packProject; for projects from other sources, use DeepEMD.replace.
 *
 * @example
 * ```js
 * import { openProject } from "deepemd/project";
 * await openProject(engine, "cups.deepemd", { onProgress: (done, all) => show(done / all) });
 * ```
 */
export function openProject(engine: DeepEMD<any>, file: ProjectFile | Unpacked, options?: OpenOptions): Promise<Manifest>;
