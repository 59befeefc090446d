// @ts-check
/**
 * Measures the progress of a download, in bytes after decompression.
 *
 * A server that compresses reports the compressed size. The total therefore comes from the
 * package, for its own files, or from the header of the weights; the server's number is used
 * only for uncompressed files.
 *
 * @typedef {(loaded: number, total: number) => void} Report total is 0 if unknown
 */

import { LIST_BYTES } from "./parts.js";

/**
 * The body of a response, which reports progress while it is read.
 *
 * @param {Response} response with a body
 * @param {"engine" | "weights"} stage the file
 * @param {number} bytes the file's size; 0: as the response says
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
        if (look?.pending) return; // perhaps a list of pieces, which is not counted
        if (look?.total) count.total = look.total;
        count.add(chunk.byteLength + (pending?.byteLength ?? 0));
      },
      flush() {
        if (!look?.pending) count.end();
      },
    }),
  );
}

/** Counts received bytes. */
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
    // The expected size may be another version's: loaded never exceeds total.
    if (this.total > 0) this.total = Math.max(this.total, this.#loaded);
    this.#report(this.#loaded, this.total);
  }

  /** Reports the end, whatever total was expected. */
  end() {
    if (this.#loaded === this.total) return;
    this.total = this.#loaded;
    this.#report(this.#loaded, this.total);
  }
}

/** The largest header of weights in bytes. */
const HEADER_BYTES = 1 << 24;

/**
 * Reads the total size from the header of weights. Received bytes are pending until the header is
 * complete or clearly missing.
 */
class Header {
  /** The bytes so far. @type {Uint8Array | undefined} */
  pending = new Uint8Array(0);

  /** The file's size in bytes; 0 if unknown. */
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
      this.total = 0; // not weights: the engine reports it
    }
  }
}

/**
 * The size of a response's content, 0 if unknown: a page cannot see whether another origin's
 * server has compressed it.
 *
 * @param {Response} response
 */
function length({ type, headers }) {
  if (type === "cors") return 0;
  const compressed = headers.has("Content-Encoding");
  return Number(headers.get(compressed ? "X-Uncompressed-Length" : "Content-Length")) || 0;
}
