/**
 * Few-shot recognition of images and sounds by optimal matching, on the device: {@link DeepEMD}.
 *
 * Calls that take time accept an AbortSignal as `signal`. An aborted call rejects at once with the signal's reason and
 * changes nothing, except a gallery's `add`, which keeps the images added so far. Every other failure is a
 * {@link DeepEMDError}: its {@link ErrorCode} is for programs, its message names the cause and the remedy. Invalid calls fail
 * in the same way; for an unknown option, the message names the closest known one. An exception of `onProgress` ends the call, which
 * rejects with it.
 *
 * A framework that mounts components twice can abort the first start:
 *
 * ```js
 * useEffect(() => {
 *   const stop = new AbortController();
 *   const made = DeepEMD.create({ signal: stop.signal });
 *   made.then(setEngine, (error) => error === stop.signal.reason || setError(error));
 *   return () => {
 *     stop.abort();
 *     made.then((engine) => engine.dispose(), () => {});
 *   };
 * }, []);
 * ```
 *
 * @packageDocumentation
 */

import type { Global, Listener, Listening, Unlistening, WebAssemblyModule } from "./global.js";
import type { Network } from "./project.js";
import type {
  Answer as Reply, Classifier, Curve, CurveClass, CurvePoint, Embedding, ErrorCode, Explanation as Reason, Gain, Image, Info, Link, Method, Name, Node, Preprocess, Review, ReviewedClass, ReviewedExample, Score, Shares, Solver,
  Strangers, Verdict, Weighting,
} from "./protocol.js";

export type { Classifier, Embedding, ErrorCode, Gain, Info, Link, Method, Node, Preprocess, Review, ReviewedClass, ReviewedExample, Score, Shares, Solver, Strangers, Weighting };
export type { Curve as Growth, CurveClass as GrowthClass, CurvePoint as GrowthPoint, Image as AnswerPixels, Verdict as Unknown };

/** Pixels, row by row: RGB or RGBA, detected from the length. Transparent pixels are blended with white. */
export interface Pixels {
  /** Pixels per row. */
  width: number;
  /** Number of rows. */
  height: number;
  /** 3 or 4 bytes per pixel. */
  data: Uint8Array | Uint8ClampedArray;
}

/**
 * Anything that shows an image. The engine decodes Files, Blobs and bytes of JPEG, PNG and WebP, with the same result as the
 * native program; the browser decodes everything else. The model sees the largest central square. Addresses (a string or a
 * URL, relative to the page) are fetched: another origin must allow this (CORS). `{ embedding }` is an image that was embedded
 * before, by {@link DeepEMD.embed} or as an example; it does not run through the model. Of an `<img>` from the page's own origin
 * the engine reads the file again, so that both give the same result. The engine does not close your bitmaps and frames.
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
 * Samples of one channel, with a full scale of ±1. With the option `sound`, sources are samples, AudioBuffers, or Files and
 * Blobs of MP3 or WAV, each of up to a minute; in pages also of up to 8 MB of another format that the browser decodes, such
 * as M4A, Ogg or FLAC. The engine embeds the spectrogram of the second around the loudest sound.
 */
export interface Sound {
  /** In order of time, from −1 to 1. */
  samples: Float32Array;
  /** Samples per second. */
  rate: number;
}

/**
 * A file: its address, relative to the page, or its content. A Response is consumed, and must not have been read before;
 * other values are not consumed.
 */
export type Given = string | URL | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Response;

