// @ts-check
/**
 * The classes and examples of <deep-emd> beyond the life of its engine: the next engine gets
 * them, and projects save and open them.
 *
 * @typedef {import("./deepemd.js").DeepEMD} DeepEMD
 * @typedef {import("./deepemd.d.ts").TaughtClass} TaughtClass
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./project.d.ts").Manifest} Manifest
 */

import { options as checked } from "./check.js";
import { central, frameOf } from "./framing.js";
import { networks } from "./networks.js";

/** The sample rate of an example's sound. */
const RATE = 16000;

/**
 * The classes and examples of an engine.
 *
 * @typedef {{ sound: boolean, classes: TaughtClass[] }} Kept
 */

/**
 * @param {DeepEMD} engine
 * @returns {Kept}
 */
export function keep(engine) {
  return { sound: engine.info.sound, classes: engine.classes };
}

/**
 * Teaches an engine the images and sounds of another engine, which may have had another model. Examples
 * that it rejects are reported and left out.
 *
 * @param {DeepEMD} engine
 * @param {TaughtClass[]} classes of the other engine
 * @param {{ signal: AbortSignal, onProgress: (done: number, total: number) => void, report: (error: unknown) => void, wanted: (id: string) => boolean }} how
 *   wanted: whether a class is still in the element
 */
export async function restore(engine, classes, { signal, onProgress, report, wanted }) {
  const left = classes.filter(({ id }) => wanted(id));
  const total = left.reduce((n, { examples }) => n + examples.length, 0);
  let done = 0;
  for (const { id, label, enabled, nothing, examples } of left) {
    await engine.addClass(label, { id, nothing });
    if (!enabled) await engine.enableClass(id, false);
    for (const example of examples) {
      signal.throwIfAborted();
      await engine.addExample(id, sourceOf(example), { id: example.id }).catch(report);
      onProgress(++done, total);
    }
  }
}

/**
 * The source of an example.
 *
 * @param {import("./deepemd.d.ts").Example} example
 * @returns {Source}
 */
function sourceOf({ size, pixels, original, second, embedding }) {
  if (second) return { samples: second, rate: RATE };
  if (size === 0) return { embedding };
  const { size: side, pixels: data } = original ?? { size, pixels };
  return { width: side, height: side, data };
}

/** The projects of one element. */
export class Projects {
  /** The last manifest, with its other content. @type {Manifest | undefined} */ manifest;
  /** The frame of the camera's image in the last project. */ frame = central;
  /** The model that taught the last project; undefined for the default one. @type {URL | undefined} */ weights;
  /** @type {WeakMap<Blob, number>} The number of changes before a file was saved. */ #saved = new WeakMap();
  #changes = 0;

  /** Marks the examples as changed. */
  changed() {
    this.#changes++;
  }

  /**
   * Saves the classes and examples, and the other content of the file that was opened.
   *
   * @param {DeepEMD} engine
   * @param {{ name?: string }} [options]
   */
  async save(engine, options = {}) {
    const { name } = checked("save", options, { name: "text" });
    const changes = this.#changes;
    const { saveProject } = await import("./project.js");
    const { created, extensions, name: former } = this.manifest ?? {};
    const file = await saveProject(engine, { name: name ?? former ?? "", created: created ?? new Date().toISOString(), extensions });
    this.#saved.set(file, changes);
    return file;
  }

  /**
   * Replaces the engine's content by a project, and its model by the one that taught the project, unless the page
   * chooses the model. Does nothing for the file that was saved or opened last, if nothing has changed since.
   *
   * @param {DeepEMD} engine
   * @param {unknown} given an address, a Blob, bytes, a Response, or a promise of one
   * @param {{ chosen: boolean, signal: AbortSignal, onProgress: (done: number, total: number) => void }} how
   * @returns {Promise<boolean>} whether the content changed
   */
  async open(engine, given, { chosen, signal, onProgress }) {
    const file = /** @type {any} */ (await given);
    if (file === undefined || file === null) return false;
    if (this.#saved.get(file) === this.#changes) return false;
    const { openProject, unpackProject } = await import("./project.js");
    const project = await unpackProject(file, { signal });
    if (!chosen && !engine.info.sound && project.weights?.href !== this.weights?.href) {
      await engine.configure({ weights: project.weights ?? networks.pictures.url }, { signal });
      this.weights = project.weights;
    }
    this.manifest = await openProject(engine, project, { signal, onProgress });
    this.frame = frameOf(this.manifest);
    this.#changes++;
    return true;
  }
}
