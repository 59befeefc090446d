// @ts-check
/**
 * Maps the ids of the current project's examples to their contents: the pixels that the model saw, and
 * their embeddings. The engine, the store and the thumbnails share it. Deleted examples stay
 * while the project is open, so that deleting can be undone.
 *
 * @typedef {import("deepemd").DeepEMD} DeepEMD
 * @typedef {import("deepemd/project.js").Network} Network
 *
 * @typedef Whole An embedded example.
 * @property {number} size
 * @property {Uint8Array} pixels RGB
 * @property {Float32Array} embedding
 * @property {string} maker the model of the embedding
 * @property {Float32Array} [second] of a sound: the second whose spectrogram is in pixels, at 16 kHz
 * @property {{ size: number, pixels: Uint8Array }} [original] a larger part of the image, if there is one
 *
 * @typedef Pending An example from a file, not embedded yet.
 * @property {Blob} picture or a sound
 * @property {string} [name] of the file
 * @property {(network: Network) => Promise<Float32Array | undefined>} [load] its embedding, if that model made it
 *
 * @typedef {Whole | Pending} Content
 *
 * @typedef Restored The result of teaching examples again.
 * @property {string[]} taught their ids
 * @property {number} embedded the number of examples that the engine had to embed
 * @property {{ id: string, name: string, error: unknown }[]} refused files that are not images or sounds
 * @property {unknown} [error] any other error
 */

import { bitmapAddress } from "./bitmap.js";
import { whereSeen } from "./drawing.js";

/** Errors of a single file. */
const REFUSED = ["bad-image", "bad-sound", "silent"];

/** Background images that the engine gets at once: other calls wait for no more than these. */
const LANES = 2;

export class Gallery {
  /** @type {Map<string, Content>} */ contents = new Map();
  /** The pictures and sounds that rules name: see media.js. @type {Map<string, Blob>} */ media = new Map();
  /** @type {Network | undefined} */ network;
  /** The current model. */
  maker = "";
  /** @type {WeakMap<Whole, number>} */ #weights = new WeakMap();
  /** The examples that the engine was taught, and the contents that they belong to: ids of several projects may be the same. */
  #taught = { contents: this.contents, ids: new Set() };
  /** Called with the id of an example that is another than was kept. @type {(id: string) => void} */ onchange = () => {};

  /**
   * Takes over the contents of another project. The page's images are drawn again: examples of both projects may have the same
   * id.
   *
   * @param {Map<string, Content>} contents
   * @param {Map<string, Blob>} media
   */
  open(contents, media) {
    this.contents = contents;
    this.media = media;
    /** @type {NodeListOf<HTMLImageElement>} */
    const images = document.querySelectorAll("img[data-shows]");
    for (const image of images) this.show(image, image.dataset.shows ?? "");
  }

  /**
   * Follows the engine's model.
   *
   * @param {DeepEMD} engine
   */
  async connect(engine) {
    engine.addEventListener("embed", async () => {
      await this.#note(engine);
      this.#follow(engine);
    });
    await this.#note(engine);
  }