/** Options of an engine. Unknown options are errors with the code `bad-argument`. */
export interface Options {
  /** The model. Default: resnet12-photo; with `sound`, resnet12-sound. */
  weights?: Given | undefined;
  /** Recognize sounds instead of images: loads the engine and, by default, the model for sounds. Default false. */
  sound?: boolean | undefined;
  /** The folder of worker.js and the engines. Default: the package's folder. */
  base?: string | URL | undefined;
  /** The engine, as a file or a compiled module. Default: the engine in `base`. */
  engine?: Given | WebAssemblyModule | undefined;
  /** The worker's script. Default: worker.js in `base`. */
  worker?: Given | undefined;
  /**
   * The complete method, for example of a project file or of another engine. Absent fields have their defaults (see
   * {@link Method}). The options below override single settings.
   */
  method?: MethodOption | undefined;
  /**
   * The classifier: see {@link Method}. The default, `"mixture"`, adds DeepEMD's match with the mean of each class's examples
   * (`"prototype"`) and two linear heads, fitted to the examples. The examples determine the proportion of the heads; with one
   * example per class, each counts half. The scores are calibrated probabilities. For a live source the heads learn between
   * answers: directly after many new examples, answers do not include the heads yet.
   */
  classifier?: Classifier | undefined;
  /** The weighting of the regions: see {@link Method}. */
  weighting?: Weighting | undefined;
  /** The solver that matches regions: see {@link Method}. */
  solver?: Solver | undefined;
  /** The factor that similarities from −1 to 1 are multiplied with. Higher values give more confident scores. See {@link Method}. */
  temperature?: number | undefined;
  /** Compensate for different numbers of examples per class: see {@link Method}. */
  balance?: boolean | undefined;
  /** Report for every image whether it belongs to any class ({@link Answer}.unknown): see {@link Method}, strangers. */
  unknown?: boolean | undefined;
  /**
   * How familiar an image must be to count as known: 0 accepts most images, 1 rejects most, 0.5 makes both errors equally often.
   * With five examples of each of five classes, the default accepts a third of unknown photographs, and rejects at most about
   * one in nine of your own. See {@link Method}, strangers.
   */
  strictness?: number | undefined;
  /** How an image becomes local embeddings: see {@link Method}. */
  embedder?: Embedder | undefined;
  /** With fcn: the sides of coarser maps that are added to the model's map, such as [2, 1]. */
  pyramid?: readonly number[] | undefined;
  /**
   * Stop matching a class once it cannot win. This saves time with many classes. The best class and its logit stay exact; the
   * logits of other classes may be upper bounds, which are marked (Score.bound). It saves nothing while unknown images are
   * reported, because that needs all scores: set `unknown: false`. Default false.
   */
  skip?: boolean | undefined;
  /**
   * The number of workers that encode the crops of an image (grid, sampling) in parallel. Each holds the model in memory.
   * Default 1. The browser or its memory may allow fewer: info.workers has the actual number. If a worker fails later, the
   * engine continues without it. The answers are the same up to rounding.
   */
  workers?: number | undefined;
  /** Restart a computing engine that sends no message for this number of milliseconds. Default 60000. */
  timeout?: number | undefined;
  /** Called while the engine and the weights are downloaded. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of {@link DeepEMD.create}. */
export interface CreateOptions extends Options {
  /** Aborts the start, with the worker and the downloads. It has no effect after the start. */
  signal?: AbortSignal | undefined;
}

/** The shape of features that a page computes itself. */
export interface Shape {
  /**
   * A name of your choice, such as `"dinov2-small"`. A saved project opens only for features of the same name and shape.
   * Default: no name.
   */
  name?: string | undefined;
  /** Local embeddings ("nodes") per input: positions of a map, patches or words. */
  nodes: number;
  /** The length of each node, at least 2. */
  channels: number;
  /**
   * [nodes, 4]: x0, y0, x1 and y1 of each node's region, in fractions of the central square. Explanations use them. Default: the
   * cells of a square map, row by row, if the number of nodes is a square; otherwise the whole image.
   */
  regions?: Float32Array | readonly number[] | readonly (readonly number[])[] | undefined;
}

/** Features that the page has computed: [nodes, channels], node by node. */
export type Computed = Float32Array | { embedding: Float32Array };

/** Options of {@link DeepEMD.matcher}. */
export interface MatcherOptions extends Omit<CreateOptions, "weights" | "sound" | "embedder" | "pyramid" | "workers">, Shape {}

/** The output of a {@link Backbone} for one source. */
export interface Features {
  /** [nodes, channels], node by node. Transpose the output of a model that puts channels first (PyTorch, ONNX). */
  data: Float32Array | Float64Array | readonly number[];
  /** The number of nodes: the same for every source. */
  nodes: number;
  /** The length of each node: the same for every source. */
  channels: number;
  /** As in {@link Shape}. Only the regions of the first answer are used. */
  regions?: Float32Array | readonly number[] | readonly (readonly number[])[] | undefined;
}

/**
 * A model of the page: it computes the features of a source, which it gets as the caller of addExample, classify or embed
 * passed it. It gets one source at a time. An exception that it throws becomes an error with the code `backbone`.
 */
export type Backbone<T> = (source: T, how: { signal: AbortSignal | undefined }) => Features | Promise<Features>;

/** Options of {@link DeepEMD.create} with a model of the page. */
export interface BackboneOptions<T> extends Omit<CreateOptions, "weights" | "sound" | "embedder" | "pyramid" | "workers">, Omit<Shape, "nodes" | "channels"> {
  /** The model. */
  backbone: Backbone<T>;
  /** The number of nodes per image. Default: the number in the first answer. */
  nodes?: number | undefined;
  /** The length of each node. Default: the length in the first answer. */
  channels?: number | undefined;
}

/** Options of {@link DeepEMD.configure}. `base`, `engine` and `sound` cannot change. */
export type Changes = Omit<Options, "base" | "engine" | "sound">;

/**
 * How an image becomes local embeddings. Absent fields have their defaults (see {@link Method}).
 *
 * - fcn: one for each position of the model's map. It takes one pass through the model.
 * - grid: one for each cell of grids such as [2, 3]. The crop of a cell has `ratio` times the cell's side. It takes one pass for
 *   each crop: 13 for [2, 3].
 * - sampling: one for each of `patches` random crops. The crops depend only on `seed` and the image, here and in the native
 *   program. It takes one pass for each crop.
 */
export type Embedder =
  | { kind: "fcn"; pyramid?: readonly number[] | undefined }
  | { kind: "grid"; grid?: readonly number[] | undefined; ratio?: number | undefined }
  | { kind: "sampling"; patches?: number | undefined; seed?: number | undefined };

/** A method in which every field is optional. */
export type MethodOption = { [K in Exclude<keyof Method, "embedder" | "strangers">]?: Method[K] | undefined } & {
  embedder?: { [K in keyof Method["embedder"]]?: Method["embedder"][K] | undefined } | undefined;
  strangers?: { [K in keyof Strangers]?: Strangers[K] | undefined } | undefined;
};

/** A value of a setting, such as a classifier. */
export interface Choice<Value extends string = string> extends Name {
  /** The value, as options and methods take it. */
  name: Value;
}

/** The available settings of an engine, the defaults first. */
export interface Choices {
  /** How an image becomes local embeddings. */
  embedders: Choice<Embedder["kind"]>[];
  /** The classifiers. */
  classifiers: Choice<Classifier>[];
  /** The weightings of regions. */
  weightings: Choice<Weighting>[];
  /** The solvers that match regions. */
  solvers: Choice<Solver>[];
}

/** Progress of the start. */
export interface Progress {
  /** The current download. `ready` is reported once per start, when the engine runs: again after a restart. */
  stage: "engine" | "weights" | "ready";
  /** Bytes so far, after decompression. */
  loaded: number;
  /** Bytes in total, never less than `loaded`; 0 if unknown, for an engine that is not the package's from a server without lengths. */
  total: number;
}

/** Options of calls that can only be aborted. */
export interface Abortable {
  /** Aborts the call: it rejects with the signal's reason and changes nothing. */
  signal?: AbortSignal | undefined;
}

/** Options of {@link DeepEMD.addExample}. */
export interface AddExampleOptions extends Abortable {
  /** The example's id. Default: a new one. */
  id?: string | undefined;
  /**
   * The local embeddings, if known: the embedding of an {@link Example} whose pixels are the source, from an engine with the
   * same {@link DeepEMD.network}. They save a pass through the model.
   */
  embedding?: Float32Array | undefined;
  /**
   * For custom features: an image to show and save. It does not affect answers. Default: the backbone's source, if it is an
   * image (an address is not), scaled to 96 pixels.
   */
  thumbnail?: Source | undefined;
  /** A larger part of the image, if there is one: `original` of an {@link Example} whose pixels are the source. */
  original?: { size: number; pixels: Uint8Array } | undefined;
  /** Also classify the image after teaching it, without another pass through the model. Background examples are not classified. */
  answer?: boolean | undefined;
}

/** Options of {@link DeepEMD.classify}. */
export interface ClassifyOptions extends Abortable {
  /** Also return the model's input. Default false. */
  pixels?: boolean | undefined;
  /** Also explain the best class, or the class with this id. Default false. */
  explain?: boolean | string | undefined;
  /** Report whether the image belongs to any class, even if the method does not. Default false. */
  unknown?: boolean | undefined;
  /**
   * The image is part of a stream: an answer may ignore the latest examples, so that it need not wait, while the engine learns
   * from them between answers. Default true for a video element and a VideoFrame, otherwise false.
   */
  live?: boolean | undefined;
}

/** Options of {@link DeepEMD.classifyAll}. */
export interface ClassifyAllOptions extends ClassifyOptions {
  /** Called after every source with the number of finished sources and of all sources. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Options of {@link DeepEMD.configure}, besides the changes. */
export interface ConfigureOptions extends Abortable {
  /** Called while examples are embedded again, with the number of finished examples and of all examples. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Options of {@link DeepEMD.explain}. */
export interface ExplainOptions<S = Source> extends Abortable {
  /** Default: the image that was classified last. */
  source?: S | undefined;
  /** The class to explain. Default: the best. */
  classId?: string | undefined;
}

/** Options of {@link DeepEMD.train}. */
export interface TrainOptions extends Abortable {
  /** The number of passes over the examples. Default 100, as in the paper. */
  passes?: number | undefined;
  /** Also measure the gain (Training.heldOut). This takes up to five times as long again. Default true. */
  check?: boolean | undefined;
  /** Called with the number of finished passes and of all passes, including the passes of the check. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** The result of training. */
export interface Training {
  /** The number of passes over the examples. */
  passes: number;
  /** Duration in milliseconds. */
  ms: number;
  /**
   * The gain by cross-validation: the number of held-out examples (`of`), and how many of these were classified correctly from
   * the remaining examples by the classifier without training (`before`) and with training (`after`). Undefined without the
   * check, and if every class has one example.
   */
  heldOut?: Gain;
}

/** Options of {@link DeepEMD.growth}. */
export interface GrowthOptions extends Abortable {
  /** Called with the points found so far, which arrive one by one. `done` and `total` count draws of examples. */
  onProgress?: ((progress: Curve) => void) | undefined;
}

/** The classification of an image. */
export interface Answer extends Omit<Reply, "explanation"> {
  /** Milliseconds from call to answer. */
  ms: number;
  /** With the option `explain`. It is absent in the rare case that its example was removed before the answer arrived. */
  explanation?: Explanation;
}

/**
 * Why an image is similar to a class, or dissimilar: the match with the class's most similar example. Each image is a set of
 * nodes, one for each region. The match moves the weight of the image's nodes to the example's nodes so that the total
 * similarity is highest. Regions may overlap (pyramids, grids, samples).
 */
export interface Explanation extends Omit<Reason, "exampleId"> {
  /** The example, as addExample returned it. */
  example: Example;
}

/**
 * An example. Each read of its pixels and its embedding returns a new copy, which you may transfer or modify.
 */
export interface Example {
  /** The id, unique in the engine. */
  readonly id: string;
  /** The id of its class. */
  readonly classId: string;
  /**
   * The side in pixels: of the model's input or, with grid and sampling, of the square that crops are cut from (at most four times
   * the input's side). 0 for features without an image.
   */
  readonly size: number;
  /** [size, size, 3], RGB: exactly the embedded image; of a sound, its spectrogram; of custom features, the thumbnail. */
  readonly pixels: Uint8Array;
  /**
   * A larger part of the image, if there is one: the square that other embedders would see, up to four times the model's side.
   * Kept until all originals together take 128 MB.
   */
  readonly original?: { size: number; pixels: Uint8Array };
  /** Of a sound: the embedded second, at 16 kHz. */
  readonly second?: Float32Array;
  /** The local embeddings, [info.nodes, info.channels]. Passed to addExample with the pixels, they save a pass through the model. */
  readonly embedding: Float32Array;
}

/** A class with its examples. */
export interface TaughtClass {
  /** The id, unique in the engine. */
  readonly id: string;
  /** The name that users see. Several classes may share one. */
  readonly label: string;
  /** False if the class is disabled: see enableClass. */
  readonly enabled: boolean;
  /** True for a background class, which has no score and only identifies unknown images: see addClass. */
  readonly nothing: boolean;
  /** In the order in which they were added. */
  readonly examples: Example[];
}

/** The error of a failed call. The message names the cause and the remedy. */
export class DeepEMDError extends Error {
  constructor(code: ErrorCode, message: string);
  /** The kind of failure, for programs. */
  readonly code: ErrorCode;
}

/** Detail of the event "crash". */
export interface Crash {
  /** The cause, for programs. */
  code: ErrorCode;
  /** The cause, for users. */
  message: string;
  /** False if the restart failed too: the next call tries again. */
  restarting: boolean;
}

/** The events of {@link DeepEMD}. */
export interface DeepEMDEvents {
  /** The engine crashed. Pending calls reject, except addExample, which is repeated. Classes and examples are kept. */
  crash: CustomEvent<Crash>;
  /** The engine runs again, without a download, and has learned all examples again. */
  restart: CustomEvent<{ message: string }>;
  /** configure or replace changed how examples are embedded: network() and the embeddings have changed. */
  embed: CustomEvent<{ message: string }>;
}

/** The new content of an engine in replace. Ids need only be unique in the draft. */
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
  /** Sets the shape of the embeddings, for an engine with a backbone that has not returned any yet. */
  reshape(shape: Pick<Shape, "nodes" | "channels">): Promise<void>;
  /** The model that makes the embeddings of its examples. */
  network(): Promise<Network>;
}

declare global {
  interface SymbolConstructor {
    /** Used by `using`, in runtimes that have it. */
    readonly dispose: unique symbol;
  }
}

/**
 * A classifier: an engine in a worker, with its classes and examples. If the worker crashes, a new one starts and learns all
 * examples again; the events `crash` and `restart` report it. After a lack of memory, the new worker holds the weights in a
 * smaller, slower form.
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
 * @typeParam S the type of a source: anything that shows an image or, with a model of the page, the model's input
 */
export class DeepEMD<S = Source> extends EventTarget {
  /**
   * Starts an engine: downloads and compiles it, and downloads the model.
   *
   * @example
   * ```js
   * const engine = await DeepEMD.create({ classifier: "nearest", onProgress: ({ loaded, total }) => show(loaded / total) });
   * engine.method;              // { embedder: { kind: "fcn" }, classifier: "nearest", weighting: "cross-reference", … }
   * engine.choices.classifiers; // [{ name: "mixture", what: "DeepEMD with …" }, …]
   * ```
   *
   * @throws `network` if a file cannot be fetched, `bad-weights`, `bad-argument`, `unsupported`, `out-of-memory`; the signal's
   *   reason if aborted.
   */
  static create(options?: CreateOptions): Promise<DeepEMD>;
  /**
   * Starts an engine with a model of the page, and without the package's: the backbone gets sources of any kind unchanged, and
   * the engine matches its output. Explanations, reviews, training, unknown images and projects work as usual.
   *
   * @example
   * ```js
   * const engine = await DeepEMD.create({
   *   name: "mobilenet, 7×7",
   *   backbone: async (source, { signal }) => {
   *     const map = await mobilenet(source);
   *     return { data: map.data, nodes: 49, channels: 1024 };
   *   },
   * });
   * ```
   *
   * @throws as above. Later calls throw `backbone` if the backbone fails, or returns features of another shape than before.
   */
  static create<T>(options: BackboneOptions<T>): Promise<DeepEMD<T | Computed>>;
  /**
   * Starts an engine for features that the page computes. It downloads no weights. Explanations, reviews, training, unknown
   * inputs and projects work as usual.
   *
   * @example
   * ```js
   * const engine = await DeepEMD.matcher({ name: "my words", nodes: 12, channels: 300 });
   * await engine.addExample(rain, { embedding }, { thumbnail });  // embedding: a Float32Array of 12·300 values
   * const { scores } = await engine.classify({ embedding: other });
   * ```
   *
   * @throws `bad-argument` for an invalid shape, `network`, `unsupported`, `out-of-memory`; the signal's reason.
   */
  static matcher(options: MatcherOptions): Promise<DeepEMD<Computed>>;
  private constructor();

