// @ts-check
/**
 * The worker: fetches and runs the engine (Go, compiled to WebAssembly), turns
 * frames into pixels, and passes requests on, one after the other. It speaks
 * the protocol that deepemd.d.ts and wasm/protocol.go write down.
 *
 * @typedef {import("./deepemd.d.ts").Request} Request
 * @typedef {import("./pool.js").Pool} Pool
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 * @typedef {import("./deepemd.d.ts").ErrorCode} ErrorCode
 */

import { LIST_BYTES, joined, listed } from "./parts.js";
import { refusal } from "./sound.js";

/**
 * Frames are drawn no larger than this many times the network's input: from
 * there the engine's exact resizing takes over, at a price for each pixel.
 */
const OVERSAMPLING = 4;

/** What a bad address gives that is no file of the wanted kind. */
const HTML = /^\s*<(!doctype|html|head|body|\?xml)/i;

/** The engine's entry, once it runs. @type {((request: object) => any) | undefined} */
let handle;

/** Set when the engine has ended: nothing is answered any more. */
let down = false;

/** What the engine wrote first. It is silent until it fails: this is why. */
let words = "";

/** The engine's memory. @type {WebAssembly.Memory | undefined} */
let memory;

/** The side of the network's input. */
let inputSize = 0;

/** Whether the engine hears instead of seeing. */
let hears = false;

/** Who else encodes the crops of a picture. @type {Pool | undefined} */
let pool;

/** @type {OffscreenCanvasRenderingContext2D | undefined} */
let canvas;

/** A failure with its code. */
class Failure extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// Requests are answered strictly in order: the next waits for the one before.
let line = Promise.resolve();
self.onmessage = ({ data }) => {
  line = line.then(() => answer(data));
};

/** @param {Request & { id: number }} request */
async function answer(request) {
  if (down) return;
  const { id } = request;
  try {
    const [reply, transfer] = await perform(request);
    if (!down) post({ id, ok: true, ...reply }, transfer);
  } catch (error) {
    if (!down) post({ id, ok: false, error: describe(error) });
  }
}

/**
 * @param {Request} request
 * @returns {Promise<[object, Transferable[]]>} the reply and what to hand over with it
 */
async function perform(request) {
  switch (request.type) {
    case "init":
      return start(request);
    case "addExample":
    case "classify": {
      const picture = await pixels(request.picture);
      const known = "embedding" in request && request.embedding !== undefined;
      const reply = pool?.size && !known ? await together(pool, { ...request, picture }) : call({ ...request, picture });
      return [reply, [reply.pixels, reply.original, reply.embedding, reply.second].filter(Boolean).map((part) => part.buffer)];
    }
    case "encode": {
      const reply = call(request);
      return [reply, [reply.features.buffer]];
    }
    case "memory":
      return [{ ...call(request), wasm: memory?.buffer.byteLength }, []];
    default:
      return [call(request), []];
  }
}

/**
 * Calls into the engine. An engine that ends on the way, in whatever manner,
 * has no state left to answer from.
 *
 * @param {object} request
 */
function call(request) {
  if (!handle) throw new Failure("internal", "the engine was not started: send init first");
  let reply;
  try {
    reply = handle(request);
  } catch (error) {
    ended(String(error));
  }
  if (down) throw new Failure("crashed", "the engine ended");
  if (!reply) {
    ended("its program ended without an answer");
    throw new Failure("crashed", "the engine ended");
  }
  if (reply.error) throw new Failure(reply.error.code, reply.error.message);
  return reply;
}

/**
 * Performs a request with a picture whose crops are encoded together with others.
 *
 * @param {Pool} pool
 * @param {Extract<Request, { type: "addExample" | "classify" }>} request
 */
async function together(pool, request) {
  const begin = performance.now();
  const crops = call({ type: "inputs", picture: request.picture });
  const features = await pool.encode(crops, (crop) => call({ type: "encode", crops: crop }).features);
  const took = performance.now() - begin;
  const reply = call({ ...request, picture: NOTHING, features });
  if ("embedMs" in reply) reply.embedMs += took;
  return reply;
}

