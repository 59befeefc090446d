/**
 * Types of deepemd.js: few-shot image classification in the page. What travels
 * between the page and its worker is in protocol.d.ts.
 */

import type { Global, Listener, Listening, Unlistening, WebAssemblyModule } from "./global.js";
import type { Network } from "./project.js";
import type {
  Choice, Choices, Classifier, ErrorCode, Info, Method, Reviewed as Review, ReviewedExample, Score, Solver, Strangers, Unknown, Weighting,
} from "./protocol.js";

export type { Choice, Choices, Classifier, ErrorCode, Info, Method, Review, ReviewedExample, Score, Solver, Strangers, Unknown, Weighting };

/** Pixels, row by row: RGB or RGBA, told apart by length. Alpha is ignored. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/**
 * Anything that shows a picture. Files and Blobs that hold JPEG, PNG or WebP, and the bytes of
 * such a file, are decoded by the engine, with the same result as natively; other kinds by the
 * browser. Nothing given is consumed: bitmaps and frames stay the caller's.
 */
export type Source =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | Global<"ImageBitmap">
  | Global<"ImageData">
  | Global<"HTMLImageElement">
  | Global<"HTMLVideoElement">
  | Global<"HTMLCanvasElement">
  | Global<"OffscreenCanvas">
  | Global<"VideoFrame">
  | Pixels
  | Global<"AudioBuffer">
  | Sound;

/**
 * Samples of a microphone, one channel, full scale ±1. With the option sound the engine takes them, AudioBuffers, and
 * Files and Blobs that hold MP3 or WAV, of up to a minute. The second around the loudest sound counts: its spectrogram is
 * the picture that is embedded.
 */
export interface Sound {
  samples: Float32Array;
  /** Samples a second. */
  rate: number;
}

/**
 * A file: its address, relative to the page, or its content. A Response is read, and must not have been read before;
 * nothing else is consumed.
 */
export type Given = string | URL | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Response;

export interface Options {
  /** The network. Default: resnet12-s, with sound resnet12-sound. */
  weights?: Given;
  /** Tell sounds apart instead of pictures: loads an engine and, by default, a network that are made for it. Default false. */
  sound?: boolean;
  /** The folder of worker.js and the engines, where they are not those of the package. */
  base?: string | URL;
  /** The engine, where it is not the one in base: a file, or compiled already. */
  engine?: Given | WebAssemblyModule;
  /** The worker's script, where it is not worker.js in base. */
  worker?: Given;
  /**
   * How things are recognised, all of it: the method of a project file, or of another engine. What it leaves out is as by
   * default (see Method); the options below change single settings of it.
   */
  method?: MethodOption;
  /** What learns the classes: see Method. */
  classifier?: Classifier;
  /** How much each region counts: see Method. */
  weighting?: Weighting;
  /** How regions are matched: see Method. */
  solver?: Solver;
  /** The higher, the surer: what similarities from −1 to 1 are multiplied with. See Method. */
  temperature?: number;
  /** Make up for classes that have more examples than others: see Method. */
  balance?: boolean;
  /** Say of every picture whether it is any of the classes (Answer.unknown): see Method, strangers. */
  unknown?: boolean;
  /** How well known a picture must look not to count as unknown: 0 lets most in, 1 turns most away, 0.5 errs as often either way. See Method, strangers. */
  strictness?: number;
  /** How a picture becomes local embeddings: see Method. */
  embedder?: Embedder;
  /** With fcn: sides of coarser maps that are added to the network's, such as [2, 1]. */
  pyramid?: number[];
  /**
   * Do not match to the end with classes that cannot win: faster with very many classes. The best class and its logit are
   * exact; of the others there may be only upper bounds, which say so (Score.bound). It gains nothing while unknown
   * pictures are told, which takes all scores: say unknown: false. Default false.
   */
  skip?: boolean;
  /**
   * How many workers encode the crops of a picture (grid, sampling) at the same time, each with a network of its own in
   * memory. Default 1. There are fewer where the browser or its memory do not allow them: info.workers says how many.
   */
  workers?: number;
  /** Milliseconds without a word after which a computing engine counts as dead and is restarted. Default 60000. */
  timeout?: number;
  /** Called while the engine and the weights arrive. */
  onProgress?: (progress: Progress) => void;
}

/**
 * How a picture becomes local embeddings. What is left out is as by default (see Method).
 *
 * - fcn: one for each position of the network's map. One pass through the network.
 * - grid: one for each cell of grids laid over the picture, such as [2, 3]; its crop has `ratio` times the cell's side. A pass
 *   for each crop.
 * - sampling: one for each of so many random crops (`patches`), which depend on `seed` and the picture alone. A pass for each.
 */