  /** The running engine: model, kernels, sizes. */
  readonly info: Info;
  /** The complete method, including defaults. */
  readonly method: Method;
  /** The available settings, the defaults first. */
  readonly choices: Choices;
  /** A copy of the weights file. An engine for custom features has none, and throws `bad-argument`. */
  readonly weights: ArrayBuffer;
  /** A snapshot of the classes and examples, in order. It is cheap: pixels and embeddings are copied when read. */
  readonly classes: TaughtClass[];
  /** Whether answers come from the result of train. */
  readonly learned: boolean;
  /** The model that made the embeddings, as in a project file. Engines with the same network can exchange embeddings. */
  network(): Promise<Network>;

  /**
   * Adds a class without examples.
   *
   * The option `nothing` makes it a background class, for examples that belong to no class, such as the empty scene in front of a
   * camera. It has no score, does not change the scores of other classes, and is not trained. An image that resembles its
   * examples is unknown, and `unknown.nothing` has the id of the background class. An engine may have several. They can be disabled, reviewed, explained and saved
   * like other classes. Older versions of the package reject projects with background classes.
   *
   * @example
   * ```js
   * const empty = await engine.addClass("empty", { nothing: true });
   * for (let i = 0; i < 10; i++) await engine.addExample(empty, video);  // the scene without any object
   * const { unknown } = await engine.classify(video);
   * unknown?.unknown;                                                    // true for the empty scene
   * ```
   *
   * @param label the name that users see, of up to 1000 characters (Unicode code points)
   * @param options id: default a new one; nothing: default false
   * @returns its id
   * @throws `bad-argument` if the id is taken, and for an id or a label that is too long or has a lone surrogate.
   */
  addClass(label: string, options?: { id?: string | undefined; nothing?: boolean | undefined }): Promise<string>;
  /**
   * Changes a class's label.
   *
   * @throws `unknown-class`, and `bad-argument` for a label that addClass rejects.
   */
  renameClass(id: string, label: string): Promise<void>;
  /**
   * Removes a class and its examples.
   *
   * @throws `unknown-class`.
   */
  removeClass(id: string): Promise<void>;
  /**
   * Enables or disables a class with all its examples. New classes are enabled.
   *
   * @throws `unknown-class`.
   */
  enableClass(id: string, enabled: boolean): Promise<void>;

