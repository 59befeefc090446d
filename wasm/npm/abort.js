// @ts-check
/** Calls that can be aborted. */

/**
 * Settles like the work, or rejects with the signal's reason as soon as the signal is aborted. Work
 * that has started then continues unobserved.
 *
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {(keep: () => void) => Promise<T>} work not started if the signal is aborted. It calls keep once, before its first
 *   irreversible step; keep throws after an abort
 * @param {() => void} [undo] called if the signal is aborted during the work
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
