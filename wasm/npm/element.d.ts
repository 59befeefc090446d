import type {
  Answer, Classifier, DeepEMD, DeepEMDError, Embedder, Example, Explanation, Method, MethodOption, Options, Progress, Solver, Source, Weighting,
} from "./deepemd.js";

/**
 * What a page can tell <deep-emd>, as properties; null and undefined are as by default. All but `classes` read what was
 * set, or undefined. Attributes have the same names: texts as they are, numbers and truths by their names, lists and
 * objects as JSON. A property whose value a text can say writes the attribute, too.
 */
export interface DeepEMDElementSettings {
  /**
   * The names of the classes. Setting them adds classes, and removes those that are named no longer, with their examples.
   * A text has commas between them, or is JSON. Reading gives the present ones.
   */
  classes: readonly string[] | string | null | undefined;
  /** There is a button that starts a camera; "user" or "environment" says which one is preferred. */
  camera: boolean | "user" | "environment" | "" | null | undefined;
  /** Camera or microphone start by themselves. */
  autostart: boolean | "" | null | undefined;
  /** Tell sounds apart: there is a button that starts the microphone. A change starts over, without the examples. */
  sound: boolean | "" | null | undefined;
  /** What counts as a sound, in dBFS. Default −42. */
  threshold: number | string | null | undefined;
  /** What was taught before: a project's address, its file, or a promise of one. It is opened at the start, and when it changes. */
  project: ProjectSource | PromiseLike<ProjectSource | null | undefined> | null | undefined;
  /** The network: see Options. A change starts over: examples are embedded again from their pictures. */
  weights: Options["weights"] | null;
  /** Where the worker and the engine lie: see Options. A change starts over, as with weights. */
  base: string | URL | null | undefined;
  /** Further options of DeepEMD.create, such as timeout. A change starts over, as with weights. */
  options: Options | string | null | undefined;
  /** How things are recognised, all of it: see Method. This and what follows changes while the element goes on. */
  method: MethodOption | string | null | undefined;
  /** As an object, or a kind: "fcn", "grid" or "sampling". */
  embedder: Embedder | string | null | undefined;
  /** With fcn: sides of coarser maps that are added to the network's. */
  pyramid: number[] | string | null | undefined;
  /** What learns the classes. */
  classifier: Classifier | null | undefined;
  /** How much each region counts. */
  weighting: Weighting | null | undefined;
  /** How regions are matched. */
  solver: Solver | null | undefined;
  /** The higher, the surer. */
  temperature: number | string | null | undefined;
  /** Whether to make up for classes that have more examples than others. */
  balance: boolean | "" | "true" | "false" | null | undefined;
  /** Whether to say of what is none of the classes that it is unknown. */
  unknown: boolean | "" | "true" | "false" | null | undefined;
  /** How well known a picture must look not to count as unknown, 0 to 1. */
  strictness: number | string | null | undefined;
  /** Whether not to match to the end with classes that cannot win. */
  skip: boolean | "" | "true" | "false" | null | undefined;
  /** How many workers encode the crops of a picture at the same time. */
  workers: number | string | null | undefined;
}

/** A project: its address, relative to the page, or its file. */
export type ProjectSource = string | URL | Blob | ArrayBuffer | ArrayBufferView | Response;

/**
 * <deep-emd>: a whole classifier as one element; importing this module defines it. On a server, without elements, importing
 * it does nothing.
 *
 * Content: `<deep-emd-class name="cup">` is a class; `<img>` and `<audio>` in it, or anywhere with data-class, are its
 * examples. Content may change. The rest is shown while the camera is off. Slots: "start" and "stop" are the texts of the
 * button, "unknown" what stands for a picture of none of the classes, "hint" how to teach.
 *
 * Parts: stage, video, spectrum, level, answer, unknown, button, hint, classes, class, teach, bar, percent, progress,
 * message. CSS variables: --deepemd-accent, --deepemd-surface, --deepemd-text, --deepemd-radius.
 */