  /**
   * Takes over the engine's pixels and embeddings, unless another project was opened since it was taught.
   *
   * @param {DeepEMD} engine
   */
  #follow(engine) {
    const { contents, ids } = this.#taught;
    if (contents !== this.contents) return;
    for (const example of engine.classes.flatMap((c) => c.examples)) {
      if (!ids.has(example.id) || !contents.has(example.id)) continue;
      this.add(example);
      this.onchange(example.id);
    }
  }

  /** @param {DeepEMD} engine */
  async #note(engine) {
    this.network = await engine.network();
    const { sha256, embedder, preprocess } = this.network;
    this.maker = JSON.stringify([sha256, Object.entries(embedder ?? {}).sort(), Object.entries(preprocess ?? {}).sort()]);
  }

  /**
   * Stores a new example. The engine has its pixels and returns a copy at each read, so they are not stored
   * here.
   *
   * @param {{ id: string, size: number, pixels: Uint8Array, embedding: Float32Array, second?: Float32Array, original?: { size: number, pixels: Uint8Array } }} example
   * @param {Map<string, Content>} [contents] of the example's project: nothing is stored if another project was opened
   */
  add(example, contents = this.contents) {
    if (contents !== this.contents) return;
    if (contents !== this.#taught.contents) this.#taught = { contents, ids: new Set() };
    const { id, size } = example;
    this.#taught.ids.add(id);
    const second = "second" in example ? undefined : this.second(id);
    /** @type {Whole} */
    const content = {
      size, maker: this.maker,
      get pixels() { return example.pixels; },
      get embedding() { return example.embedding; },
      ...(second && { second }),
    };
    for (const name of /** @type {const} */ (["second", "original"])) {
      if (name in example) Object.defineProperty(content, name, { get: () => example[name], enumerable: true });
    }
    this.contents.set(id, content);
  }

  /**
   * The sound of an example; undefined if it was not stored.
   *
   * @param {string} id
   */
  second(id) {
    const content = this.contents.get(id);
    return content && "second" in content ? content.second : undefined;
  }

  /**
   * Takes over the pixels and embeddings of an engine with new options.
   *
   * @param {DeepEMD} engine
   */
  async renew(engine) {
    const before = this.maker;
    await this.#note(engine);
    if (this.maker !== before) this.#follow(engine);
  }

  /** The memory of all examples, in bytes. */
  get bytes() {
    let sum = 0;
    for (const content of this.contents.values()) if ("pixels" in content) sum += this.#weigh(content);
    return sum;
  }

  /**
   * The memory of an example, in bytes.
   *
   * @param {Whole} content
   */
  #weigh(content) {
    let bytes = this.#weights.get(content);
    if (bytes === undefined) {
      const { pixels, embedding, original, second } = content;
      bytes = pixels.byteLength + embedding.byteLength + (original?.pixels.byteLength ?? 0) + (second?.byteLength ?? 0);
      this.#weights.set(content, bytes);
    }
    return bytes;
  }

  /**
   * Teaches a class stored examples: embedded ones all at once, the others a few at a time, so that the
   * engine can answer in between.
   *
   * @param {DeepEMD} engine
   * @param {string} classId
   * @param {string[]} ids
   * @returns {Promise<Restored>}
   */
  async restore(engine, classId, ids) {
    const { contents } = this;
    /** @type {Restored} */
    const restored = { taught: [], embedded: 0, refused: [] };
    const teach = async (/** @type {string} */ id) => {
      const content = contents.get(id);
      try {
        if (await this.#teach(engine, classId, id, contents)) restored.embedded++;
        restored.taught.push(id);
      } catch (error) {
        if (content && unseen(content) && REFUSED.includes(/** @type {any} */ (error)?.code)) restored.refused.push({ id, name: content.name ?? id, error });
        else restored.error ??= error;
      }
    };
    const later = ids.filter((id) => {
      const content = contents.get(id);
      return content && unseen(content);
    });
    const lane = async () => {
      for (let id = later.shift(); id !== undefined && !restored.error; id = later.shift()) await teach(id);
    };
    await Promise.all([...ids.filter((id) => !later.includes(id)).map(teach), ...Array.from({ length: LANES }, lane)]);
    return restored;
  }

  /**
   * Teaches a class a stored example.
   *
   * @param {DeepEMD} engine
   * @param {string} classId
   * @param {string} id
   * @param {Map<string, Content>} contents of the example's project
   * @returns {Promise<boolean>} whether it was embedded
   */
  async #teach(engine, classId, id, contents) {
    const content = contents.get(id);
    if (!content) throw Object.assign(new Error(`the picture of ${id} is missing`), { code: "gone" });
    const known = "pixels" in content ? content.maker === this.maker : false;
    let embedding;
    if ("pixels" in content) embedding = known ? content.embedding : undefined;
    else if (this.network) embedding = await content.load?.(this.network);
    const seen = "pixels" in content && !known ? (content.original ?? content) : content;
    const source = "pixels" in seen ? { width: seen.size, height: seen.size, data: seen.pixels } : seen.picture;
    const original = "pixels" in content ? content.original : undefined; // pixels alone would lose the larger part
    const example = await engine.addExample(classId, source, { id, embedding, original });
    if (this.contents !== contents) return false; // another project was opened
    this.add(example);
    // Images that could not show the file, such as those of sounds.
    if (!("pixels" in content)) for (const image of document.querySelectorAll(`img[data-shows="${CSS.escape(id)}"]:not([src])`)) this.show(/** @type {HTMLImageElement} */ (image), id);
    if (!known) this.onchange(id);
    return !known;
  }

  /**
   * Shows the pixels that the model saw of an example; visible images come first. Images are cheap
   * while the page draws; hundreds of canvases are not.
   *
   * @param {HTMLImageElement} image
   * @param {string} id
   */
  show(image, id) {
    if (image.onload) URL.revokeObjectURL(image.src); // of a file that has not arrived
    image.onload = image.onerror = null;
    image.dataset.shows = id;
    whereSeen(image, () => {
      const content = this.contents.get(id);
      if (!content || image.dataset.shows !== id) return; // the image shows another example now
      if ("pixels" in content) {
        image.src = bitmapAddress(content.size, content.pixels);
        return;
      }
      const address = URL.createObjectURL(content.picture);
      image.onload = () => URL.revokeObjectURL(address);
      image.onerror = () => {
        URL.revokeObjectURL(address);
        image.removeAttribute("src"); // instead of the sign of a broken image
        if (this.contents.get(id) !== content) this.show(image, id);
      };
      image.src = address;
    });
  }
}

/**
 * Whether an example is not embedded yet.
 *
 * @param {Content} content
 * @returns {content is Pending}
 */
export function unseen(content) {
  return !("pixels" in content) && !content.load;
}
