// @ts-check
/**
 * Teaches a second worker all classes and examples while the current one answers. Images are
 * embedded again, from their originals if available.
 *
 * @typedef {import("./taught.js").Example} Example
 * @typedef {import("./taught.js").TaughtClass} TaughtClass
 * @typedef {import("./link.js").Link} Link
 */

import { DeepEMDError } from "./error.js";

/** Tracks the classes and examples of the second worker. */
export class Reteaching {
  // An id can be used again, so each has its class or example of the record.
  /** @type {Map<string, { of: TaughtClass, label: string, enabled: boolean }>} */ #classes = new Map();
  /** @type {Map<string, { of: Example, made: Pick<Example, "size" | "pixels" | "embedding"> }>} */ #examples = new Map();
  #link;
  #onProgress;
  #signal;

  /**
   * @param {Link} link
   * @param {((done: number, total: number) => void) | undefined} onProgress
   * @param {AbortSignal | undefined} signal
   */
  constructor(link, onProgress, signal) {
    this.#link = link;
    this.#onProgress = onProgress;
    this.#signal = signal;
  }

  /**
   * Sends the second worker the changes since the last round.
   *
   * @param {() => Map<string, TaughtClass>} record
   * @returns {Promise<boolean>} whether there were none
   */
  async round(record) {
    let quiet = true;
    const tell = async (/** @type {any} */ request) => {
      quiet = false;
      this.#signal?.throwIfAborted();
      return this.#link.request(request);
    };
    const classes = [...record().values()];
    for (const [id, { of }] of [...this.#classes]) {
      if (record().get(id) === of) continue;
      this.#classes.delete(id);
      await tell({ type: "removeClass", classId: id });
    }
    const kept = new Set(classes.flatMap((c) => c.examples));
    for (const [id, { of }] of [...this.#examples]) {
      if (kept.has(of)) continue;
      this.#examples.delete(id);
      // Its class may have been removed.
      await tell({ type: "removeExample", exampleId: id }).catch((error) => {
        if (error?.code !== "unknown-example") throw error;
      });
    }
    for (const of of classes) {
      const { id, label, enabled, nothing, examples } = of;
      const told = this.#classes.get(id);
      this.#classes.set(id, { of, label, enabled });
      if (!told) await tell({ type: "addClass", classId: id, label, nothing });
      else if (told.label !== label) await tell({ type: "renameClass", classId: id, label });
      if ((told?.enabled ?? true) !== enabled) await tell({ type: "enableClass", classId: id, enabled });
      for (const example of examples) {
        if (this.#examples.has(example.id)) continue;
        const { size, pixels } = example.original ?? example;
        const picture = { width: size, height: size, data: pixels };
        const made = await tell({ type: "addExample", classId: id, exampleId: example.id, picture });
        this.#examples.set(example.id, { of: example, made: { size: made.pixels.width, pixels: made.pixels.data, embedding: made.embedding } });
        const total = [...record().values()].reduce((n, c) => n + c.examples.length, 0);
        this.#onProgress?.(Math.min(this.#examples.size, total), total);
      }
    }
    return quiet;
  }

  /**
   * Whether the second worker has exactly the content of the record.
   *
   * @param {Map<string, TaughtClass>} record
   */
  complete(record) {
    const examples = [...record.values()].flatMap((c) => c.examples);
    return (
      record.size === this.#classes.size &&
      examples.length === this.#examples.size &&
      examples.every((e) => this.#examples.get(e.id)?.of === e) &&
      [...record.values()].every((c) => {
        const told = this.#classes.get(c.id);
        return told?.of === c && told.label === c.label && told.enabled === c.enabled;
      })
    );
  }

  /**
   * Writes the second worker's pixels and embeddings into the record.
   *
   * @param {Map<string, TaughtClass>} record
   */
  enter(record) {
    for (const owner of record.values()) {
      owner.examples = owner.examples.map((example) => {
        const { made } = this.#examples.get(example.id) ?? {};
        if (!made) throw new DeepEMDError("internal", `example ${example.id} was not taught`);
        const { original, ...others } = { ...example, ...made };
        // The former pixels may show more of the image than the new ones.
        const more = original ?? { size: example.size, pixels: example.pixels };
        return more.size > others.size ? { ...others, original: more } : others;
      });
    }
  }
}
