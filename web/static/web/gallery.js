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
 * @property {Blob} picture
 * @property {(network: Network) => Promise<Float32Array | undefined>} [load] its embedding, if it is of that network
 *
 * @typedef {Whole | Pending} Content
 */

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
   * Teaches a class examples that are here, all at once.
   *
   * @param {DeepEMD} engine
   * @param {string} classId
   * @param {string[]} ids
   * @returns {Promise<number>} how many were embedded anew
   */
  async restore(engine, classId, ids) {
    let anew = 0;
    const outcomes = await Promise.allSettled(
      ids.map(async (id) => {
        const content = this.contents.get(id);
        if (!content) throw Object.assign(new Error(`the picture of ${id} is missing`), { code: "gone" });
        const known = "pixels" in content ? content.maker === this.maker : false;
        let embedding;
        if ("pixels" in content) embedding = known ? content.embedding : undefined;
        else if (this.network) embedding = await content.load?.(this.network);
        const seen = "pixels" in content && !known ? (content.original ?? content) : content;
        const source = "pixels" in seen ? { width: seen.size, height: seen.size, data: seen.pixels } : seen.picture;
        const original = "pixels" in content ? content.original : undefined; // given back as it was seen, it shows no more than that
        this.add(await engine.addExample(classId, source, { id, embedding, original }));
        if (known) return;
        anew++;
        this.onchange(id);
      }),
    );
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    return anew;
  }

  /**
   * Draws what the network saw of an example, pixel by pixel.
   *
   * @param {HTMLCanvasElement} canvas
   * @param {string} id
   */
  async draw(canvas, id) {
    const content = this.contents.get(id);
    const context = canvas.getContext("2d");
    if (!content || !context) return;
    if (!("pixels" in content)) {
      const bitmap = await createImageBitmap(content.picture);
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      context.drawImage(bitmap, 0, 0);
      bitmap.close();
      return;
    }
    const { size, pixels } = content;
    const image = new ImageData(size, size);
    for (let i = 0, k = 0; k < pixels.length; i += 4, k += 3) {
      image.data[i] = pixels[k];
      image.data[i + 1] = pixels[k + 1];
      image.data[i + 2] = pixels[k + 2];
      image.data[i + 3] = 255;
    }
    canvas.width = canvas.height = size;
    context.putImageData(image, 0, 0);
  }
}
