/**
 * The messages between the page, the worker and the engine. Generated from
 * wasm/internal/protocol and core/answer: change it there.
 */

import type { MethodOption, Picture } from "./deepemd.js";
import type { WebAssemblyModule } from "./global.js";

/** The reason for a failed call. */
export type ErrorCode =
  /** Not an image, or a damaged one. */
  | "bad-image"
  /** Not a recording, or a damaged one. */
  | "bad-sound"
  /** The recording is silent. */
  | "silent"
  /** Not a model, or an unsupported one. */
  | "bad-weights"
  /** A project of features, or a gallery, that was made with another model. */
  | "wrong-network"
  /** The caller can correct it. */
  | "bad-argument"
  /** There are no examples yet. */
  | "empty"
  /** No class with this id. */
  | "unknown-class"
  /** No example with this id. */
  | "unknown-example"
  /** Examples changed during the call. */
  | "changed"
  /** A malformed request: a bug in the calling code. */
  | "internal"
  /** The engine died; it is being restarted. */
  | "crashed"
  /** The engine died for lack of memory; it is being restarted in a smaller form. */
  | "out-of-memory"
  /** A file could not be fetched. */
  | "network"
  /** Not a project file, or a damaged one. */
  | "bad-project"
  /** A project file of a newer version, or one that requires an unknown extension. */
  | "newer-project"
  /** A project of another kind than the engine: images, sounds or features. */
  | "wrong-kind"
  /** A gallery whose file is damaged or is not a gallery. */
  | "bad-gallery"
  /** A gallery of another version of deepemd. */
  | "newer-gallery"
  /** Another tab is changing the gallery. */
  | "in-use"
  /** The gallery has no image of that name. */
  | "unknown-name"
  /** The page's backbone failed, or returned unusable features. */
  | "backbone"
  /** The browser lacks a required feature. */
  | "unsupported"
  /** The engine was disposed of. */
  | "disposed";

/** The classifier. */
export type Classifier =
  /** DeepEMD with the mean of a class's examples, and two linear classifiers of maps, fitted to the examples. */
  | "mixture"
  /** DeepEMD with the mean of a class's examples, node by node. */
  | "prototype"
  /** DeepEMD with the most similar example of a class (EMD+NN). */
  | "nearest"
  /** Mean DeepEMD score of a class's examples (EMD+Fusion). */
  | "fusion"
  /** DeepEMD with all nodes of a class's examples in one set (EMD+Merge). */
  | "merge"
  /** Cosine similarity to a class's mean features. */
  | "cosine";

/** The weighting of nodes. */
export type Weighting =
  /** More weight for regions that both images share. */
  | "cross-reference"
  /** Equal weights. */
  | "equal";

/** The solver that matches nodes. */
export type Solver =
  /** The exact optimal flow. */
  | "simplex"
  /** Every node connected with every other, without transport. */
  | "dense";