  /**
   * Adds an example to a class. If the worker crashes during the call, the example is added after the restart.
   *
   * @example
   * ```js
   * const { id, pixels, size } = await engine.addExample(cup, video); // pixels: the model's input, RGB
   * const { answer } = await engine.addExample(cup, video, { answer: true });
   * ```
   *
   * @throws `unknown-class`; `bad-image`, `bad-sound` or `silent` for an unusable source; `network` if an address cannot be
   *   fetched; `bad-argument` for an id that is taken, an unusable embedding, and, in an engine with a model, an embedding without
   *   its image.
   */
  addExample(classId: string, source: S, options?: AddExampleOptions): Promise<Example & { answer?: Answer }>;
  /**
   * Removes an example.
   *
   * @throws `unknown-example`.
   */
  removeExample(exampleId: string): Promise<void>;

  /**
   * Classifies an image among the classes that have examples.
   *
   * @example
   * ```js
   * const { scores, unknown } = await engine.classify(video);
   * if (!unknown?.unknown) show(scores[0].label, scores[0].score);
   * ```
   *
   * @throws `empty` before the first example; `bad-image`, `bad-sound`, `silent`, `network` and `bad-argument` as in addExample.
   */
  classify(source: S, options?: ClassifyOptions): Promise<Answer>;
  /**
   * Classifies many images, a few at a time.
   *
   * @example
   * ```js
   * const results = await engine.classifyAll(fileInput.files, { onProgress: (done, total) => show(done / total) });
   * for (const { value, reason } of results) console.log(value ? value.scores[0].label : reason.message);
   * ```
   *
   * @param sources an array, a FileList or another iterable
   * @returns for every source, in order, its answer or its error, like Promise.allSettled
   * @throws `empty` before the first example, and `disposed`: errors that do not concern a single source.
   */
  classifyAll(sources: Iterable<S>, options?: ClassifyAllOptions): Promise<PromiseSettledResult<Answer>[]>;
  /**
   * Explains the similarity of an image and a class by the match with the class's most similar example. By default, it explains
   * the best class of the image that was classified last, without a pass through the model.
   *
   * @example
   * ```js
   * const { query, support, flow } = await engine.explain();
   * for (const { from, to, amount } of flow) drawLine(middle(query[from]), middle(support[to]), amount);
   * ```
   *
   * @throws `empty` before the first classification, after an aborted one, and for a class without examples; `unknown-class`.
   */
  explain(options?: ExplainOptions<S>): Promise<Explanation>;
  /**
   * Computes the local embeddings of an image, without teaching or classifying it.
   *
   * @example
   * ```js
   * const embedding = await engine.embed(file);
   * await engine.classify({ embedding: embedding.data }); // without another pass through the model
   * ```
   *
   * @throws `bad-image`, `bad-sound`, `silent`, `network`, `bad-argument`.
   */
  embed(source: S, options?: Abortable): Promise<Embedding>;
  /**
   * Reviews the examples of enabled classes: dark and blurred images, duplicates, examples that are classified as another class
   * when left out, examples that are probably in the wrong class, and the scores of known and unknown images.
   *
   * @example
   * ```js
   * const { examples } = await engine.review();
   * const wrong = examples.filter((e) => e.mislabeled); // show them: e.taken is the class that they resemble
   * ```
   *
   * @throws `empty` before the first example.
   */
  review(options?: Abortable): Promise<Review>;
  /**
   * Measures accuracy by the number of examples: each example is classified from n others of each class, drawn a few times. The
   * engine answers other calls during the measurement, which restarts when examples change.
   *
   * @throws `empty` unless two classes have examples and one of them has three.
   */
  growth(options?: GrowthOptions): Promise<Curve>;
  /**
   * Trains the structured fully connected layer (SFC) on the examples, in the worker, which answers other calls as
   * before. After it, answers come from the trained layer (instead of the classifier and its head), until
   * examples change or the engine restarts. If the check finds no gain, answers stay as before, and
   * {@link DeepEMD.learned} is false. The classifier must be `"mixture"` or `"prototype"`, because training starts with class
   * means.
   *
   * @example
   * ```js
   * const { heldOut } = await engine.train({ onProgress: ({ done, total }) => (bar.value = done / total) });
   * if (heldOut) console.log(`${heldOut.before} → ${heldOut.after} of ${heldOut.of} held-out examples are correct`);
   * ```
   *
   * @throws `empty` unless two classes have examples, `changed` if examples change during training, `bad-argument` with another
   *   classifier.
   */
  train(options?: TrainOptions): Promise<Training>;

