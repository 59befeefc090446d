/**
 * Few-shot recognition of pictures and sounds by optimal matching, in the page, on the
 * device: {@link DeepEMD}.
 *
 * Every call that takes time takes an AbortSignal, as `signal`. Aborted, a call rejects
 * with the signal's reason at once, and all is as if it had never been made. Every other
 * failure is a {@link DeepEMDError}: a {@link ErrorCode} for programs, and a message that
 * names the thing and the remedy for people.
 *
 * @packageDocumentation
 */

import type { Global, Listener, Listening, Unlistening, WebAssemblyModule } from "./global.js";
import type { Network } from "./project.js";
import type {
  Choice, Choices, Classifier, ErrorCode, GrowthClass, GrowthPoint, Hurt, Info, Method, Preprocess, Reviewed as Review, ReviewedClass, ReviewedExample, Score, Shares, Solver, Strangers, Unknown, Weighting,
} from "./protocol.js";

export type { Choice, Choices, Classifier, ErrorCode, GrowthClass, GrowthPoint, Hurt, Info, Method, Preprocess, Review, ReviewedClass, ReviewedExample, Score, Shares, Solver, Strangers, Unknown, Weighting };

/** Pixels, row by row: RGB or RGBA, told apart by length. Alpha is ignored. */
export interface Pixels {
  /** Pixels of a row. */
  width: number;
  /** How many rows. */
  height: number;
  /** 3 or 4 bytes a pixel. */
  data: Uint8Array | Uint8ClampedArray;
}

/**
 * Anything that shows a picture. Files and Blobs that hold JPEG, PNG or WebP, and the bytes of
 * such a file, are decoded by the engine, with the same result as natively; other kinds by the
 * browser. Addresses (a text or a URL, relative to the page) are fetched: another origin has to
 * allow that (CORS). Local embeddings, from {@link DeepEMD.embed} or from a network of one's own,
 * take no pass through the network. Nothing given is consumed: bitmaps and frames stay the caller's.
 */
export type Source =
  | string
  | URL
  | { embedding: Float32Array }
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
  /** One after the other, from −1 to 1. */
  samples: Float32Array;
  /** Samples a second. */
  rate: number;
}

/**
 * A file: its address, relative to the page, or its content. A Response is read, and must not have been read before;
 * nothing else is consumed.
 */
export type Given = string | URL | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Response;