/** The picture of a request whose features say all. */
const NOTHING = { width: 0, height: 0, data: new Uint8Array(0) };

/**
 * Tells the page that this worker is of no use any more.
 *
 * @param {string} reason
 */
function ended(reason) {
  if (down) return;
  down = true;
  const said = `${reason}\n${words}`;
  const memory = /out of memory|cannot allocate memory|memory allocation|allocation failed/i.test(said);
  const why = /^(?:panic|fatal error|runtime): .*$/m.exec(words)?.[0] ?? reason;
  post({
    type: "down",
    error: memory
      ? { code: "out-of-memory", message: `the device gave the engine no more memory (${why}): close other pages, or teach with fewer examples` }
      : { code: "crashed", message: `the engine crashed (${why})` },
  });
}

// Starting.

/** @param {Extract<Request, { type: "init" }>} request */
async function start(request) {
  if (handle) throw new Failure("internal", "init was sent twice");
  const [module, weights] = await Promise.all([
    request.engine instanceof WebAssembly.Module ? request.engine : compile(request.engine),
    request.weights instanceof ArrayBuffer ? request.weights : download(request.weights),
    import("./wasm_exec.js").catch((error) => {
      throw new Failure("network", `wasm_exec.js could not be loaded: is it served beside worker.js? (${error})`);
    }),
  ]);
  await run(module);
  hears = request.sound;
  const { type, engine, workers, ...options } = request;
  const { info } = call({ type, ...options, weights: new Uint8Array(weights) });
  inputSize = info.inputSize;
  const helpers = Math.min(workers, info.crops) - 1; // no more than there is to do
  if (helpers > 0) {
    const init = { ...options, type, engine: module, weights, embedder: { kind: "fcn" }, workers: 1 };
    // Most pages have one worker and need not wait for this script.
    const { Pool } = await import("./pool.js").catch((error) => {
      throw new Failure("network", `pool.js could not be loaded: is it served beside worker.js? (${error})`);
    });
    pool = await Pool.start(helpers, import.meta.url, init);
  }
  info.workers = 1 + (pool?.size ?? 0);
  post({ type: "progress", stage: "ready", loaded: 1, total: 1 });
  return /** @type {[object, Transferable[]]} */ ([{ info, module, weights }, [weights]]);
}

/** @param {WebAssembly.Module} module */
async function run(module) {
  const { Go, fs } = /** @type {any} */ (globalThis);
  const decoder = new TextDecoder();
  fs.writeSync = (/** @type {number} */ _, /** @type {Uint8Array} */ bytes) => {
    if (words.length < 4000) words += decoder.decode(bytes);
    return bytes.length;
  };
  const go = new Go();
  go.exit = () => {};
  /** @type {Promise<(request: object) => any>} */
  const connected = new Promise((resolve) => {
    /** @type {any} */ (globalThis).deepemdConnect = resolve;
  });
  let instance;
  try {
    instance = await WebAssembly.instantiate(module, go.importObject);
  } catch (error) {
    const memory = error instanceof RangeError;
    throw new Failure(memory ? "out-of-memory" : "internal", `the engine could not be set up: ${error}`);
  }
  memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
  const exit = go.run(instance).then(
    () => ended("its program ended"),
    (/** @type {unknown} */ error) => ended(String(error)),
  );
  handle = await Promise.race([connected, exit]);
  if (!handle) throw new Failure("crashed", "the engine ended");
}

/**
 * Compiles the engine, while it arrives where it has to be fetched.
 *
 * @param {string | ArrayBuffer} engine its address or content
 */