/** Every request that a worker answers. */
export type Request =
  /** Classify classifies an image, or its embedding, among the classes that have examples. */
  | {
      type: "classify";
      /** Absent without a model, and with classify and embed if there is an embedding. */
      picture?: Picture;
      /** Features of the crops of the last inputs request, whose image this is. */
      features?: Float32Array;
      /** [nodes, channels], if it is known: the model is skipped. */
      embedding?: Float32Array;
      /** Reply with the model's input. */
      pixels?: boolean;
      /** The image is part of a stream: the answer may ignore the latest examples. */
      live?: boolean;
      /** Report whether it belongs to any class, even if the method does not. */
      unknown?: boolean;
      /** Also reply with an explanation. */
      explain?: boolean;
      /** The class to explain; default the best. */
      classId?: string;
    }
  /** Embed computes the local embeddings of an image, without teaching or classifying it. */
  | {
      type: "embed";
      /** Absent without a model, and with classify and embed if there is an embedding. */
      picture?: Picture;
      /** Features of the crops of the last inputs request, whose image this is. */
      features?: Float32Array;
      /** [nodes, channels], if it is known: the model is skipped. */
      embedding?: Float32Array;
    }
  /** Explain explains the similarity of the image that was classified last and a class. */
  | {
      type: "explain";
      /** Default the best. */
      classId?: string;
    }
  /** Review reviews the examples of enabled classes. It is a job: see Train. */
  | {
      type: "review";
    }
  /**
   * Inputs lists the crops of an image, for several workers to encode. addExample or classify with their features
   * follows.
   */
  | {
      type: "inputs";
      picture: Picture;
      /** Of the draft: see begin. */
      draft?: boolean;
    }
  /** Encode computes the features of crops of any image. */
  | {
      type: "encode";
      /** [n, size, size, 3], RGB. */
      crops: Uint8Array;
    }
  /**
   * Train trains the structured fully connected layer. At the end answers come from it, unless the check finds no
   * gain. Its progress is Trained.
   */
  | {
      type: "train";
      /** Passes over all examples. */
      passes: number;
      /** Also measure the gain. */
      check: boolean;
    }
  /** Learn completes the learning of the classifier. It is a job without progress. */
  | {
      type: "learn";
      /** Of the draft: see begin. */
      draft?: boolean;
    }
  /** Growth measures the learning curve. It starts again when examples change. Its progress is the curve so far. */
  | {
      type: "growth";
    }
  /** Stop ends a job. If it is a training that has ended, the answers are again as before it. */
  | {
      type: "stop";
      /** The id of its request. */
      job: number;
    }
  /** Memory measures the program's memory. */
  | {
      type: "memory";
      /** Collect garbage first. */
      collect?: boolean;
    }
  /** Crash makes the program fail, for tests. */
  | {
      type: "crash";
      how: "panic" | "memory" | "exit" | "hang";
    }
  /**
   * Init starts the engine, with a model or for features that the page computes. It is the first request, and is
   * sent once.
   */
  | {
      type: "init";
      /** The model: a safetensors file, or its address and length (0: unknown). */
      weights?: { url: string; bytes: number } | Blob | ArrayBuffer;
      /** Instead of a model. */
      features?: Features;
      /** Absent fields have their defaults. */
      method: MethodOption;
      /** Stop matching classes that cannot win. */
      skip?: boolean;
      /** Hold the weights in a smaller, slower form. */
      lowMemory?: boolean;
      /** The program, or its address and length. */
      engine: { url: string; bytes: number } | Blob | ArrayBuffer | WebAssemblyModule;
      /** The address of the worker's script, for further workers. */
      script: string;
      /** The number of workers that encode crops. */
      workers: number;
    }
  /** Reshape changes the features of an engine without examples. */
  | {
      type: "reshape";
      features: Features;
      /** Of the draft: see begin. */
      draft?: boolean;
    }
  /** Configure changes the method, except its embedder. */
  | {
      type: "configure";
      /** Absent fields have their defaults. */
      method: MethodOption;
      /** As in init. */
      skip?: boolean;
    }
  /** AddClass adds a class without examples. */
  | {
      type: "addClass";
      classId: string;
      label: string;
      /** It is a background class. */
      nothing?: boolean;
      /** Of the draft: see begin. */
      draft?: boolean;
    }
  /** RenameClass changes a class's label. */
  | {
      type: "renameClass";
      classId: string;
      label: string;
    }
  /** RemoveClass removes a class and its examples. */
  | {
      type: "removeClass";
      classId: string;
    }
  /** EnableClass enables or disables a class. */
  | {
      type: "enableClass";
      classId: string;
      enabled: boolean;
      /** Of the draft: see begin. */
      draft?: boolean;
    }
  /** AddExample adds an image to a class. */
  | {
      type: "addExample";
      classId: string;
      exampleId: string;
      /** Absent without a model, and with classify and embed if there is an embedding. */
      picture?: Picture;
      /** Features of the crops of the last inputs request, whose image this is. */
      features?: Float32Array;
      /** [nodes, channels], if it is known: the model is skipped. */
      embedding?: Float32Array;
      /** Also classify the example. */
      answer?: boolean;
      /** Of the draft: see begin. */
      draft?: boolean;
    }
  /** RemoveExample removes an example. */
  | {
      type: "removeExample";
      exampleId: string;
    }
  /**
   * Begin starts a draft: new classes and examples with another method. Requests marked draft fill it; other
   * requests use the current content. A previous draft is dropped.
   */
  | {
      type: "begin";
      /** Absent fields have their defaults. */
      method: MethodOption;
      workers: number;
      /** For further workers, if the draft's embedder cuts crops. */
      weights?: ArrayBuffer;
    }
  /** Commit replaces the current content by the draft. */
  | {
      type: "commit";
    }
  /** Discard drops the draft. */
  | {
      type: "discard";
    };

/** The fields of replies besides id and ok. The replies of other requests have no fields. */
export interface Replies {
  classify: Answer;
  embed: Embedding;
  explain: Explanation;
  review: Review;
  inputs: Crops;
  encode: Encoded;
  train: Gain;
  growth: Curve;
  memory: MemoryUse;
  init: Started;
  configure: Configured;
  addExample: Added;
  begin: Begun;
}

