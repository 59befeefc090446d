/**
 * `<deep-emd>`: a complete classifier as a custom element. Importing this module defines it. On a server, the import does
 * nothing.
 *
 * ```html
 * <script type="module" src="/deepemd/element.js"></script>
 * <deep-emd camera classes="cup, pen"></deep-emd>
 * ```
 *
 * It shows the camera with its button, a button for each class that teaches while it is held (by mouse, finger or the space
 * bar), and the probability of each class. It uses the microphone instead if `sound` is set.
 *
 * **Attributes and properties** have the same names ({@link DeepEMDElementSettings}) and may be set at any time, even before the
 * module is loaded or the element is in the page.
 *
 * **Content.** `<deep-emd-class name="salt, sea">` is a class. `<img src>` and, with `sound`, `<audio src>` in it are its examples.
 * So are images and sounds with `data-class="cup"` anywhere in the element. The element learns new content and forgets removed
 * content. All other content is shown while the camera is off.
 *
 * **Slots.** `start` and `stop`: the labels of the button; `unknown`: the answer for an image that fits no class; `hint`: how to
 * teach.
 *
 * **Parts.** `stage`, `video`, `spectrum`, `level`, `answer`, `unknown`, `button`, `hint`, `classes`, `class`, `rest`, `teach`,
 * `bar`, `percent`, `note`, `progress`, `message`.
 *
 * **CSS variables.** `--deepemd-accent`, `--deepemd-on-accent`, `--deepemd-surface`, `--deepemd-text`, `--deepemd-radius`. The element
 * follows the page's `color-scheme`.
 *
 * **Language.** The element uses the language of the closest `lang` attribute around it, and follows its changes. Without one, it
 * uses the first of the browser's languages that it has. It shows errors in plain words; the event `error` and the title of the part
 * `message` have the original message, with names, addresses and the remedy.
 *
 * **Removal.** An element that moves within the page continues. An element that is removed stops its camera and engine; if the same
 * element is inserted again, it has its classes and examples. Frameworks create a new element each time: see the event
 * {@link DeepEMDElementEvents.save}.
 *
 * **Frameworks.** `deepemd/react` (React 19), `deepemd/vue` (Vue 3) and `deepemd/svelte` (Svelte 5) add types. Bind classes to a new
 * list when they change: the element does not detect changes within a list.
 *
 * @packageDocumentation
 */

import type {
  Answer, Classifier, DeepEMD, DeepEMDError, Embedder, Example, Explanation, Method, MethodOption, Options, Progress, Solver, Source, Weighting,
} from "./deepemd.js";
import type { ProjectFile } from "./project.js";

/**
 * The properties of <deep-emd>. Null and undefined select the default. Reading a property (except `classes`) returns the
 * value that was set, or undefined. Attributes have the same names: strings unchanged, numbers and booleans by name, lists
 * and objects as JSON. A property whose value can be a string also sets the attribute.
 */
export interface DeepEMDElementSettings {
  /**
   * The names of the classes. Setting them adds new classes, and removes absent ones with their examples. A string separates
   * names by commas, or is JSON: `classes='["salt, sea", "pepper"]'`. Reading returns the current names.
   */
  classes: readonly string[] | string | null | undefined;
  /** Show a button that starts the camera. "user" or "environment" prefers one. Another value replaces the running camera. */
  camera: boolean | "user" | "environment" | "" | null | undefined;
  /** Start the camera or the microphone automatically. */
  autostart: boolean | "" | null | undefined;
  /** Recognize sounds, and show a button that starts the microphone. A change restarts the element without its examples. */
  sound: boolean | "" | null | undefined;
  /** The level above which the microphone's input is a sound, in dBFS. Default −42. */
  threshold: number | string | null | undefined;
  /**
   * A project: its address, its file, or a promise of one. It is opened at the start and when it changes, and replaces all classes
   * and examples. Classes that the page declares (`classes`, content) stay in the list, without examples, so that visitors can teach
   * them. Its frame crops the camera's image.
   */
  project: ProjectSource | PromiseLike<ProjectSource | null | undefined> | null | undefined;
  /** The model: see Options. A change restarts the engine and embeds all examples again. */
  weights: Options["weights"] | null;
  /** The folder of the worker and the engine: see Options. A change restarts the engine, as for weights. */
  base: string | URL | null | undefined;
  /** Further options of DeepEMD.create, such as timeout. A change restarts the engine, as for weights. */
  options: Options | string | null | undefined;
  /** The complete method: see Method. This and the following settings change without a restart, and keep all examples. */
  method: MethodOption | string | null | undefined;
  /** How an image becomes local embeddings: an object, or a kind: "fcn", "grid" or "sampling". */
  embedder: Embedder | string | null | undefined;
  /** With fcn: the sides of coarser maps that are added to the model's map. */
  pyramid: readonly number[] | string | null | undefined;
  /** The classifier. */
  classifier: Classifier | null | undefined;
  /** The weighting of the regions. */
  weighting: Weighting | null | undefined;
  /** The solver that matches regions. */
  solver: Solver | null | undefined;
  /** Higher values give more confident scores. */
  temperature: number | string | null | undefined;
  /** Compensate for different numbers of examples per class. */
  balance: boolean | "" | "true" | "false" | null | undefined;
  /** Report images that fit no class as unknown. */
  unknown: boolean | "" | "true" | "false" | null | undefined;
  /** How familiar an image must be to count as known, 0 to 1. */
  strictness: number | string | null | undefined;
  /** Stop matching a class once it cannot win. */
  skip: boolean | "" | "true" | "false" | null | undefined;
  /** The number of workers that encode the crops of an image in parallel. */
  workers: number | string | null | undefined;
}