  /**
   * Changes options, and keeps classes and examples. A new embedder, number of workers or model embeds all examples again in a
   * second worker; until that is done, or if it fails, everything stays as before. Other changes apply at once.
   *
   * @example
   * ```js
   * await engine.configure({ strictness: 0.7 });            // nothing else changes
   * await engine.configure({ method: other.method });       // the complete method of another engine
   * await engine.configure({ embedder: { kind: "grid" } }); // embeds all examples again
   * ```
   *
   * @param changes options that are absent do not change
   * @throws `bad-argument`, and the errors of {@link DeepEMD.create}.
   */
  configure(changes: Changes, how?: ConfigureOptions): Promise<void>;
  /**
   * Replaces all classes and examples, and the method, all or nothing: if `teach` rejects or the engine crashes, nothing changes.
   * The engine answers with the previous content until then. Changes of options wait until it has finished.
   *
   * @param method absent fields have their defaults
   * @param teach gets an empty draft and fills it
   * @throws `bad-argument` for an unknown method, and any error that `teach` throws.
   */
  replace(method: MethodOption, teach: (draft: Draft) => Promise<void>, how?: Abortable): Promise<void>;

  /** Ends the worker. Pending and later calls reject with the code `disposed`. */
  dispose(): void;
  /** dispose, for `using engine = await DeepEMD.create()`. */
  [Symbol.dispose](): void;