/** Features describes the features that the page computes itself. */
export interface Features {
  /** Their name: a project opens for features of the same name and shape. */
  name?: string;
  /** Local embeddings per input; 0 channels until reshape. */
  nodes: number;
  /** Length of each node. */
  channels: number;
  /** [nodes, 4]: x0, y0, x1, y1 of each node's region. */
  regions?: Float32Array;
}

/** Method is a complete way to recognize images. */
export interface Method {
  /** Default {"kind":"fcn"}. */
  embedder: Embedder;
  /** One of Classifiers, with its setting if it has one; default "mixture". */
  classifier: string;
  /** One of Weightings, with its setting if it has one; default "cross-reference". */
  weighting: string;
  /** One of Solvers, with its setting if it has one; default "simplex". */
  solver: string;
  /** The factor between similarities and logits, above 0; default 12.5. */
  temperature: number;
  /** Compensate for different numbers of examples per class; default true. */
  balance: boolean;
  /** Default {"name":true,"strictness":0.42}. */
  strangers: Strangers;
}

/** Embedder is the way an image becomes local embeddings. */
export interface Embedder {
  /** One of Embedders. */
  kind: "fcn" | "grid" | "sampling";
  /** Of fcn: sides of the pooled maps, in addition to the raw map. */
  pyramid?: readonly number[];
  /** Of grid: cells on a side, for each level. */
  grid?: readonly number[];
  /** Of grid: side of a crop, in cells. */
  ratio?: number;
  /** Of sampling: crops per image. */
  patches?: number;
  /** Of sampling: seed of the random crops. */
  seed?: number;
}

/** Strangers sets whether images that belong to no class are reported as unknown. */
export interface Strangers {
  /** Report them. */
  name: boolean;
  /** From 0, which accepts most images, to 1, which rejects most. */
  strictness: number;
}

/** Answer is the classification of an image. */
export interface Answer {
  /** Best first; background classes have none. */
  scores: Score[];
  /** Milliseconds in the model. */
  embedMs: number;
  /** Milliseconds of matching. */
  matchMs: number;
  /** If the method reports unknown images or there are background examples. */
  unknown?: Verdict;
  /** With the option pixels: the model's input, RGB; absent for an embedding without an image. */
  pixels?: Image;
  /** With pixels, of a sound: the embedded second, at 16 kHz. */
  second?: Float32Array;
  /** With the option explain. */
  explanation?: Explanation;
}

/** Score is the match of an image and a class. */
export interface Score {
  /** The class. */
  id: string;
  /** Its name. */
  label: string;
  /** Probability, 0 to 1: the scores sum to the verdict's Known, or to 1 without a verdict. */
  score: number;
  /** The classifier's score, including the temperature: the input of the softmax. */
  logit: number;
  /** With the option skip: the logit is an upper bound, because the class cannot win. */
  bound?: boolean;
}

/**
 * Verdict is the open-set decision: an image belongs to a class or is unknown. The threshold is estimated from
 * the examples: each is left out of its class for a known score, and with its whole class for an unknown score.
 */
export interface Verdict {
  /**
   * The score is below the threshold, the image resembles background examples, or it has one color and no example
   * does.
   */
  unknown: boolean;
  /** The background class that the image resembles. */
  nothing?: string;
  /** The familiarity of the image. */
  score: number;
  /** The required familiarity, at the method's strictness. */
  threshold: number;
  /**
   * The probability that the image belongs to a class: at most one half if it is unknown, 1 if only background
   * examples could reject it.
   */
  known: number;
  /** Only together are the classes more probable than unknown: the best one is less. */
  together?: boolean;
  /** The threshold at a strictness of 0.5. */
  balanced: number;
  /** No class has two examples yet: the threshold was measured on other data. */
  estimated: boolean;
}

/** Image holds RGB pixels, row by row. */
export interface Image {
  /** Pixels per row. */
  width: number;
  /** Rows. */
  height: number;
  /** [Height, Width, 3]. */
  data: Uint8Array;
}

/**
 * Explanation explains the score of a class: the match of the picture with the most similar example of the
 * class.
 */