async function compile(engine) {
  let code;
  if (typeof engine === "string") {
    const response = await request(engine, "engine");
    if (response.headers.get("Content-Type")?.startsWith("text/html")) throw notOurs(engine, "engine");
    code = new Response(response.body.pipeThrough(counting(counter("engine", length(response)))), {
      headers: { "Content-Type": "application/wasm" },
    });
  } else {
    code = new Response(engine, { headers: { "Content-Type": "application/wasm" } });
  }
  // Most browsers need no such help, and need not wait for this script.
  const help = hasRelaxedSimd() ? undefined : await import("./unfuse.js").catch((error) => {
    throw new Failure("network", `unfuse.js could not be loaded: is it served beside worker.js? (${error})`);
  });
  try {
    if (!help) return await WebAssembly.compileStreaming(code);
    return await WebAssembly.compile(help.unfused(new Uint8Array(await code.arrayBuffer())));
  } catch (error) {
    if (!hasSimd()) throw new Failure("unsupported", "this browser's WebAssembly has no SIMD: use a current browser");
    if (error instanceof RangeError) throw new Failure("out-of-memory", `the engine could not be compiled: ${error.message}`);
    const what = typeof engine === "string" ? engine : "the engine that was given";
    throw new Failure("network", `${what} did not arrive whole or is not the engine (${error}): reload the page`);
  }
}

/**
 * Fetches the weights, whole or in pieces.
 *
 * @param {string} url
 * @returns {Promise<ArrayBuffer>}
 */
async function download(url) {
  const response = await request(url, "weights");
  const file = await body(response, url, sized(response));
  if (HTML.test(new TextDecoder().decode(file.slice(0, 64)))) throw notOurs(url, "weights");
  const list = listed(file, url);
  if (!list) return file;
  const count = counter("weights", list.bytes);
  const bytes = joined(await Promise.all(list.addresses.map(async (address) => body(await request(address, "weights"), address, count))));
  if (bytes.byteLength !== list.bytes) {
    throw new Failure("network", `the pieces of the weights ${url} are ${bytes.byteLength} bytes together, not ${list.bytes}: are they all of the same export?`);
  }
  return bytes;
}

/**
 * @param {Response & { body: ReadableStream<Uint8Array> }} response
 * @param {string} url
 * @param {(bytes: number) => void} count
 */
async function body(response, url, count) {
  try {
    return await new Response(response.body.pipeThrough(counting(count))).arrayBuffer();
  } catch (error) {
    throw new Failure("network", `the weights ${url} did not arrive whole (${error}): check the connection and try again`);
  }
}

/**
 * @param {string} url
 * @param {string} what
 */
async function request(url, what) {
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new Failure("network", `the ${what} could not be fetched from ${url} (${error}): is the server reachable?`);
  }
  if (!response.ok) {
    throw new Failure("network", `the ${what} could not be fetched: ${url} answered ${response.status} ${response.statusText}: is the address right?`);
  }
  if (!response.body) throw new Failure("network", `${url} answered with nothing`);
  return /** @type {Response & { body: ReadableStream<Uint8Array> }} */ (response);
}

/**
 * @param {string} url
 * @param {"engine" | "weights"} what
 */
function notOurs(url, what) {
  return new Failure(
    what === "weights" ? "bad-weights" : "network",
    `${url} is a web page, not the ${what}: the server answers unknown addresses with a page; correct the address`,
  );
}

/**
 * A stream that says how much passes.
 *
 * @param {(bytes: number) => void} count
 */
function counting(count) {
  return new TransformStream({
    /** @param {Uint8Array} chunk */
    transform(chunk, controller) {
      controller.enqueue(chunk);
      count(chunk.byteLength);
    },
  });
}

/**
 * Reports how much of something has arrived. The total is 0 where it is not known.
 *
 * @param {"engine" | "weights"} stage
 * @param {number} total
 */
function counter(stage, total) {
  let loaded = 0;
  return (/** @type {number} */ bytes) => {
    loaded += bytes;
    post({ type: "progress", stage, loaded, total });
  };
}

/**
 * How much a response is: Content-Length counts what travels, which may be
 * compressed.
 *
 * @param {Response} response
 */
function length(response) {
  const compressed = response.headers.has("Content-Encoding");
  return Number(response.headers.get(compressed ? "X-Uncompressed-Length" : "Content-Length")) || 0;
}

/**
 * The counter of the weights; a list of pieces does not count.
 *
 * @param {Response} response
 */
function sized(response) {
  const total = length(response);
  return total > 0 && total <= LIST_BYTES ? () => {} : counter("weights", total);
}

/** Whether 128-bit vectors are understood: a module with one v128 instruction. */
function hasSimd() {
  return WebAssembly.validate(
    // (module (func (result v128) (i8x16.splat (i32.const 0))))
    new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]),
  );
}

