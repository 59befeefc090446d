// @ts-check
/**
 * The functions of WASI preview 1 that a Go program needs: a clock, random numbers, and output
 * that explains why it ended. There are no arguments, environment variables or files.
 */

/** WASI error codes. */
const OK = 0;
const NO_SUCH_FILE = 8;
const NOT_SUPPORTED = 58;

/** The most random bytes that browsers return per call. */
const MOST_RANDOM = 65536;

/** The clock of the time of day; the other clocks are monotonic. */
const TIME_OF_DAY = 0;

/** The event type of a timeout. */
const CLOCK = 0;

/** Ends the program. */
class Exit extends Error {}

/** The WASI host of one program. */
export class Host {
  /** Set after instantiation. @type {WebAssembly.Memory | undefined} */
  memory;

  /** The program's output, which it writes only when it fails. */
  #words = "";

  /** Why the program ended, from its output. */
  reason() {
    return /^(?:panic|fatal error|runtime): .*$/m.exec(this.#words)?.[0];
  }

  /**
   * The imports of a module; unsupported functions return an error.
   *
   * @param {WebAssembly.Module} module
   * @returns {WebAssembly.Imports}
   */
  importsOf(module) {
    const { wasi_snapshot_preview1: own } = this.imports, others = { .../** @type {Record<string, () => number>} */ (own) };
    for (const { name } of WebAssembly.Module.imports(module)) others[name] ??= () => NOT_SUPPORTED;
    return { wasi_snapshot_preview1: others };
  }

  /** @type {WebAssembly.Imports} */
  imports = {
    wasi_snapshot_preview1: {
      args_get: () => OK,
      args_sizes_get: (/** @type {number} */ count, /** @type {number} */ bytes) => this.#none(count, bytes),
      environ_get: () => OK,
      environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ bytes) => this.#none(count, bytes),
      clock_time_get: (/** @type {number} */ clock, /** @type {bigint} */ _, /** @type {number} */ to) => {
        const ms = clock === TIME_OF_DAY ? Date.now() : performance.now();
        this.#view().setBigUint64(to, BigInt(Math.round(ms * 1e6)), true);
        return OK;
      },
      random_get: (/** @type {number} */ to, /** @type {number} */ length) => {
        const bytes = this.#bytes(to, length);
        for (let at = 0; at < length; at += MOST_RANDOM) crypto.getRandomValues(bytes.subarray(at, at + MOST_RANDOM));
        return OK;
      },
      fd_write: (/** @type {number} */ _, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ written) => {
        const view = this.#view();
        let all = 0;
        for (let i = 0; i < count; i++) {
          const [from, length] = [view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true)];
          if (this.#words.length < 4000) this.#words += new TextDecoder().decode(this.#bytes(from, length));
          all += length;
        }
        view.setUint32(written, all, true);
        return OK;
      },
      fd_prestat_get: () => NO_SUCH_FILE, // no folder is open
      proc_exit: (/** @type {number} */ code) => {
        throw new Exit(`its program ended with ${code}`);
      },
      sched_yield: () => OK,
      poll_oneoff: (/** @type {number} */ asked, /** @type {number} */ told, /** @type {number} */ count, /** @type {number} */ written) =>
        this.#wait(asked, told, count, written),
    },
  };

  /**
   * @param {number} count
   * @param {number} bytes
   */
  #none(count, bytes) {
    this.#view().setUint32(count, 0, true);
    this.#view().setUint32(bytes, 0, true);
    return OK;
  }

  /**
   * Waits: Go's runtime calls this if it has timers and nothing to run. A page's thread may not
   * sleep, so this loops.
   *
   * @param {number} asked address of the subscriptions, 48 bytes each
   * @param {number} told address of the events, 32 bytes each
   * @param {number} count
   * @param {number} written address of the number of events
   */
  #wait(asked, told, count, written) {
    const view = this.#view();
    if (count !== 1 || view.getUint8(asked + 8) !== CLOCK) return NOT_SUPPORTED; // no file is open to wait for
    const until = performance.now() + Number(view.getBigUint64(asked + 24, true)) / 1e6;
    while (performance.now() < until);
    view.setBigUint64(told, view.getBigUint64(asked, true), true); // the caller's id of the subscription
    view.setUint16(told + 8, OK, true);
    view.setUint8(told + 10, CLOCK);
    view.setUint32(written, 1, true);
    return OK;
  }

  #view() {
    return new DataView(/** @type {WebAssembly.Memory} */ (this.memory).buffer);
  }

  /**
   * @param {number} at
   * @param {number} length
   */
  #bytes(at, length) {
    return new Uint8Array(/** @type {WebAssembly.Memory} */ (this.memory).buffer, at, length);
  }
}