export interface Explanation {
  /** The class. */
  classId: string;
  /** Its name. */
  label: string;
  /** The example. */
  exampleId: string;
  /**
   * The similarity of the two: the sum of the links' scores. With the classifier "nearest" it equals the logit of
   * the class.
   */
  score: number;
  /** The sum of the weights of each side: the number of nodes of the query. */
  total: number;
  /** The factor between similarities and scores. */
  temperature: number;
  /** Nodes of the query, or of the support if reversed. */
  query: Node[];
  /** Nodes of the other picture. */
  support: Node[];
  /** Pairs of nodes that exchange mass, the largest flow first, equal flows by similarity. */
  flow: Link[];
  /**
   * [query.length, support.length], row by row: the cosine of every pair of centered nodes; the cost of a pair is
   * one minus it.
   */
  similarity: Float32Array;
  /**
   * The terms of the logit of every class, in order: the match with all of its examples, and the head of the
   * classifier "mixture". Absent with other classifiers, after training, and if there is only one class.
   */
  head?: Shares[];
}

/** Node is a region of a picture, in fractions of the embedded square from the top left, with its weight. */
export interface Node {
  /** The left edge, 0 to 1. */
  x0: number;
  /** The upper edge. */
  y0: number;
  /** The right edge. */
  x1: number;
  /** The lower edge. */
  y1: number;
  /** The mass that it sends or receives. */
  weight: number;
}

/** Link is a pair of nodes that exchange mass. */
export interface Link {
  /** The index of the node in query. */
  from: number;
  /** The index of the node in support. */
  to: number;
  /** The mass. */
  amount: number;
  /** The similarity of the two nodes, −1 to 1. */
  similarity: number;
  /** The contribution to the score of the match: temperature / total · similarity · amount. */
  score: number;
}

/**
 * Shares holds the two terms of a class's logit, both multiplied by the sharpness that converts logits to
 * probabilities (see fewshot.Mixture).
 */
export interface Shares {
  /** The class. */
  classId: string;
  /** Its name. */
  label: string;
  /** The match with all of its examples. */
  match: number;
  /** The head, learned from the examples. */
  head: number;
}

/** Embedding is the local embeddings of an image: a set of nodes, each of one region. */
export interface Embedding {
  /** The number of nodes. */
  nodes: number;
  /** The length of each node. */
  channels: number;
  /** [nodes, channels], node by node. */
  data: Float32Array;
  /** [nodes, 4]: each node's region as x0, y0, x1, y1, in fractions of the embedded square, from the top left. */
  regions: Float32Array;
  /** [channels]: the model's own global descriptor of the image, if it has one (vision transformers do). */
  summary?: Float32Array;
}

/** Review reviews the examples of enabled classes. */
export interface Review {
  /** In order, background examples last. */
  examples: ReviewedExample[];
  /** In order. */
  classes: ReviewedClass[];
  /** Familiarity of examples left out of their class, if the class has another. */
  known: number[];
  /** Familiarity of examples left out with their whole class: they represent images of other classes. */
  unknown: number[];
  /** The threshold at a strictness of 0.5. */
  balanced: number;
  /**
   * The threshold is lower by this at a strictness of 0, and higher at 1. It is smaller if the classes are
   * similar.
   */
  reach: number;
  /**
   * The threshold is lower than the best one between known and unknown images, because the default strictness
   * would reject more than one in nine of the known examples.
   */
  relaxed: boolean;
  /** No class has two examples yet. */
  estimated: boolean;
  /** Share of unknown images that the balanced threshold accepts, measured on other data. */
  accepted: number;
  /** Share of known images that it rejects, measured on other data. */
  rejected: number;
}

/**
 * ReviewedExample is the review of an example. It is left out with similar examples next to it, such as frames
 * of a film.
 */
export interface ReviewedExample {
  /** The example. */
  id: string;
  /** Its class. */
  classId: string;
  /** A problem of the image. */
  problem?: "dark" | "bright" | "blurred";
  /** An earlier, nearly identical example of the class. */
  twin?: string;
  /** The best class when it is left out; absent if there is no other class. */
  taken?: string;
  /** The lead of its class when it is left out, in logits. */
  margin: number;
  /**
   * It is probably in the wrong class: its margin to the other classes, background aside, is below −3, odds of
   * twenty to one, and its class has at least three examples or films.
   */
  mislabeled?: boolean;
}

/** ReviewedClass is the typical similarity of images to their class. */
export interface ReviewedClass {
  /** The class. */
  id: string;
  /** In logits at the usual temperature. */
  level: number;
  /** Examples, or parts of films, that are left out in turn. */
  parts: number;
}

/** Crops has the crops. */
export interface Crops {
  count: number;
  /** Side of each. */
  size: number;
  /** [count, size, size, 3], RGB. */
  pixels: Uint8Array;
}

/** Encoded has the features. */
export interface Encoded {
  /** [n, channels]. */
  features: Float32Array;
}

