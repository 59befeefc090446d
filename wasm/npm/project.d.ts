/**
 * Types of project.js: what was taught, in one file. core/project/FORMAT.md
 * describes the file.
 */

import type { Abortable, DeepEMD } from "./deepemd.js";
import type { Embedder, Method } from "./protocol.js";

/** Whose embeddings examples have. Features that a page computes itself have a name and a shape, and nothing else. */
export interface Network {
  /** Such as resnet12-s. */
  name: string;
  /** Of the weights file, in hexadecimal. */
  sha256?: string;
  /** How a picture becomes local embeddings. */
  embedder?: Embedder;
  /** Local embeddings of a picture. */
  nodes: number;
  /** The length of each. */
  channels: number;
  /** How a picture became the network's input. */
  preprocess?: { size: number; resize: number; mean: number[]; std: number[] };
}

/** What a file says of an example, and where its picture is. */
export interface ManifestExample {
  /** Its id, unique in the file. */
  id: string;
  /** The name of its picture in the file; only examples of features may have none. */
  picture?: string;
}

/** What a file says of a class. */
export interface ManifestClass {
  /** Its id, unique in the file. */
  id: string;
  /** What people call it. */
  label: string;
  /** Which of the studio's colours it has. */
  hue?: number;
  /** Whether it is passed over. */
  disabled?: boolean;
  /** Whether it only says what belongs to no class: see {@link DeepEMD.addClass}. */
  nothing?: boolean;
  /** In the order of teaching. */
  examples: ManifestExample[];
}

/** Everything but pictures and embeddings. */
export interface Manifest {
  /** What tells a project from other archives. */
  format: "deepemd-project";
  /** Of the format. */
  version: number;
  /** What examples are: pictures, sounds, or anything else of which the page computes features. */
  kind: "image" | "sound" | "features";
  /** What people call the project. */
  name: string;
  /** The program that wrote the file. */
  generator?: string;
  /** When the project began, as in RFC 3339. */
  created?: string;
  /** When it was saved, as in RFC 3339. */
  saved?: string;
  /** How things are recognised, in full. */
  method: Method;
  /** What further programs keep with the project, by name; they are passed on. */
  extensions?: Record<string, unknown>;
  /** Names of extensions without which the project would be answered wrongly. */
  requires?: string[];
  /** How pictures became the network's input. */
  preprocess?: NonNullable<Network["preprocess"]>;
  /** Whose embeddings the file has. */
  network?: Omit<Network, "preprocess">;
  /** In order. */
  classes: ManifestClass[];
}

/** What packProject adds to a manifest. */
export type Draft = Omit<Manifest, "format" | "version" | "preprocess" | "network" | "classes"> & {
  classes: (Omit<ManifestClass, "examples"> & { examples: { id: string }[] })[];
};

/** What an example is made of: see Example of deepemd.js. */
export interface Content {
  /** 0 for features without a picture. */
  size: number;
  /** RGB, size·size·3. */
  pixels: Uint8Array;
  /** [nodes, channels], node after node. Without any, the file is smaller, and whoever opens it embeds the pictures. */
  embedding?: Float32Array;
}

/** A project file that was opened and checked; pictures and embeddings are read when they are asked for. */
export interface Unpacked {
  /** Everything but pictures and embeddings. */
  manifest: Manifest;
  /** The number of examples. */
  count: number;
  /** An example's picture as a PNG file. Only examples of features may have none. */
  picture(example: ManifestExample): Promise<Blob>;
  /**
   * The embedding of the example with this place among all, class after class; undefined when the file has none for the
   * given network.
   */
  embedding(index: number, network: Network): Promise<Float32Array | undefined>;
}

/** A project file, or its address, relative to the page. */
export type ProjectFile = string | URL | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** Options of {@link openProject} and {@link unpackProject}. */
export interface OpenOptions extends Abortable {
  /** Called now and then: so many examples of all are done. */
  onProgress?: OnExamples | undefined;
}

/** Options of {@link saveProject}. */
export interface SaveOptions extends Abortable {
  /** What people call the project. Default "". */
  name?: string | undefined;
  /** When the project began, as in RFC 3339. */
  created?: string | undefined;
  /** What further programs keep with the project, by name. */
  extensions?: Record<string, unknown> | undefined;
}

/** Called now and then: so many examples of all are done. */
export type OnExamples = (done: number, all: number) => void;

/** Makes a file of a project; content gives what an example is made of. Rejects with a RangeError beyond 4 GB. */
export function packProject(draft: Draft, network: Network, content: (exampleId: string) => Content): Promise<Blob>;

/**
 * Opens a file and checks all of it. A file of an earlier version becomes one of the present. Rejects with code
 * "bad-project" for a file that is none or is damaged, and "newer-project" for one that a newer version wrote or that
 * requires what this one does not know.
 */
export function unpackProject(file: ProjectFile, options?: OpenOptions): Promise<Unpacked>;

/** Saves what an engine was taught, with its method. Rejects with a RangeError beyond 4 GB. */
export function saveProject(engine: DeepEMD<any>, options?: SaveOptions): Promise<Blob>;

/**
 * Puts a project in the place of all that an engine was taught, with the project's method: the same pictures get the same
 * scores and verdicts as where it was saved. Whole or not at all: rejects as unpackProject and addExample do, with code
 * "wrong-kind" for a project of sounds in an engine for pictures and the other way round, and with the signal's reason; the
 * engine is then what it was.
 */
export function openProject(engine: DeepEMD<any>, file: ProjectFile | Unpacked, options?: OpenOptions): Promise<Manifest>;
