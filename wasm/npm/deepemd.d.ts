/**
 * Types of deepemd.js: few-shot image classification in the page.
 *
 * The first part is for users of the package. The second, "the worker's
 * protocol", is what deepemd.js and worker.js say to each other.
 */

import type { Network } from "./project.js";

/** Pixels, row by row: RGB or RGBA, told apart by length. Alpha is ignored. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/**
 * Anything that shows a picture. Files and Blobs that hold JPEG, PNG or WebP are
 * decoded by the engine, with the same result as natively; other kinds by the
 * browser. Nothing given is consumed: bitmaps and frames stay the caller's.
 */
export type Source =
  | Blob
  | ImageBitmap
  | ImageData
  | HTMLImageElement
  | HTMLVideoElement
  | HTMLCanvasElement
  | OffscreenCanvas
  | VideoFrame
  | Pixels
  | AudioBuffer
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

export interface Options {
  /** The network: an address, relative to the page, or a file's content. Default: ../weights/resnet12-s.safetensors from base. */
  weights?: string | URL | ArrayBuffer;
  /** Tell sounds apart instead of pictures: loads an engine and, by default, a network that are made for it. Default false. */
  sound?: boolean;
  /** Where worker.js, deepemd.wasm and wasm_exec.js lie. Default: beside deepemd.js. */
  base?: string | URL;
  /** The engine, deepemd.wasm, where a page has it already: its content, or compiled. Default: fetched from base. */
  engine?: ArrayBuffer | WebAssembly.Module;
  /** The address of the worker's script. Default: worker.js in base. One in a Blob (blob:…) must have its imports bundled. */
  worker?: string | URL;
  /**
   * "prototype": match with the mean of a class's examples. "nearest": with each, the best counts. "fusion": with each,
   * the mean counts. "merge": with the regions of all at once. "cosine": without matching, by mean features. Default
   * "prototype".
   */
  classifier?: "prototype" | "nearest" | "fusion" | "merge" | "cosine";
  /** How much each region counts: by its likeness to the other picture (the paper's), or all alike. Default "cross-reference". */
  weighting?: "cross-reference" | "equal";
  /**
   * Do not match to the end with classes that cannot win: faster with very many classes. The best class and its logit are
   * exact; of the others there may be only upper bounds, which say so (Score.bound). Default false.
   */
  skip?: boolean;
  /** How regions are matched: each as cheaply as can be, or each with all others alike. Default "simplex". */
  solver?: "simplex" | "dense";
  /** The higher, the surer: what similarities from −1 to 1 are multiplied with. Default 12.5. */
  temperature?: number;
  /** How well known a picture must look not to count as unknown: 0 lets most in, 1 turns most away, 0.5 errs as often either way. Default 0.4. */
  strictness?: number;
  /** How a picture becomes local embeddings. Default { kind: "fcn" }. */
  embedder?: Embedder;
  /** With fcn: sides of coarser maps that are added to the network's, such as [2, 1]. Default none. */
  pyramid?: number[];
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
 * How a picture becomes local embeddings.
 *
 * - fcn: one for each position of the network's map. One pass through the network.
 * - grid: one for each cell of grids laid over the picture, such as [2, 3]; its crop has `ratio` times the cell's side
 *   (default 2). A pass for each crop.
 * - sampling: one for each of so many random crops (`patches`, default 9), which depend on `seed` (default 0) and the
 *   picture alone. A pass for each.
 */
export type Embedder =
  | { kind: "fcn"; pyramid?: number[] }
  | { kind: "grid"; grid?: number[]; ratio?: number }
  | { kind: "sampling"; patches?: number; seed?: number };

export interface Progress {
  stage: "engine" | "weights" | "ready";
  /** Bytes so far. */
  loaded: number;
  /** Bytes in all; 0 where the server does not say. */
  total: number;
}

export interface Info {
  /** Short name of the network. */
  name: string;
  /** Version of the engine. */
  version: string;
  /** Which kernels compute: "simd128-fma" (fused multiplications), "simd128" or "generic". */
  kernels: string;
  /** Side in pixels of the square that the network sees. */
  inputSize: number;
  /** How pixels are normalised: mean and standard deviation of red, green and blue, on a scale of 0 to 1. */
  preprocess: { size: number; resize: number; mean: number[]; std: number[] };
  /** Channels of the network's four blocks. */
  widths: number[];
  /** Local embeddings of a picture, and their length. */
  nodes: number;
  channels: number;
  /** Passes through the network that a picture takes: 1, or the number of its crops. */
  crops: number;
  /** Workers that encode them at the same time. */
  workers: number;
}

export interface Score {
  id: string;
  label: string;
  /** Probability, 0 to 1, among the classes that have examples. */
  score: number;
  /** DeepEMD's score times its temperature: what the softmax takes. */
  logit: number;
  /** With the option skip: true where logit is only an upper bound, of a class that cannot win. */
  bound?: boolean;
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
  /** Whether it is any of the classes, when asked for. */
  unknown?: Unknown;
  /** What was embedded (RGB), when asked for: see Example. */
  pixels?: { width: number; height: number; data: Uint8Array };
  /** Of a sound, with pixels: the second that was embedded, at 16 kHz. */
  second?: Float32Array;
  /** Why, when asked for. It is missing in the rare case that its example was removed while the answer was on its way. */
  explanation?: Explanation;
}

/**
 * Why a picture is as like a class as it is: its match with the one example of the class that it matches best. Each
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

/**
 * Whether a picture is of none of the classes. The examples say themselves what known and unknown pictures look like:
 * each is left out of its class in turn, and then with its whole class.
 */
export interface Unknown {
  unknown: boolean;
  /** How well known it looks, and how well it must. */
  score: number;
  threshold: number;
  /** The threshold at a strictness of 0.5. */
  balanced: number;
  /** True while no class has two examples: the threshold is then one that was measured on other things. */
  estimated: boolean;
}

/** What the examples of enabled classes say about themselves. */
export interface Review {
  examples: ReviewedExample[];
  /** How alike pictures of a class are to it, in logits at the usual temperature. */
  classes: { id: string; level: number }[];
  /** Scores (see Unknown) of examples left out of their class, and of examples whose whole class was left out. */
  known: number[];
  unknown: number[];
  /** The threshold at a strictness of 0.5; 0 and 1 lie 2.5 below and above. */
  balanced: number;
  estimated: boolean;
  /** Shares of unknown pictures let in and of known ones turned away by the balanced threshold, as measured elsewhere. */
  accepted: number;
  rejected: number;
  /** The example whose removal would raise the others' mean margin most, by gain; undefined where none would. */
  worst?: string;
  gain: number;
}

export interface ReviewedExample {
  id: string;
  classId: string;
  problem?: "dark" | "bright" | "blurred";
  /** An earlier example of the class that is all but the same. */
  twin?: string;
  /** The class that it is taken for when it is left out, and by how much its own is ahead; undefined where it is the only one. */
  taken?: string;
  margin: number;
}

export interface TaughtClass {
  id: string;
  label: string;
  /** False while it is passed over: see enableClass. */
  enabled: boolean;
  examples: Example[];
}

export type ErrorCode =
  /** Not a picture, or a broken one. */
  | "bad-image"
  /** Not a recording, or a broken one. */
  | "bad-sound"
  /** A sound in which nothing is heard. */
  | "silent"
  /** Not a weights file for this engine, or a broken one. */
  | "bad-weights"
  /** An argument out of its range, or an id that is taken. */
  | "bad-argument"
  /** The engine died; it is being restarted. */
  | "crashed"
  /** Classify before any example was taught, explain before anything was classified. */
  | "empty"
  | "unknown-class"
  | "unknown-example"
  /** Examples came or went while the classes were learned. */
  | "changed"
  /** The engine died for lack of memory; it is being restarted in a smaller form. */
  | "out-of-memory"
  /** A file could not be fetched. */
  | "network"
  /** Not a project file, or a damaged one; and one that a newer version wrote. */
  | "bad-project"
  | "newer-project"
  /** The browser lacks something. */
  | "unsupported"
  | "disposed"
  | "internal";

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
  /** Options have changed so that every example was embedded anew: network() says another thing, and so do their embeddings. */
  embed: CustomEvent<{ message: string }>;
}

