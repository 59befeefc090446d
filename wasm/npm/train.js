// @ts-check
/**
 * Learning in the page: the engine does it in slices, one request each, so that
 * whatever else is asked meanwhile is answered between two of them.
 *
 * @typedef {import("./protocol.d.ts").Request} Request
 * @typedef {import("./deepemd.d.ts").Training} Training
 * @typedef {import("./deepemd.d.ts").TrainOptions} TrainOptions
 */

/** Milliseconds of learning between two answers. */
const SLICE = 20;

/** As the paper does. */
const DEFAULT_PASSES = 100;

/**
 * @param {(request: Request) => Promise<any>} ask
 * @param {TrainOptions} options
 * @returns {Promise<Training>}
 */
export async function train(ask, { passes = DEFAULT_PASSES, check = true, onProgress, signal }) {
  const begin = performance.now();
  signal?.throwIfAborted();
  let { trained } = await ask({ type: "train", passes, check });
  for (;;) {
    onProgress?.({ done: trained.done, total: trained.total });
    if (trained.finished) break;
    if (signal?.aborted) {
      await ask({ type: "stopTraining" });
      throw signal.reason;
    }
    ({ trained } = await ask({ type: "trainSlice", ms: SLICE }));
  }
  const { of, before, after } = trained;
  return { passes, ms: performance.now() - begin, heldOut: of > 0 ? { of, before, after } : undefined };
}