export type Embedder =
  | { kind: "fcn"; pyramid?: number[] }
  | { kind: "grid"; grid?: number[]; ratio?: number }
  | { kind: "sampling"; patches?: number; seed?: number };

/** A method of which anything may be left out. */
export type MethodOption = Partial<Omit<Method, "embedder" | "strangers">> & { embedder?: Partial<Method["embedder"]>; strangers?: Partial<Strangers> };

export interface Progress {
  stage: "engine" | "weights" | "ready";
  /** Bytes so far, as they are after decompression. */
  loaded: number;
  /** Bytes in all, never fewer than have arrived; 0 where nobody knows: an engine that is not the package's, from a server that does not say. */
  total: number;
}

export interface TrainOptions {
  /** How often each example is learned from. Default 100, as in the paper. */
  passes?: number;
  /** Also find out what is gained (Training.heldOut): up to five times as much again. Default true. */
  check?: boolean;
  /** Passes so far, those of the check among them. */
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Aborts: train then rejects with the signal's reason, and nothing has changed. */
  signal?: AbortSignal;
}

export interface Training {
  passes: number;
  ms: number;
  /**
   * What it is worth, by cross-validation: of so many examples that were held out in turn, how many the means of the rest
   * recognised, and how many what was learned from the rest. Undefined without the check, and where every class has one
   * example.
   */
  heldOut?: { of: number; before: number; after: number };
}

export interface Answer {
  /** One for every class that has examples, best first. */
  scores: Score[];
  /** Milliseconds from call to answer; of them in the network, and in matching. */
  ms: number;
  embedMs: number;
  matchMs: number;
  /** Whether it is any of the classes: where the method names strangers (see Method), or when asked for. */
  unknown?: Unknown;
  /** What was embedded (RGB), when asked for: see Example. */
  pixels?: { width: number; height: number; data: Uint8Array };
  /** Of a sound, with pixels: the second that was embedded, at 16 kHz. */
  second?: Float32Array;
  /** Why, when asked for. It is missing in the rare case that its example was removed while the answer was on its way. */
  explanation?: Explanation;
}

/**
 * Why a picture is so like a class, or so unlike: its match with the one example of the class that it matches best. Each
 * picture is a set of nodes, one for each of its regions; the match sends the weight of the picture's nodes to those of
 * the example in the way that collects most similarity.
 */
export interface Explanation {
  classId: string;
  label: string;
  /** The example, as addExample returned it. */
  example: Example;
  /** How well the two match: the sum of the links' scores. It is the class's logit where the class has one example. */
  score: number;
  /** What either side's weights sum to: the picture's number of nodes. */
  total: number;
  /** The factor between similarities and scores. */
  temperature: number;
  /** Nodes of the picture and of the example. */
  query: Node[];
  support: Node[];
  /** Which node matched which: pairs that exchange weight, most first. */
  flow: Link[];
  /** [query.length, support.length], row by row: how alike every two nodes are, −1 to 1. */
  similarity: Float32Array;
}

/** A region of a picture, in fractions of the square that was embedded, from the top left, and how much it counts. */
export interface Node {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  weight: number;
}

/** Weight that goes from a node of the picture to one of the example. */
export interface Link {
  from: number;
  to: number;
  amount: number;
  similarity: number;
  /** What it adds to the explanation's score: temperature / total · similarity · amount. */
  score: number;
}

export interface Example {
  id: string;
  classId: string;
  /** Side in pixels: of the network's input or, with grid and sampling, of the square that crops are cut from. */
  size: number;
  /** RGB, size·size·3: exactly what was embedded; of a sound its spectrogram. */
  pixels: Uint8Array;
  /**
   * More of the picture than was embedded, where there was more: the square that other embedders would look at, of four
   * times the network's side at most. Kept until all originals take 128 MB.
   */
  original?: { size: number; pixels: Uint8Array };
  /** Of a sound: the second that was embedded, at 16 kHz. */
  second?: Float32Array;
  /** Its local embeddings, info.nodes·info.channels. Given back to addExample with the pixels, they save a pass through the network. */
  embedding: Float32Array;
}

export interface TaughtClass {
  id: string;
  label: string;
  /** False while it is passed over: see enableClass. */
  enabled: boolean;
  examples: Example[];
}

export class DeepEMDError extends Error {
  constructor(code: ErrorCode, message: string);
  readonly code: ErrorCode;
}

/** Detail of the event "crash". */
export interface Crash {
  code: ErrorCode;
  message: string;
  /** False when restarting failed too: the next call tries again. */
  restarting: boolean;
}