export class DeepEMD extends EventTarget {
  /** Starts an engine. Rejects with a DeepEMDError. */
  static create(options?: Options): Promise<DeepEMD>;
  private constructor();

  readonly info: Info;
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
   * Changes options; what was taught is kept, embedded anew where that is needed, while the engine goes on answering.
   * Rejects, with everything as it was, for bad options and when the signal is aborted.
   */
  configure(changes: Options, how?: { onProgress?: (done: number, total: number) => void; signal?: AbortSignal }): Promise<void>;
  review(): Promise<Review>;
  removeExample(exampleId: string): Promise<void>;
  /** Rejects with code "empty" before the first example. */
  classify(source: Source, options?: { pixels?: boolean; explain?: boolean | string; unknown?: boolean }): Promise<Answer>;
  /**
   * Why a picture is as like a class as it is. Default: the picture that was classified last (no pass through the
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
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof DeepEMDEvents>(
    type: K,
    listener: (this: DeepEMD, event: DeepEMDEvents[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}

// The worker's protocol. Every request carries an id and gets exactly one reply
// with that id, in the order of the requests, unless the worker goes down.

/** A picture on its way to the worker. */
export type Picture = { file: Blob } | { frame: ImageBitmap | VideoFrame } | { width: number; height: number; data: Uint8Array } | Sound;

export type Request =
  | {
      type: "init";
      engine: string | ArrayBuffer | WebAssembly.Module;
      weights: string | ArrayBuffer;
      classifier: string;
      weighting: string;
      solver: string;
      temperature?: number;
      skip: boolean;
      embedder: Embedder;
      workers: number;
      lowMemory: boolean;
      sound: boolean;
    }
  | { type: "addClass"; classId: string; label: string }
  | { type: "renameClass"; classId: string; label: string }
  | { type: "removeClass"; classId: string }
  | { type: "addExample"; classId: string; exampleId: string; picture: Picture; embedding?: Float32Array; answer?: boolean }
  | { type: "removeExample"; exampleId: string }
  | { type: "enableClass"; classId: string; enabled: boolean }
  | { type: "configure"; classifier: string; weighting: string; solver: string; temperature?: number; skip: boolean }
  | { type: "review" }
  | { type: "classify"; picture: Picture; pixels: boolean; unknown?: boolean; explain?: boolean; classId?: string }
  | { type: "explain"; classId?: string }
  | { type: "train"; passes: number; check: boolean }
  | { type: "trainSlice"; ms: number }
  | { type: "stopTraining" }
  /** Between workers: the crops of a picture, and features of crops. Pictures follow them by their features. */
  | { type: "inputs"; picture: Picture }
  | { type: "encode"; crops: Uint8Array }
  /** For measurements. */
  | { type: "memory" }
  /** For tests: fail in the given way. */
  | { type: "crash"; how: "panic" | "memory" | "exit" | "hang" };

/** What replies carry beside id and ok. */
export interface Replies {
  init: { info: Info; module: WebAssembly.Module; weights: ArrayBuffer };
  addExample: {
    size: number;
    pixels: Uint8Array;
    embedding?: Float32Array;
    second?: Float32Array;
    originalSize?: number;
    original?: Uint8Array;
    scores?: Score[];
    matchMs?: number;
  };
  train: { trained: Trained };
  trainSlice: { trained: Trained };
  memory: { wasm: number; heap: number; allocated: number; collections: number; worstPauseMs: number };
  inputs: { count: number; size: number; pixels: Uint8Array };
  encode: { features: Float32Array };
  review: { review: Review };
  classify: { scores: Score[]; embedMs: number; matchMs: number; unknown?: Unknown; size?: number; pixels?: Uint8Array; second?: Float32Array; explanation?: WireExplanation };
  explain: { explanation: WireExplanation };
}

/** An explanation on its way: nodes as x0, y0, x1, y1, weight each; similarity and flow of all pairs, row by row. */
export interface WireExplanation {
  classId: string;
  label: string;
  exampleId: string;
  score: number;
  total: number;
  temperature: number;
  query: Float32Array;
  support: Float32Array;
  similarity: Float32Array;
  flow: Float32Array;
}

/** How far learning is, and what its check has found. */
export interface Trained {
  done: number;
  total: number;
  finished: boolean;
  of: number;
  before: number;
  after: number;
}

export type Message =
  | { id: number; ok: true }
  | { id: number; ok: false; error: { code: ErrorCode; message: string } }
  | ({ type: "progress" } & Progress)
  /** The engine has ended; the worker answers nothing more. */
  | { type: "down"; error: { code: "crashed" | "out-of-memory"; message: string } };