/** What an engine is made with. Unknown options are errors of code `bad-argument`. */
export interface Options {
  /** The network. Default: resnet12-s, with sound resnet12-sound. */
  weights?: Given | undefined;
  /** Tell sounds apart instead of pictures: loads an engine and, by default, a network that are made for it. Default false. */
  sound?: boolean | undefined;
  /** The folder of worker.js and the engines, where they are not those of the package. */
  base?: string | URL | undefined;
  /** The engine, where it is not the one in base: a file, or compiled already. */
  engine?: Given | WebAssemblyModule | undefined;
  /** The worker's script, where it is not worker.js in base. */
  worker?: Given | undefined;
  /**
   * How things are recognised, all of it: the method of a project file, or of another engine. What it leaves out is as by
   * default (see Method); the options below change single settings of it.
   */
  method?: MethodOption | undefined;
  /** What learns the classes: see Method. */
  classifier?: Classifier | undefined;
  /** How much each region counts: see Method. */
  weighting?: Weighting | undefined;
  /** How regions are matched: see Method. */
  solver?: Solver | undefined;
  /** The higher, the surer: what similarities from −1 to 1 are multiplied with. See Method. */
  temperature?: number | undefined;
  /** Make up for classes that have more examples than others: see Method. */
  balance?: boolean | undefined;
  /** Say of every picture whether it is any of the classes (Answer.unknown): see Method, strangers. */
  unknown?: boolean | undefined;
  /**
   * How well known a picture must look not to count as unknown: 0 lets most in, 1 turns most away, 0.5 errs as often either
   * way. The default lets about half of all strangers pass and turns away about one in nine of your own, from five examples
   * of each class. See Method, strangers.
   */
  strictness?: number | undefined;
  /** How a picture becomes local embeddings: see Method. */
  embedder?: Embedder | undefined;
  /** With fcn: sides of coarser maps that are added to the network's, such as [2, 1]. */
  pyramid?: number[] | undefined;
  /**
   * Do not match to the end with classes that cannot win: faster with very many classes. The best class and its logit are
   * exact; of the others there may be only upper bounds, which say so (Score.bound). It gains nothing while unknown
   * pictures are told, which takes all scores: say unknown: false. Default false.
   */
  skip?: boolean | undefined;
  /**
   * How many workers encode the crops of a picture (grid, sampling) at the same time, each with a network of its own in
   * memory. Default 1. There are fewer where the browser or its memory do not allow them: info.workers says how many.
   */
  workers?: number | undefined;
  /** Milliseconds without a word after which a computing engine counts as dead and is restarted. Default 60000. */
  timeout?: number | undefined;
  /** Called while the engine and the weights arrive. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of {@link DeepEMD.create}. */
export interface CreateOptions extends Options {
  /** Aborts the start: the worker is ended, and so are its downloads. Once the engine is there, it has no effect. */
  signal?: AbortSignal | undefined;
}

/** Which features a page computes itself. */
export interface Shape {
  /**
   * Whose they are, in your own words, such as `"dinov2-small"`: a saved project opens for features of the same name and
   * shape, and is refused for others. Default: none.
   */
  name?: string | undefined;
  /** Local embeddings ("nodes") of one thing: positions of a map, patches, words. */
  nodes: number;
  /** The length of each, at least 2. */
  channels: number;
  /**
   * x0, y0, x1 and y1 of the part of a picture that each node comes from, in fractions of its central square, nodes×4: for
   * explanations. Default: the cells of a square map, row by row, where the number of nodes is a square; else the whole.
   */
  regions?: Float32Array | number[] | number[][] | undefined;
}

/** Features that the page has computed, [nodes, channels], node after node. */
export type Computed = Float32Array | { embedding: Float32Array };

/** Options of {@link DeepEMD.matcher}. */
export interface MatcherOptions extends Omit<CreateOptions, "weights" | "sound" | "embedder" | "pyramid" | "workers">, Shape {}

/** What a {@link Backbone} makes of a source. */
export interface Features {
  /** [nodes, channels], node after node: of a network that puts channels outermost, transposed. */
  data: Float32Array | Float64Array | number[];
  /** How many there are: the same for every source. */
  nodes: number;
  /** The length of each: the same for every source. */
  channels: number;
  /** As in {@link Shape}; those of the first answer count. */
  regions?: Float32Array | number[] | number[][] | undefined;
}

/**
 * A network of the page's own: makes features of a source, which it gets as the caller of addExample, classify or embed gave
 * it. It is asked for one source at a time. What it throws becomes an error of code `backbone`.
 */
export type Backbone<T> = (source: T, how: { signal: AbortSignal | undefined }) => Features | Promise<Features>;

/** Options of {@link DeepEMD.create} with a network of the page's own. */
export interface BackboneOptions<T> extends Omit<CreateOptions, "weights" | "sound" | "embedder" | "pyramid" | "workers">, Omit<Shape, "nodes" | "channels"> {
  /** The network in front. */
  backbone: Backbone<T>;
  /** How many nodes a picture has. Default: what the first answer says. */
  nodes?: number | undefined;
  /** The length of each. Default: what the first answer says. */
  channels?: number | undefined;
}

/** Options of {@link DeepEMD.configure}: `base` and `engine` stay for an engine's life, and so does `sound`. */
export type Changes = Omit<Options, "base" | "engine" | "sound">;

/**
 * How a picture becomes local embeddings. What is left out is as by default (see Method).
 *
 * - fcn: one for each position of the network's map. One pass through the network.
 * - grid: one for each cell of grids laid over the picture, such as [2, 3]; its crop has `ratio` times the cell's side. A pass
 *   for each crop.
 * - sampling: one for each of so many random crops (`patches`), which depend on `seed` and the picture alone. A pass for each.
 */
export type Embedder =
  | { kind: "fcn"; pyramid?: number[] | undefined }
  | { kind: "grid"; grid?: number[] | undefined; ratio?: number | undefined }
  | { kind: "sampling"; patches?: number | undefined; seed?: number | undefined };

/** A method of which anything may be left out. */
export type MethodOption = Partial<Omit<Method, "embedder" | "strangers">> & { embedder?: Partial<Method["embedder"]>; strangers?: Partial<Strangers> };

/** How much of what has arrived. */
export interface Progress {
  /** What arrives; `ready` comes once, when the engine runs. */
  stage: "engine" | "weights" | "ready";
  /** Bytes so far, as they are after decompression. */
  loaded: number;
  /** Bytes in all, never fewer than have arrived; 0 where nobody knows: an engine that is not the package's, from a server that does not say. */
  total: number;
}

/** Options of calls that can only be aborted. */
export interface Abortable {
  /** Aborts the call: it then rejects with the signal's reason, and nothing has changed. */
  signal?: AbortSignal | undefined;
}

/** Options of {@link DeepEMD.addExample}. */
export interface AddExampleOptions extends Abortable {
  /** Its id. Default: a new one. */
  id?: string | undefined;
  /**
   * Its local embeddings where they are known: those of an {@link Example} whose pixels are the source, from an engine of the
   * same {@link DeepEMD.network}. They save a pass through the network.
   */
  embedding?: Float32Array | undefined;
  /**
   * With features of your own: a picture of the thing, to be shown and saved. It has no part in answers. Default: what a
   * backbone was given, where that is a picture (an address is none).
   */
  thumbnail?: Source | undefined;
  /** More of the picture, where there is more: of an {@link Example} whose pixels are the source. */
  original?: { size: number; pixels: Uint8Array } | undefined;
  /** Also say what the picture is taken for now that it was taught: a live label without another pass through the network. An example of nothing gets none. */
  answer?: boolean | undefined;
}

/** Options of {@link DeepEMD.classify}. */
export interface ClassifyOptions extends Abortable {
  /** Also return what the network saw. Default false. */
  pixels?: boolean | undefined;
  /** Also say why: for the best class, or for the one with this id. Default false. */
  explain?: boolean | string | undefined;
  /** Say whether it is any of the classes, also where the method names no strangers. Default false. */
  unknown?: boolean | undefined;
  /**
   * The picture is one of a stream: rather than make it wait, the answer may be by what was learned before the latest examples,
   * while more is learned between answers. Default true for a video element and a VideoFrame, else false.
   */
  live?: boolean | undefined;
}

/** Options of {@link DeepEMD.classifyAll}. */
export interface ClassifyAllOptions extends ClassifyOptions {
  /** Called after every source, so many of all being done. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Options of {@link DeepEMD.configure}, beside the changes. */
export interface ConfigureOptions extends Abortable {
  /** Called while examples are embedded again, so many of all being done. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Options of {@link DeepEMD.explain}. */
export interface ExplainOptions<S = Source> extends Abortable {
  /** Default: the picture that was classified last. */
  source?: S | undefined;
  /** The class in question. Default: the best. */
  classId?: string | undefined;
}

/** Options of {@link DeepEMD.train}. */
export interface TrainOptions extends Abortable {
  /** How often each example is learned from. Default 100, as in the paper. */
  passes?: number | undefined;
  /** Also find out what is gained (Training.heldOut): up to five times as much again. Default true. */
  check?: boolean | undefined;
  /** Passes so far, those of the check among them. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** What training has come to. */
export interface Training {
  /** How often each example was learned from. */
  passes: number;
  /** Milliseconds that it took. */
  ms: number;
  /**
   * What it is worth, by cross-validation: of so many examples that were held out in turn, how many the classifier that
   * answers without it recognised by the rest, and how many what was learned from the rest. Undefined without the check, and
   * where every class has one example.
   */
  heldOut?: { of: number; before: number; after: number };
}

/** How recognition grew with the examples. */
export interface Growth {
  /** By the number of examples of each class that answer: 1, 2, 3, 5, 8 … and all. */
  points: GrowthPoint[];
  /** The same by class, for those that have examples: of each point, how many were recognised and of how many. */
  classes: GrowthClass[];
}

/** How to find out. */
export interface GrowthOptions extends Abortable {
  /** What is found so far; points come one by one. Done and total count draws of examples. */
  onProgress?: ((progress: Growth & { done: number; total: number }) => void) | undefined;
}

/** What a picture is taken for. */
export interface Answer {
  /** One for every class that has examples, best first; classes of nothing have none. */
  scores: Score[];
  /** Milliseconds from call to answer. */
  ms: number;
  /** Of them in the network. */
  embedMs: number;
  /** Of them in matching. */
  matchMs: number;
  /** Whether it is any of the classes: where the method names strangers (see Method), examples of nothing were taught, or when asked for. */
  unknown?: Unknown;
  /** What was embedded (RGB), when asked for: see Example. */
  pixels?: { width: number; height: number; data: Uint8Array };
  /** Of a sound, with pixels: the second that was embedded, at 16 kHz. */
  second?: Float32Array;
  /** Why, when asked for. It is missing in the rare case that its example was removed while the answer was on its way. */
  explanation?: Explanation;
}

/** A picture as the network sees it: a set of nodes, each of a region. */
export interface Embedding {
  /** How many nodes there are. */
  nodes: number;
  /** Length of each. */
  channels: number;
  /** [nodes, channels], node after node. */
  data: Float32Array;
  /** [nodes, 4]: each node's region as x0, y0, x1, y1, in fractions of the square that was embedded, from the top left. */
  regions: Float32Array;
  /** [channels]: what the network says of the picture as a whole, where it does so, as transformers do. */
  summary?: Float32Array;
}

/**
 * Why a picture is so like a class, or so unlike: its match with the one example of the class that it matches best. Each
 * picture is a set of nodes, one for each of its regions; the match sends the weight of the picture's nodes to those of
 * the example in the way that collects most similarity.
 */
export interface Explanation {
  /** The class. */
  classId: string;
  /** Its name. */
  label: string;
  /** The example, as addExample returned it. */
  example: Example;
  /** How well the two match: the sum of the links' scores. It is the class's logit where the class has one example. */
  score: number;
  /** What either side's weights sum to: the picture's number of nodes. */
  total: number;
  /** The factor between similarities and scores. */
  temperature: number;
  /** Nodes of the picture. */
  query: Node[];
  /** Nodes of the example. */
  support: Node[];
  /** Which node matched which: pairs that exchange weight, most first. */
  flow: Link[];
  /** [query.length, support.length], row by row: how alike every two nodes are, −1 to 1. */
  similarity: Float32Array;
  /**
   * What the logit of every class is the sum of, in the order of the classes: what the match with all of its examples gave,
   * and what the head added, which the classifier "mixture" learns from the examples. Absent with other classifiers, after
   * train, and where every class has one example: then there is no head.
   */
  head?: Shares[];
}

/** A region of a picture, in fractions of the square that was embedded, from the top left, and how much it counts. */
export interface Node {
  /** Its left edge, 0 to 1. */
  x0: number;
  /** Its upper edge. */
  y0: number;
  /** Its right edge. */
  x1: number;
  /** Its lower edge. */
  y1: number;
  /** How much it counts. */
  weight: number;
}

/** Weight that goes from a node of the picture to one of the example. */
export interface Link {
  /** The node of the picture: its place in query. */
  from: number;
  /** The node of the example: its place in support. */
  to: number;
  /** How much weight goes. */
  amount: number;
  /** How alike the two are, −1 to 1. */
  similarity: number;
  /** What it adds to the explanation's score: temperature / total · similarity · amount. */
  score: number;
}

/**
 * An example as it was taught. Pixels and embedding are copies, a new one at every read: they may be transferred or
 * written into.
 */
export interface Example {
  /** Its id, unique in the engine. */
  readonly id: string;
  /** Its class. */
  readonly classId: string;
  /** 0 for features without a picture; else the side in pixels: of the network's input or, with grid and sampling, of the square that crops are cut from. */
  readonly size: number;
  /** RGB, size·size·3: exactly what was embedded; of a sound its spectrogram; of features of your own the thumbnail. */
  readonly pixels: Uint8Array;
  /**
   * More of the picture than was embedded, where there was more: the square that other embedders would look at, of four
   * times the network's side at most. Kept until all originals take 128 MB.
   */
  readonly original?: { size: number; pixels: Uint8Array };
  /** Of a sound: the second that was embedded, at 16 kHz. */
  readonly second?: Float32Array;
  /** Its local embeddings, info.nodes·info.channels. Given back to addExample with the pixels, they save a pass through the network. */
  readonly embedding: Float32Array;
}

/** A class with its examples, in the order of teaching. */
export interface TaughtClass {
  /** Its id, unique in the engine. */
  readonly id: string;
  /** What people call it; several classes may have one name. */
  readonly label: string;
  /** False while it is passed over: see enableClass. */
  readonly enabled: boolean;
  /** True for a class of nothing, which has no score and only says what belongs to no class: see addClass. */
  readonly nothing: boolean;
  /** In the order of teaching. */
  readonly examples: Example[];
}

/** Why a call failed. The message names the thing and the remedy. */
export class DeepEMDError extends Error {
  constructor(code: ErrorCode, message: string);
  /** For programs. */
  readonly code: ErrorCode;
}

/** Detail of the event "crash". */
export interface Crash {
  /** Why it died, for programs. */
  code: ErrorCode;
  /** And for people. */
  message: string;
  /** False when restarting failed too: the next call tries again. */
  restarting: boolean;
}

/** The events of {@link DeepEMD}. */
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
  /**
   * Adds a class without examples.
   *
   * @returns its id
   */
  addClass(label: string, options?: { id?: string | undefined; enabled?: boolean | undefined; nothing?: boolean | undefined }): Promise<string>;
  /** Adds an example to a class of the draft: see {@link DeepEMD.addExample}. */
  addExample(
    classId: string,
    source: Source | Computed,
    options?: { id?: string | undefined; embedding?: Float32Array | undefined; thumbnail?: Source | undefined },
  ): Promise<Example>;
  /** Says which shape the embeddings of its examples have, where an engine with a backbone does not know yet. */
  reshape(shape: Pick<Shape, "nodes" | "channels">): Promise<void>;
  /** Whose embeddings its examples have. */
  network(): Promise<Network>;
}

declare global {
  interface SymbolConstructor {
    /** Where the runtime has it: `using` calls it. */
    readonly dispose: unique symbol;
  }
}

/**
 * A classifier: an engine in a worker, and what it was taught. Should the worker die, another is started and told all of it
 * (the events `crash` and `restart` say so).
 *
 * @example
 * ```js
 * import { DeepEMD } from "deepemd";
 * const engine = await DeepEMD.create();
 * const cup = await engine.addClass("cup"), pen = await engine.addClass("pen");
 * await engine.addExample(cup, cupFile);
 * await engine.addExample(pen, "pictures/pen.jpg");
 * const { scores } = await engine.classify(video); // best first
 * ```
 *
 * @typeParam S what it looks at: anything that shows a picture or, with a network of the page's own, what that takes
 */
export class DeepEMD<S = Source> extends EventTarget {
  /**
   * Starts an engine: fetches and compiles it, fetches the network, and resolves when it can be taught.
   *
   * @throws `network` for a file that cannot be fetched, `bad-weights`, `bad-argument`, `unsupported`, `out-of-memory`; the
   *   signal's reason when it is aborted.
   */
  static create(options?: CreateOptions): Promise<DeepEMD>;
  /**
   * Starts an engine with a network of the page's own in front, and no network of ours: sources of any kind go to the
   * backbone as they are, and what it makes of them is matched.
   *
   * @throws as above; later calls throw `backbone` where the backbone fails, or gives features of another shape than before.
   */
  static create<T>(options: BackboneOptions<T>): Promise<DeepEMD<T | Computed>>;
  /**
   * Starts an engine for features that the page computes itself: `addExample(id, { embedding })`, `classify({ embedding })`.
   * No weights are fetched. Everything else is as with a network: explanations, reviews, training, strangers, projects.
   *
   * @throws `bad-argument` for a shape that cannot be, `network`, `unsupported`, `out-of-memory`; the signal's reason.
   */
  static matcher(options: MatcherOptions): Promise<DeepEMD<Computed>>;
  private constructor();