export class DeepEMDElement extends HTMLElement implements DeepEMDElementSettings {
  /** The names of the classes. Setting them adds classes and removes others. */
  get classes(): string[];
  set classes(names: readonly string[] | string | null | undefined);
  camera: DeepEMDElementSettings["camera"];
  autostart: DeepEMDElementSettings["autostart"];
  sound: DeepEMDElementSettings["sound"];
  threshold: DeepEMDElementSettings["threshold"];
  project: DeepEMDElementSettings["project"];
  weights: DeepEMDElementSettings["weights"];
  base: DeepEMDElementSettings["base"];
  options: DeepEMDElementSettings["options"];
  method: DeepEMDElementSettings["method"];
  embedder: DeepEMDElementSettings["embedder"];
  pyramid: DeepEMDElementSettings["pyramid"];
  classifier: DeepEMDElementSettings["classifier"];
  weighting: DeepEMDElementSettings["weighting"];
  solver: DeepEMDElementSettings["solver"];
  temperature: DeepEMDElementSettings["temperature"];
  balance: DeepEMDElementSettings["balance"];
  unknown: DeepEMDElementSettings["unknown"];
  strictness: DeepEMDElementSettings["strictness"];
  skip: DeepEMDElementSettings["skip"];
  workers: DeepEMDElementSettings["workers"];

  /** The engine, for all that the element has no method for. Rejects while the element is not in a document. */
  readonly engine: Promise<DeepEMD>;
  /** What was seen or heard last. */
  readonly answer: Answer | undefined;

  /** Starts the camera or the microphone. */
  start(): Promise<void>;
  /** Stops the camera or the microphone. */
  stop(): void;
  /** Makes a picture or sound an example of a class, which is added when it is new. Default: what is seen now, or was heard just now. */
  teach(label: string, source?: Source): Promise<Example>;
  /** Forgets an example. */
  forget(exampleId: string): Promise<void>;
  /** Classifies a picture or sound and shows the answer. Default: what is seen now, or was heard just now. */
  classify(source?: Source): Promise<Answer>;
  /** Why: of a picture, by default the one classified last, and a class, by default the best. */
  explain(options?: { source?: Source; label?: string }): Promise<Explanation>;
  /** What was taught, as a project file (*.deepemd): for the property project, now or on another day. */
  save(options?: { name?: string }): Promise<Blob>;

  /** As every element has it, with the events of this one. */
  addEventListener<K extends keyof DeepEMDElementEventMap>(
    type: K,
    listener: (this: DeepEMDElement, event: DeepEMDElementEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  /** Of any other type. */
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  /** Ends what addEventListener began. */
  removeEventListener<K extends keyof DeepEMDElementEventMap>(
    type: K,
    listener: (this: DeepEMDElement, event: DeepEMDElementEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  /** Of any other type. */
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** How far something is: of "engine" and "weights" so many bytes, of "project" and "examples" so many examples. */
export type ElementProgress = Progress | { stage: "project" | "examples"; loaded: number; total: number };

/** What has changed in what the element knows. */
export type ElementChange =
  /** An example was taught: with a button, by teach, or by the page's content. */
  | { action: "teach"; label: string; example: Example }
  /** An example was forgotten. */
  | { action: "forget"; label: string; exampleId: string }
  /** teach added a class that was new. */
  | { action: "add-class"; label: string }
  /** A class went, with its examples. */
  | { action: "remove-class"; label: string }
  /** A class has another name. */
  | { action: "rename-class"; label: string; before: string }
  /** A project was opened; its name. */
  | { action: "open"; name: string }
  /** Settings of the method were followed; the method in full. */
  | { action: "configure"; method: Method };

/** What the element dispatches. */
export interface DeepEMDElementEvents {
  /** The engine runs and has learnt the project and the examples of the page. Again after a setting had it start over. */
  ready: Event;
  /** How far the start is, or the opening of a project. */
  progress: CustomEvent<ElementProgress>;
  /** An answer, live or of classify. It bubbles. */
  prediction: CustomEvent<Answer>;
  /** What the element knows has changed. It bubbles. */
  change: CustomEvent<ElementChange>;
  /** Something failed; the element says so as well. */
  error: CustomEvent<DeepEMDError>;
  /**
   * The element was taken out of the document, and what it was taught goes with its engine: call `detail.save()` to have
   * it as a project. The call comes first in the listener, before anything is awaited; the promise may be given to the
   * property project of the next element.
   */
  save: CustomEvent<{ save(options?: { name?: string }): Promise<Blob> }>;
}

/** Those, and what every element dispatches. */
export type DeepEMDElementEventMap = Omit<HTMLElementEventMap, keyof DeepEMDElementEvents> & DeepEMDElementEvents;

declare global {
  interface HTMLElementTagNameMap {
    "deep-emd": DeepEMDElement;
  }
}
