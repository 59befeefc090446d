import type { Answer, DeepEMD, DeepEMDError, Example, Explanation, Source } from "./deepemd.js";

/**
 * <deep-emd>: a whole classifier as one element; importing this module defines it.
 *
 * Attributes:
 * - classes: their names, with commas between. Changing it adds classes, and removes those it no longer names.
 * - camera: there is a button that starts it; "user" or "environment" says which one is preferred.
 * - autostart: the camera starts by itself.
 * - weights, base: see Options of deepemd.js. Changing weights starts over.
 *
 * Content: `<img data-class="cup">` are examples, learnt at the start; the rest is shown while the camera is off. Slots:
 * "start" and "stop" are the texts of the button.
 *
 * Parts: stage, video, answer, button, classes, class, teach, bar, percent, message. CSS variables: --deepemd-accent,
 * --deepemd-surface, --deepemd-text, --deepemd-radius.
 */
export class DeepEMDElement extends HTMLElement {
  /** The engine, for all that the element has no method for. Rejects while the element is not in a document. */
  readonly engine: Promise<DeepEMD>;
  /** What was seen last. */
  readonly answer: Answer | undefined;
  /** The names of the classes. */
  readonly classes: string[];

  start(): Promise<void>;
  stop(): void;
  /** Makes a picture an example of a class, which is added when it is new. Default: what the camera shows. */
  teach(label: string, source?: Source): Promise<Example>;
  /** Classifies a picture and shows the answer. Default: what the camera shows. */
  classify(source?: Source): Promise<Answer>;
  /** Why: of a picture, by default the one classified last, and a class, by default the best. */
  explain(options?: { source?: Source; label?: string }): Promise<Explanation>;

  addEventListener<K extends keyof DeepEMDElementEvents>(
    type: K,
    listener: (this: DeepEMDElement, event: DeepEMDElementEvents[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

export interface DeepEMDElementEvents {
  /** The engine runs and has learnt the pictures in the element. */
  ready: Event;
  /** An answer, live or of classify. It bubbles. */
  answer: CustomEvent<Answer>;
  /** An example was taken with a class's button. */
  example: CustomEvent<{ label: string; example: Example }>;
  /** Something failed; the element says so as well. */
  error: CustomEvent<DeepEMDError>;
}

declare global {
  interface HTMLElementTagNameMap {
    "deep-emd": DeepEMDElement;
  }
}