/** A project: its address, relative to the page, or its file. */
export type ProjectSource = ProjectFile;

/** The element <deep-emd>: see the description of this module. */
export class DeepEMDElement extends HTMLElement implements DeepEMDElementSettings {
  /** The names of the classes: see DeepEMDElementSettings. */
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

  /** The engine, for calls that the element lacks. Rejects while the element is not in a document. */
  readonly engine: Promise<DeepEMD>;
  /** The latest answer. */
  readonly answer: Answer | undefined;

  /** Starts the camera or the microphone. */
  start(): Promise<void>;
  /** Stops the camera or the microphone. */
  stop(): void;
  /** Adds an example to a class, and the class if it is new. Default: the current image, or the latest sound. */
  teach(label: string, source?: Source): Promise<Example>;
  /** Removes an example. */
  forget(exampleId: string): Promise<void>;
  /** Classifies an image or sound and shows the answer. Default: the current image, or the latest sound. */
  classify(source?: Source): Promise<Answer>;
  /** Explains an answer. Defaults: the image that was classified last, and its best class. */
  explain(options?: { source?: Source; label?: string }): Promise<Explanation>;
  /** Saves the classes and examples as a project file (*.deepemd), which the property project opens. */
  save(options?: { name?: string }): Promise<Blob>;

  /** As in every element, with the events of this one. */
  addEventListener<K extends keyof DeepEMDElementEventMap>(
    type: K,
    listener: (this: DeepEMDElement, event: DeepEMDElementEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  /** For any other type. */
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  /** Removes a listener. */
  removeEventListener<K extends keyof DeepEMDElementEventMap>(
    type: K,
    listener: (this: DeepEMDElement, event: DeepEMDElementEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  /** For any other type. */
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** Progress of the start: in bytes for "engine" and "weights", in examples for "project" and "examples". */
export type ElementProgress = Progress | { stage: "project" | "examples"; loaded: number; total: number };

/** A change of the element's classes, examples or method. */
export type ElementChange =
  /** An example was added: by a button, by teach, or by the page's content. */
  | { action: "teach"; label: string; example: Example }
  /** An example was removed. */
  | { action: "forget"; label: string; exampleId: string }
  /** teach added a new class. */
  | { action: "add-class"; label: string }
  /** A class was removed with its examples. */
  | { action: "remove-class"; label: string }
  /** A class was renamed. */
  | { action: "rename-class"; label: string; before: string }
  /** A project was opened. */
  | { action: "open"; name: string }
  /** Settings of the method changed; the complete method. */
  | { action: "configure"; method: Method };

/** The events of the element. */
export interface DeepEMDElementEvents {
  /** The engine runs and has learned the project and the page's examples. It is dispatched again after each restart. */
  ready: Event;
  /** Progress of the start, or of opening a project. */
  progress: CustomEvent<ElementProgress>;
  /** An answer to the live image, or of classify. It bubbles. */
  prediction: CustomEvent<Answer>;
  /** Classes, examples or the method changed. It bubbles. */
  change: CustomEvent<ElementChange>;
  /**
   * A failure. The element shows it until a call succeeds, or a setting or an example in the page changes; an invalid setting
   * until it is valid.
   */
  error: CustomEvent<DeepEMDError>;
  /**
   * The element was removed from the document, and its engine is about to end. Call `detail.save()` to keep the classes and
   * examples as a project. Call it first in the listener, before any await. The property project of the next element takes the
   * promise.
   */
  save: CustomEvent<{ save(options?: { name?: string }): Promise<Blob> }>;
}

/** These, and the events of every element. */
export type DeepEMDElementEventMap = Omit<HTMLElementEventMap, keyof DeepEMDElementEvents> & DeepEMDElementEvents;

declare global {
  interface HTMLElementTagNameMap {
    "deep-emd": DeepEMDElement;
  }
}