/** Gain is the result of a cross-validation of training. */
export interface Gain {
  /** Held-out examples. */
  of: number;
  /** Held-out examples that the classifier recognized before training. */
  before: number;
  /** Held-out examples recognized after training. */
  after: number;
}

/**
 * Curve is the learning curve: the accuracy by the number of examples. Unknown images and background examples
 * are not included.
 */
export interface Curve {
  /** Finished draws of examples. */
  done: number;
  /** All draws. */
  total: number;
  /** Finished points by the number of examples. */
  points: CurvePoint[];
  /** Classes with examples, in order. */
  classes: CurveClass[];
}

/** CurvePoint is the accuracy with a given number of other examples per class. */
export interface CurvePoint {
  /**
   * Examples per class, fewer if a class has fewer; in the last point all others, and this is the maximum of a
   * class.
   */
  examples: number;
  /** Share of the examples that are classified correctly, whether reported as unknown or not. */
  right: number;
  /**
   * Standard deviation of the share between draws; 0 if each example is left out once, as in the last point if the
   * classifier supports it.
   */
  spread: number;
}

/** CurveClass is the accuracy of a class at each point. */
export interface CurveClass {
  /** The class. */
  id: string;
  /** Its name. */
  label: string;
  /** Correct answers at each point. */
  right: number[];
  /** All answers at each point. */
  asked: number[];
}

/** MemoryUse is the memory of the engine's program, and its garbage collections since the last request. */
export interface MemoryUse {
  /** Bytes in use, including garbage. */
  heap: number;
  /** Bytes allocated since the start. */
  allocated: number;
  collections: number;
  worstPauseMs: number;
  /** Size of the WebAssembly memory in bytes. */
  wasm: number;
}

/** Started describes the running engine. */
export interface Started {
  info: Info;
  method: Method;
  choices: Choices;
  /** The program, to start another. */
  module: WebAssemblyModule;
  /** The weights file; absent with features. */
  weights?: ArrayBuffer;
}

/** Info describes a running engine. */
export interface Info {
  /** Short name of the model, or of the features. */
  name: string;
  /** Version of the engine. */
  version: string;
  /** The kernels in use: "simd128-fma" (fused multiplications), "simd128" or "generic". */
  kernels: string;
  /** Recognizes sounds instead of images. */
  sound: boolean;
  /** Takes features that the page computes: there is no model. */
  features: boolean;
  /** Side of the model's input in pixels; with features, side of the thumbnails. */
  inputSize: number;
  /** How an image becomes the model's input. */
  preprocess: Preprocess;
  /** Channels of the model's four blocks. */
  widths: number[];
  /** Local embeddings per image. */
  nodes: number;
  /** Length of each node. */
  channels: number;
  /** Passes through the model per image: 1, or the number of crops. */
  crops: number;
  /** Workers that encode crops in parallel. */
  workers: number;
}

/**
 * Preprocess describes how an image becomes the model's input. The central square is scaled to size pixels; if
 * resize is above 0, the whole image is stretched to a square of resize pixels instead, and its central size
 * pixels are cut out. Values from 0 to 1 are then normalized: mean is subtracted, and the result is divided by
 * std, for red, green and blue.
 */
export interface Preprocess {
  /** Side of the model's input, in pixels. */
  size: number;
  /** Side to which the image is stretched before the center is cut out; 0 for the central square. */
  resize: number;
  /** For red, green and blue. */
  mean: number[];
  /** For red, green and blue. */
  std: number[];
}

/** Choices lists the available settings of an engine. */
export interface Choices {
  /** How an image becomes local embeddings. */
  embedders: Name[];
  /** The classifiers. */
  classifiers: Name[];
  /** The weightings of nodes. */
  weightings: Name[];
  /** The solvers that match nodes. */
  solvers: Name[];
}

/** Name is one value of a setting, such as a classifier. */
export interface Name {
  /** The name in files, flags and pages. */
  name: string;
  /** One line of explanation. */
  what: string;
}

/** Configured has the new method. */
export interface Configured {
  method: Method;
  /** Nothing was changed, because the method has another embedder, which requires re-embedding all examples. */
  embeds?: boolean;
}

/** Added has the model's input and its embedding. */
export interface Added {
  /** Absent without an image. */
  pixels?: Image;
  /** Of a sound: the embedded second, at 16 kHz. */
  second?: Float32Array;
  /** A larger part of the image, if there is one. */
  original?: Image;
  /** [nodes, channels]; absent if the request had it. */
  embedding?: Float32Array;
  /** With the option answer: the classification of the example; absent for a background example. */
  answer?: Answer;
}

/** Begun describes the draft. */
export interface Begun {
  info: Info;
  method: Method;
}