/** Whether products and sums can be fused: a module with f32x4.relaxed_madd. */
function hasRelaxedSimd() {
  return WebAssembly.validate(
    // (module (func (param v128) (result v128) (f32x4.relaxed_madd (local.get 0) (local.get 0) (local.get 0))))
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 0, 32, 0, 253, 133, 2, 11,
    ]),
  );
}

// Pictures.

/**
 * What the engine takes: an encoded file (JPEG, PNG, WebP) as its bytes, or
 * RGB or RGBA pixels with their size; of sounds, a file (MP3, WAV) as its bytes, or
 * samples with their rate.
 *
 * @param {Picture} picture
 * @returns {Promise<{ data: Uint8Array, width: number, height: number } | import("./deepemd.d.ts").Sound>}
 */
async function pixels(picture) {
  if ("samples" in picture) return picture;
  if ("frame" in picture) {
    try {
      return draw(picture.frame);
    } finally {
      picture.frame.close();
    }
  }
  if ("data" in picture) return picture;
  const { file } = picture;
  const refused = hears && refusal(file, named(file));
  if (refused) throw new Failure("bad-sound", refused);
  let data;
  try {
    data = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw new Failure(hears ? "bad-sound" : "bad-image", `${named(file)} could not be read (${error}): was it moved or changed?`);
  }
  if (hears || decodedByEngine(data)) return { data, width: 0, height: 0 };
  // Other kinds of picture are left to the browser.
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    throw new Failure("bad-image", `${named(file)} is not a picture that can be read: use JPEG, PNG or WebP`);
  }
  try {
    return draw(bitmap);
  } finally {
    bitmap.close();
  }
}

/** @param {Blob} file */
function named(file) {
  return file instanceof File && file.name ? `"${file.name}"` : "the file";
}

/**
 * Whether the file begins as a JPEG, PNG or WebP does, whatever its name says.
 *
 * @param {Uint8Array} data
 */
function decodedByEngine(data) {
  const starts = (/** @type {string} */ text, at = 0) => Array.from(text).every((c, i) => data[at + i] === c.charCodeAt(0));
  return starts("\xff\xd8\xff") || starts("\x89PNG\r\n\x1a\n") || (starts("RIFF") && starts("WEBP", 8));
}

/**
 * The pixels of a frame's central square, all that the network looks at.
 *
 * @param {ImageBitmap | VideoFrame} frame
 */
function draw(frame) {
  const width = "displayWidth" in frame ? frame.displayWidth : frame.width;
  const height = "displayHeight" in frame ? frame.displayHeight : frame.height;
  const square = Math.min(width, height);
  if (!square) throw new Failure("bad-image", "the frame is empty: it was closed before it was used");
  const side = Math.min(square, OVERSAMPLING * inputSize);
  if (canvas?.canvas.width !== side) {
    canvas = new OffscreenCanvas(side, side).getContext("2d", { alpha: false, willReadFrequently: true }) ?? undefined;
    if (!canvas) throw new Failure("unsupported", "this browser gives its workers no canvas to read pixels with");
    canvas.imageSmoothingQuality = "medium";
  }
  const left = central(width - square);
  const top = central(height - square);
  canvas.fillRect(0, 0, side, side); // what is transparent becomes black
  canvas.drawImage(/** @type {CanvasImageSource} */ (frame), left, top, square, square, 0, 0, side, side);
  const { data } = canvas.getImageData(0, 0, side, side);
  return { data: new Uint8Array(data.buffer), width: side, height: side };
}

/**
 * Where a centred crop starts: half of what is spare, rounded as core/imaging
 * does, half to even.
 *
 * @param {number} spare
 */
function central(spare) {
  return (spare + ((spare >> 1) & 1)) >> 1;
}

// Answering.

/** @param {unknown} error */
function describe(error) {
  if (error instanceof Failure) return { code: error.code, message: error.message };
  return { code: "internal", message: String(error) };
}

/**
 * @param {object} message
 * @param {Transferable[]} [transfer]
 */
function post(message, transfer = []) {
  /** @type {any} */ (self).postMessage(message, transfer);
}