  /** What runs: network, kernels, sizes. */
  readonly info: Info;
  /** How things are recognised, in full: what options left out is there. */
  readonly method: Method;
  /** What the engine can be told to do, the defaults first. */
  readonly choices: Choices;
  /** The weights file, to hand on: a copy. An engine for features of your own has none, and throws `bad-argument`. */
  readonly weights: ArrayBuffer;
  /** What was taught, in order: a snapshot. It is cheap: pixels and embeddings are copied when they are read. */
  readonly classes: TaughtClass[];
  /** Whether answers come from what train has learned. */
  readonly learned: boolean;
  /** Whose embeddings the examples have, as a project file says it. Embeddings may pass between engines of the same network. */
  network(): Promise<Network>;

  /**
   * Adds a class without examples.
   *
   * With `nothing` it is a class of nothing, for examples of what is none of the classes, such as the empty scene before a
   * camera. It takes part in no answer: it has no score, does not change those of others, and is not trained. A picture that
   * it claims is unknown, and `unknown.nothing` names it. An engine may have several.
   *
   * @param label what people call it, of up to 1000 characters
   * @param options id: default a new one; nothing: default false
   * @returns its id
   * @throws `bad-argument` for an id that is taken.
   */
  addClass(label: string, options?: { id?: string | undefined; nothing?: boolean | undefined }): Promise<string>;
  /**
   * Changes a class's label.
   *
   * @throws `unknown-class`.
   */
  renameClass(id: string, label: string): Promise<void>;
  /**
   * Forgets a class and its examples.
   *
   * @throws `unknown-class`.
   */
  removeClass(id: string): Promise<void>;
  /**
   * Has a class considered or passed over, with all its examples. New classes are considered.
   *
   * @throws `unknown-class`.
   */
  enableClass(id: string, enabled: boolean): Promise<void>;

