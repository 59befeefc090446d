// @ts-check
/**
 * The calls that ask an engine about images.
 *
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 * @typedef {import("./deepemd.d.ts").ClassifyAllOptions} ClassifyAllOptions
 * @typedef {import("./deepemd.d.ts").ClassifyOptions} ClassifyOptions
 * @typedef {import("./deepemd.d.ts").Embedding} Embedding
 * @typedef {import("./deepemd.d.ts").ExplainOptions} ExplainOptions
 * @typedef {import("./deepemd.d.ts").Explanation} Explanation
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./protocol.d.ts").Answer} Reply
 * @typedef {import("./protocol.d.ts").Explanation} Reason
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 */

import { abortable } from "./abort.js";
import { bad, kindOf, options as checked, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { handOut } from "./handout.js";
import { perceive } from "./source.js";

/** Images of a list in progress at once: one is prepared while another is classified. */
const AT_ONCE = 2;

/** Errors that would affect every image of a list. */
const OF_THE_ENGINE = ["disposed", "empty"];

/**
 * See classify of deepemd.d.ts.
 *
 * @param {Supervisor} engine
 * @param {Source} source
 * @param {ClassifyOptions} options
 * @returns {Promise<Answer>}
 */
export async function classify(engine, source, options) {
  const { pixels = false, explain = false, unknown = false, live = moves(source), signal } = checked("classify", options, CLASSIFY);
  engine.assertOpen();
  const begin = performance.now();
  const { parts, transfer, release, ms = 0 } = await perceive(engine, source, { signal, show: pixels });
  const why = explain === false ? {} : { explain: true, classId: explain === true ? undefined : explain };
  const request = /** @type {const} */ ({ type: "classify", ...parts, pixels, unknown, live, ...why });
  try {
    /** @type {Reply} */
    const { explanation, ...reply } = await abortable(
      signal,
      async () => engine.request(request, { transfer, signal, onSent: () => (engine.shown = request) }),
      () => engine.shown === request && (engine.shown = undefined),
    );
    const answer = { ...reply, ms: performance.now() - begin, embedMs: ms + reply.embedMs };
    const reason = explanation && explained(engine, explanation);
    return reason ? { ...answer, explanation: reason } : answer;
  } finally {
    release();
  }
}

/**
 * See classifyAll of deepemd.d.ts.
 *
 * @param {Supervisor} engine
 * @param {Iterable<Source>} sources
 * @param {ClassifyAllOptions} options
 * @returns {Promise<PromiseSettledResult<Answer>[]>}
 */
export async function classifyAll(engine, sources, options) {
  const { onProgress, ...how } = checked("classifyAll", options, { ...CLASSIFY, onProgress: "call" });
  if (typeof sources === "string" || typeof sources?.[Symbol.iterator] !== "function") throw bad(`the sources are ${shown(sources)}: want a list of them, such as an array or a FileList`);
  engine.assertOpen();
  const list = Array.from(sources);
  /** @type {PromiseSettledResult<Answer>[]} */
  const results = new Array(list.length);
  let next = 0, done = 0, failed = false;
  const work = async () => {
    try {
      while (next < list.length && !failed) {
        const at = next++;
        const [result] = await Promise.allSettled([classify(engine, list[at], how)]);
        if (result.status === "rejected" && (how.signal?.aborted || OF_THE_ENGINE.includes(result.reason?.code))) throw result.reason;
        results[at] = result;
        if (!failed) onProgress?.(++done, list.length);
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  how.signal?.throwIfAborted();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/**
 * See explain of deepemd.d.ts.
 *
 * @param {Supervisor} engine
 * @param {ExplainOptions} options
 * @returns {Promise<Explanation>}
 */
export async function explain(engine, options) {
  const { source, classId, signal } = checked("explain", options, { source: "any", classId: "text", signal: "signal" });
  engine.assertOpen();
  if (classId !== undefined) engine.record().class(classId);
  if (source === undefined && !engine.shown) throw new DeepEMDError("empty", "there is nothing to explain yet: classify a picture first, or pass one as source");
  const answer =
    source !== undefined
      ? (await classify(engine, source, { explain: classId ?? true, signal })).explanation
      : explained(engine, await abortable(signal, () => engine.request({ type: "explain", classId }, { signal })));
  if (!answer) throw new DeepEMDError("unknown-example", "the most similar example was removed during the call: call again");
  return answer;
}

/**
 * See embed of deepemd.d.ts.
 *
 * @param {Supervisor} engine
 * @param {Source} source
 * @param {{ signal?: AbortSignal | undefined }} options
 * @returns {Promise<Embedding>}
 */
export async function embed(engine, source, options) {
  const { signal } = checked("embed", options, { signal: "signal" });
  engine.assertOpen();
  const { parts, transfer, release } = await perceive(engine, source, { signal, show: false });
  try {
    return await abortable(signal, () => engine.request({ type: "embed", ...parts }, { transfer, signal }));
  } finally {
    release();
  }
}

/**
 * An explanation with its example; undefined if the example was removed.
 *
 * @param {Supervisor} engine
 * @param {Reason} reason
 * @returns {Explanation | undefined}
 */
function explained(engine, { exampleId, ...reason }) {
  const found = engine.record().example(exampleId);
  return found && { ...reason, example: handOut(found.example) };
}

/** Options of classify. */
const CLASSIFY = /** @type {const} */ ({ pixels: "flag", explain: "choice", unknown: "flag", live: "flag", signal: "signal" });

/**
 * Whether the source is a stream, which will show another image.
 *
 * @param {unknown} source
 */
const moves = (source) => ["HTMLVideoElement", "VideoFrame"].includes(kindOf(source));
