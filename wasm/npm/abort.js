// @ts-check
/**
 * Calls that can be called off.
 */

/**
 * Settles as the work does, or rejects with the signal's reason as soon as that is
 * aborted: before it begins or, leaving the work to itself, while it is under way.
 *
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {() => Promise<T>} work not begun where the signal is aborted
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
    signal?.addEventListener("abort", stop, { once: true });
    work()
      .finally(() => signal?.removeEventListener("abort", stop))
      .then(resolve, reject);
  });
}