  /**
   * Shows the engine one example of a class. An example that was being added when the worker died is added again after the
   * restart.
   *
   * @throws `unknown-class`; `bad-image`, `bad-sound` or `silent` for what is no picture or sound; `network` for an address that
   *   cannot be fetched; `bad-argument` for an id that is taken and an embedding that cannot be used, and for one without its
   *   picture where there is a network.
   */
  addExample(classId: string, source: S, options?: AddExampleOptions): Promise<Example & { answer?: Answer }>;
  /**
   * Forgets an example.
   *
   * @throws `unknown-example`.
   */
  removeExample(exampleId: string): Promise<void>;

  /**
   * Classifies a picture among the classes that have examples.
   *
   * @throws `empty` before the first example; `bad-image`, `bad-sound`, `silent`, `network` and `bad-argument` as addExample.
   */
  classify(source: S, options?: ClassifyOptions): Promise<Answer>;
  /**
   * Classifies many pictures, a few at a time.
   *
   * @param sources an array, a FileList, or anything else that can be gone through
   * @returns of every source, in their order, its answer or what is wrong with it
   * @throws `empty` before the first example and `disposed`, which are about no source in particular.
   */
  classifyAll(sources: Iterable<S>, options?: ClassifyAllOptions): Promise<PromiseSettledResult<Answer>[]>;
  /**
   * Why a picture is so like a class, or so unlike: its match with the one example of the class that it matches best. Default:
   * the picture that was classified last (no pass through the network is needed), and the class that it was taken for.
   *
   * @throws `empty` before the first classification, after one that was aborted, and for a class without examples;
   *   `unknown-class`.
   */
  explain(options?: ExplainOptions<S>): Promise<Explanation>;
  /**
   * The local embeddings of a picture, which is neither taught nor classified.
   *
   * @throws `bad-image`, `bad-sound`, `silent`, `network`, `bad-argument`.
   */
  embed(source: S, options?: Abortable): Promise<Embedding>;
  /**
   * What the examples say about themselves: each left out in turn and beside each other. Disabled classes are passed over.
   *
   * @throws `empty` before the first example.
   */
  review(options?: Abortable): Promise<Review>;
  /**
   * How recognition grew with the number of examples: each is recognised by so many others of each class, drawn a few times, as
   * the method would recognise it had it been taught no more. It is found in slices, between which other calls are answered; it
   * begins again when examples come or go.
   *
   * @throws `empty` unless two classes have examples, one of them three.
   */
  growth(options?: GrowthOptions): Promise<Growth>;
  /**
   * Learns the classes from their examples (the structured fully connected layer), off the page's main thread and in slices:
   * other calls are answered in between, as before. At its end answers come from what was learned, until an example comes or
   * goes or the engine is restarted.
   *
   * @throws `empty` unless two classes have examples, `changed` when examples come or go meanwhile, `bad-argument` with a
   *   classifier that does not learn.
   */
  train(options?: TrainOptions): Promise<Training>;

