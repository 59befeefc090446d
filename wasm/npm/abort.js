// @ts-check
/**
 * Calls that can be called off.
 */

/**
 * Settles as the work does, or rejects with the signal's reason as soon as that is
 * aborted: before the work begins or, leaving it to itself, while it is under way.
 *
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {(keep: () => void) => Promise<T>} work not begun where the signal is aborted. It calls keep, once, before it does
 *   what cannot be called off; keep throws where it has been called off
 * @param {() => void} [undo] called when the signal is aborted while the work is under way
 * @returns {Promise<T>}
 */
export function abortable(signal, work, undo) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      undo?.();
      reject(signal?.reason);
    };
    const deaf = () => signal?.removeEventListener("abort", stop);
    signal?.addEventListener("abort", stop, { once: true });
    const keep = () => {
      signal?.throwIfAborted();
      deaf();
    };
    work(keep).finally(deaf).then(resolve, reject);
  });
}