  /** As in EventTarget, with the events of this class. */
  addEventListener<K extends keyof DeepEMDEvents>(
    type: K,
    listener: (this: this, event: DeepEMDEvents[K]) => unknown,
    options?: Listening,
  ): void;
  /** For any other type. */
  addEventListener(type: string, listener: Listener, options?: Listening): void;
  /** Removes a listener. */
  removeEventListener<K extends keyof DeepEMDEvents>(
    type: K,
    listener: (this: this, event: DeepEMDEvents[K]) => unknown,
    options?: Unlistening,
  ): void;
  /** For any other type. */
  removeEventListener(type: string, listener: Listener, options?: Unlistening): void;
}

/**
 * An image on its way to the worker.
 *
 * @internal
 */
export type Picture = { file: Blob | ArrayBuffer; name?: string } | { frame: Global<"ImageBitmap"> | Global<"VideoFrame"> } | { width: number; height: number; data: Uint8Array } | Sound;

/**
 * A message of the worker: a reply, or the progress of a job, with the id of its request, or an event.
 *
 * @internal
 */
export type Message =
  | { id: number; ok: true }
  | { id: number; progress: object }
  | { id: number; ok: false; error: { code: ErrorCode; message: string } }
  | ({ type: "progress" } & Progress)
  /** The engine has ended; the worker answers no more requests. */
  | { type: "down"; error: { code: "crashed" | "out-of-memory"; message: string } };
