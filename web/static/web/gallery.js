// @ts-check
/**
 * What the examples of the project that is open are made of, by their ids: the
 * pixels that the network saw, and what it made of them. The engine, the store and
 * the thumbnails share it. An example that was deleted stays as long as the
 * project is open, so that deleting can be undone.
 *
 * @typedef {import("deepemd").DeepEMD} DeepEMD
 * @typedef {import("deepemd/project.js").Network} Network
 *
 * @typedef Whole An example as the engine knows it.
 * @property {number} size
 * @property {Uint8Array} pixels RGB
 * @property {Float32Array} embedding
 * @property {string} maker whose embedding it is
 * @property {Float32Array} [second] of a sound: what the pixels are the spectrogram of, at 16 kHz
 * @property {{ size: number, pixels: Uint8Array }} [original] more of the picture, where there was more
 *
 * @typedef Pending An example of a file, which no engine has seen yet.
 * @property {Blob} picture or a sound
 * @property {string} [name] of the file
 * @property {(network: Network) => Promise<Float32Array | undefined>} [load] its embedding, if it is of that network
 *
 * @typedef {Whole | Pending} Content
 *
 * @typedef Restored What came of examples that were taught again.
 * @property {string[]} taught their ids
 * @property {number} embedded how many of them the engine had to embed
 * @property {{ id: string, name: string, error: unknown }[]} refused those that hold no picture or sound
 * @property {unknown} [error] over others
 */

import { bitmapAddress } from "./bitmap.js";
import { whereSeen } from "./drawing.js";

/** Errors about one file, not about the engine. */
const REFUSED = ["bad-image", "bad-sound", "silent"];

/** How many pictures that nobody waits for are with the engine at once: what is asked meanwhile waits for no more. */
const LANES = 2;

export class Gallery {
  /** @type {Map<string, Content>} */ contents = new Map();
  /** The pictures and sounds that rules name: see media.js. @type {Map<string, Blob>} */ media = new Map();
  /** @type {Network | undefined} */ network;
  /** Names the network. */
  maker = "";
  /** @type {WeakMap<Whole, number>} */ #weights = new WeakMap();
  /** Called with the id of an example that is another than was kept. @type {(id: string) => void} */ onchange = () => {};

  /**
   * Takes note of whose embeddings the engine makes, now and when that changes.
   *
   * @param {DeepEMD} engine
   */
  async connect(engine) {
    engine.addEventListener("embed", async () => {
      await this.#note(engine);
      for (const example of engine.classes.flatMap((c) => c.examples)) {
        if (!this.contents.has(example.id)) continue;
        this.add(example);
        this.onchange(example.id);
      }
    });
    await this.#note(engine);
  }

  /** @param {DeepEMD} engine */
  async #note(engine) {
    this.network = await engine.network();
    const { sha256, embedder, preprocess } = this.network;
    this.maker = JSON.stringify([sha256, Object.entries(embedder ?? {}).sort(), Object.entries(preprocess ?? {}).sort()]);
  }

  /**
   * Keeps an example that was taught. The engine has its pixels, and hands out a copy
   * at every read: here they are not kept a second time.
   *
   * @param {{ id: string, size: number, pixels: Uint8Array, embedding: Float32Array, second?: Float32Array, original?: { size: number, pixels: Uint8Array } }} example
   */
  add(example) {
    const { id, size } = example;
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
   * What is heard of an example of a sound; undefined where that was not kept.
   *
   * @param {string} id
   */
  second(id) {
    const content = this.contents.get(id);
    return content && "second" in content ? content.second : undefined;
  }

  /**
   * Takes note of what an engine with other options has made of every example.
   *
   * @param {DeepEMD} engine
   */
  async renew(engine) {
    const before = this.maker;
    await this.connect(engine);
    if (this.maker === before) return;
    for (const { examples } of engine.classes) {
      for (const example of examples) {
        this.add(example);
        this.onchange(example.id);
      }
    }
  }

  /** How much memory the examples take. */
  get bytes() {
    let sum = 0;
    for (const content of this.contents.values()) if ("pixels" in content) sum += this.#weigh(content);
    return sum;
  }

  /**
   * How much memory an example takes; it is looked at once.
   *
   * @param {Whole} content
   */
  #weigh(content) {
    let bytes = this.#weights.get(content);
    if (bytes === undefined) {
      bytes = content.pixels.byteLength + content.embedding.byteLength + (content.original?.pixels.byteLength ?? 0);
      this.#weights.set(content, bytes);
    }
    return bytes;
  }

  /**
   * Teaches a class examples that are here: all at once, but for those that no engine has seen, which
   * come a few at a time, so that the engine answers meanwhile.
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
   * Teaches a class an example that is here.
   *
   * @param {DeepEMD} engine
   * @param {string} classId
   * @param {string} id
   * @param {Map<string, Content>} contents of the project that it belongs to
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
    const original = "pixels" in content ? content.original : undefined; // given back as it was seen, it shows no more than that
    const example = await engine.addExample(classId, source, { id, embedding, original });
    if (this.contents !== contents) return false; // Another project was opened.
    this.add(example);
    if (!known) this.onchange(id);
    return !known;
  }

  /**
   * Shows what the network saw of an example, pixel by pixel: first those that are in sight. An image costs the page
   * nothing while other things are drawn; hundreds of canvases do.
   *
   * @param {HTMLImageElement} image
   * @param {string} id
   */
  show(image, id) {
    image.onload = image.onerror = null;
    image.dataset.shows = id;
    whereSeen(image, () => {
      const content = this.contents.get(id);
      if (!content || image.dataset.shows !== id) return; // it has come to show another one
      if ("pixels" in content) {
        image.src = bitmapAddress(content.size, content.pixels);
        return;
      }
      const address = URL.createObjectURL(content.picture);
      image.onload = image.onerror = () => URL.revokeObjectURL(address);
      image.src = address;
    });
  }
}

/**
 * Whether an example came from a file of another program: nobody has embedded it yet.
 *
 * @param {Content} content
 * @returns {content is Pending}
 */
export function unseen(content) {
  return !("pixels" in content) && !content.load;
}