  /**
   * Changes options; what was taught is kept. What changes the method but for its embedder takes hold at once. Another
   * embedder, number of workers or network has every example embedded again, in a second worker, while this one goes on
   * answering. Until then, and where it fails, all stays as it was.
   *
   * @param changes options that are not named stay
   * @throws `bad-argument`, and those of {@link DeepEMD.create}.
   */
  configure(changes: Changes, how?: ConfigureOptions): Promise<void>;
  /**
   * Puts something else in the place of all that was taught, with a method of its own: whole, or not at all where `teach`
   * rejects or the engine dies. Meanwhile the engine goes on answering. Changes of options wait until it is over.
   *
   * @param method what it leaves out is as by default
   * @param teach is given an empty draft to teach
   * @throws `bad-argument` for an unknown method, and whatever `teach` throws.
   */
  replace(method: MethodOption, teach: (draft: Draft) => Promise<void>, how?: Abortable): Promise<void>;

  /** Ends the worker. Pending and later calls reject with code `disposed`. */
  dispose(): void;
  /** dispose, for `using engine = await DeepEMD.create()`. */
  [Symbol.dispose](): void;

  /** As every EventTarget has it, with the events of this one. */
  addEventListener<K extends keyof DeepEMDEvents>(
    type: K,
    listener: (this: this, event: DeepEMDEvents[K]) => unknown,
    options?: Listening,
  ): void;
  /** Of any other type. */
  addEventListener(type: string, listener: Listener, options?: Listening): void;
  /** Ends what addEventListener began. */
  removeEventListener<K extends keyof DeepEMDEvents>(
    type: K,
    listener: (this: this, event: DeepEMDEvents[K]) => unknown,
    options?: Unlistening,
  ): void;
  /** Of any other type. */
  removeEventListener(type: string, listener: Listener, options?: Unlistening): void;
}

/**
 * A picture on its way to the worker.
 *
 * @internal
 */
export type Picture = { file: Blob | ArrayBuffer; name?: string } | { frame: Global<"ImageBitmap"> | Global<"VideoFrame"> } | { width: number; height: number; data: Uint8Array } | Sound;

/**
 * What the worker sends: replies, each with the id of its request and in their order, and news.
 *
 * @internal
 */
export type Message =
  | { id: number; ok: true }
  | { id: number; ok: false; error: { code: ErrorCode; message: string } }
  | ({ type: "progress" } & Progress)
  /** The engine has ended; the worker answers nothing more. */
  | { type: "down"; error: { code: "crashed" | "out-of-memory"; message: string } };
