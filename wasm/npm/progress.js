// @ts-check
/**
 * How much of a file has arrived: bytes as they are after decompression, of as many as
 * the whole file has then.
 *
 * A server that compresses says how many bytes travel, not how many they become. So the
 * whole is known from the package, for its own files, or from what weights say of
 * themselves in their header; only what was not compressed is as long as the server says.
 *
 * @typedef {(loaded: number, total: number) => void} Report total is 0 where nobody knows
 */

import { LIST_BYTES } from "./parts.js";

/**
 * The body of a response, which reports while it is read.
 *
 * @param {Response} response with a body
 * @param {"engine" | "weights"} stage what it brings
 * @param {number} bytes that the file has, 0 where the response is to tell
 * @param {Report} report
 * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
 */
export function arriving(response, stage, bytes, report) {
  const count = new Count(bytes || length(response), report);
  const look = stage === "weights" ? new Header() : undefined;
  return /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        const pending = look?.pending;
        look?.see(chunk);
        if (look?.pending) return; // a list of pieces, perhaps, which does not count
        if (look?.total) count.total = look.total;
        count.add(chunk.byteLength + (pending?.byteLength ?? 0));
      },
      flush() {
        if (!look?.pending) count.end();
      },
    }),
  );
}

/** Counts what arrives. */
export class Count {
  #loaded = 0;
  #report;

  /**
   * @param {number} total
   * @param {Report} report
   */
  constructor(total, report) {
    this.total = total;
    this.#report = report;
  }

  /** @param {number} bytes */
  add(bytes) {
    this.#loaded += bytes;
    // What was expected may be another version's: more than everything never arrives.
    if (this.total > 0) this.total = Math.max(this.total, this.#loaded);
    this.#report(this.#loaded, this.total);
  }

  /** All has arrived, however much was expected. */
  end() {
    if (this.#loaded === this.total) return;
    this.total = this.#loaded;
    this.#report(this.#loaded, this.total);
  }
}

/** The most bytes that the header of weights has. */
const HEADER_BYTES = 1 << 24;

/**
 * Looks at how a file of weights begins: a header says how long all is. Until it is
 * there, or clearly missing, what has come is pending.
 */
class Header {
  /** What has come so far. @type {Uint8Array | undefined} */
  pending = new Uint8Array(0);

  /** Bytes of the whole file, 0 where it does not say. */
  total = 0;

  /** @param {Uint8Array} chunk */
  see(chunk) {
    if (!this.pending) return;
    const begin = new Uint8Array(this.pending.length + chunk.length);
    begin.set(this.pending);
    begin.set(chunk, this.pending.length);
    this.pending = begin;
    if (begin.length < 8) return;
    const header = Number(new DataView(begin.buffer).getBigUint64(0, true));
    if (header > HEADER_BYTES) {
      if (begin.length > LIST_BYTES) this.pending = undefined;
      return;
    }
    if (begin.length < 8 + header) return;
    this.pending = undefined;
    try {
      const tensors = Object.values(JSON.parse(new TextDecoder().decode(begin.subarray(8, 8 + header))));
      this.total = 8 + header + Math.max(...tensors.map((tensor) => tensor.data_offsets?.[1] ?? 0));
    } catch {
      this.total = 0; // no weights: the engine says so
    }
  }
}

/**
 * How long what a response brings is, 0 where that cannot be known. A page is not told
 * whether another origin's server has compressed it.
 *
 * @param {Response} response
 */
function length({ type, headers }) {
  if (type === "cors") return 0;
  const compressed = headers.has("Content-Encoding");
  return Number(headers.get(compressed ? "X-Uncompressed-Length" : "Content-Length")) || 0;
}