export interface DeepEMDEvents {
  /** The engine died. Every class and example is kept. */
  crash: CustomEvent<Crash>;
  /** The engine runs again and has been taught everything again. */
  restart: CustomEvent<{ message: string }>;
  /** Examples are embedded in another way than before, by configure or replace: network() says so, and their embeddings are others. */
  embed: CustomEvent<{ message: string }>;
}

/** What replace puts in the place of all that was taught. Ids need only be unique in it. */
export interface Draft {
  addClass(label: string, options?: { id?: string; enabled?: boolean }): Promise<string>;
  addExample(classId: string, source: Source, options?: { id?: string; embedding?: Float32Array }): Promise<Example>;
  /** Whose embeddings its examples have. */
  network(): Promise<Network>;
}

export class DeepEMD extends EventTarget {
  /** Starts an engine. Rejects with a DeepEMDError. */
  static create(options?: Options): Promise<DeepEMD>;
  private constructor();

  readonly info: Info;
  /** How things are recognised, in full: what options left out is there. */
  readonly method: Method;
  /** What the engine can be told to do, the defaults first. */
  readonly choices: Choices;
  /** The weights file, to hand on. */
  readonly weights: ArrayBuffer;
  /** Whose embeddings the examples have, as a project file says it: see project.d.ts. */
  network(): Promise<Network>;
  /** What was taught, in order: a snapshot. */
  readonly classes: TaughtClass[];

  addClass(label: string, options?: { id?: string }): Promise<string>;
  renameClass(id: string, label: string): Promise<void>;
  removeClass(id: string): Promise<void>;
  /** embedding: that of an Example whose pixels are the source, from an engine of the same network and embedder. */
  /** With `answer`, also what the picture is taken for now that it was taught: a live label without another pass through the network. */
  addExample(
    classId: string,
    source: Source,
    options?: { id?: string; embedding?: Float32Array; answer?: boolean },
  ): Promise<Example & { answer?: Answer }>;
  enableClass(id: string, enabled: boolean): Promise<void>;
  /**
   * Changes options; what was taught is kept, embedded again where that is needed, while the engine goes on answering.
   * Rejects, with everything as it was, for bad options and when the signal is aborted.
   */
  configure(changes: Options, how?: { onProgress?: (done: number, total: number) => void; signal?: AbortSignal }): Promise<void>;
  /**
   * Puts something else in the place of all that was taught, with a method of its own (what it leaves out is as by default):
   * whole, or not at all where `teach` rejects or the engine dies; it rejects then, and all is as it was. Meanwhile the
   * engine goes on answering. Changes of options wait until it is over.
   */
  replace(method: MethodOption, teach: (draft: Draft) => Promise<void>): Promise<void>;
  review(): Promise<Review>;
  removeExample(exampleId: string): Promise<void>;
  /** Rejects with code "empty" before the first example. */
  classify(source: Source, options?: { pixels?: boolean; explain?: boolean | string; unknown?: boolean }): Promise<Answer>;
  /**
   * Why a picture is so like a class, or so unlike. Default: the picture that was classified last (no pass through the
   * network is needed), and the class that it was taken for. Rejects with code "empty" before the first classification,
   * and for a class without examples.
   */
  explain(options?: { source?: Source; classId?: string }): Promise<Explanation>;
  /**
   * Learns the classes from their examples, off the page's main thread and in slices: other calls are answered in between.
   * From then on answers come from what was learned, until an example comes or goes or the engine is restarted. Rejects
   * with code "empty" unless two classes have examples, "changed" when examples come or go meanwhile.
   */
  train(options?: TrainOptions): Promise<Training>;
  /** Whether answers come from what train has learned. */
  readonly learned: boolean;
  dispose(): void;

  addEventListener<K extends keyof DeepEMDEvents>(
    type: K,
    listener: (this: DeepEMD, event: DeepEMDEvents[K]) => unknown,
    options?: Listening,
  ): void;
  addEventListener(type: string, listener: Listener, options?: Listening): void;
  removeEventListener<K extends keyof DeepEMDEvents>(
    type: K,
    listener: (this: DeepEMD, event: DeepEMDEvents[K]) => unknown,
    options?: Unlistening,
  ): void;
  removeEventListener(type: string, listener: Listener, options?: Unlistening): void;
}

/** A picture on its way to the worker. */
export type Picture = { file: Blob } | { frame: Global<"ImageBitmap"> | Global<"VideoFrame"> } | { width: number; height: number; data: Uint8Array } | Sound;

/** What the worker sends: replies, each with the id of its request and in their order, and news. */
export type Message =
  | { id: number; ok: true }
  | { id: number; ok: false; error: { code: ErrorCode; message: string } }
  | ({ type: "progress" } & Progress)
  /** The engine has ended; the worker answers nothing more. */
  | { type: "down"; error: { code: "crashed" | "out-of-memory"; message: string } };
