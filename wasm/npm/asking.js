// @ts-check
/**
 * What an engine is asked about pictures.
 *
 * @typedef {import("./deepemd.d.ts").Answer} Answer
 * @typedef {import("./deepemd.d.ts").Explanation} Explanation
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./protocol.d.ts").WireExplanation} WireExplanation
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 * @typedef {import("./taught.js").Taught} Taught
 */

import { DeepEMDError } from "./error.js";
import { explanation } from "./explanation.js";
import { perceive } from "./source.js";

/**
 * See classify of deepemd.d.ts.
 *
 * @param {Supervisor} engine
 * @param {() => Taught} record
 * @param {Source} source
 * @param {{ pixels?: boolean, explain?: boolean | string, unknown?: boolean }} options
 * @returns {Promise<Answer>}
 */
export async function classify(engine, record, source, { pixels = false, explain = false, unknown = false }) {
  engine.assertOpen();
  const begin = performance.now();
  const { parts, transfer, release } = await perceive(engine, source, {});
  try {
    const why = explain === false ? {} : { explain: true, classId: explain === true ? undefined : explain };
    const reply = await engine.request({ type: "classify", ...parts, pixels, unknown, ...why }, transfer);
    /** @type {Answer} */
    const answer = { scores: reply.scores, ms: performance.now() - begin, embedMs: reply.embedMs, matchMs: reply.matchMs };
    if (pixels) answer.pixels = { width: reply.size, height: reply.size, data: reply.pixels };
    if (reply.unknown) answer.unknown = reply.unknown;
    if (reply.second) answer.second = reply.second;
    if (reply.explanation) answer.explanation = told(reply.explanation, record());
    return answer;
  } finally {
    release();
  }
}

/**
 * See explain of deepemd.d.ts.
 *
 * @param {Supervisor} engine
 * @param {() => Taught} record
 * @param {{ source?: Source, classId?: string }} options
 * @returns {Promise<Explanation>}
 */
export async function explain(engine, record, { source, classId }) {
  engine.assertOpen();
  if (classId !== undefined) record().class(classId);
  const answer = source
    ? (await classify(engine, record, source, { explain: classId ?? true })).explanation
    : told((await engine.request({ type: "explain", classId })).explanation, record());
  if (!answer) throw new DeepEMDError("unknown-example", "the example that the picture matched best was removed meanwhile: ask again");
  return answer;
}

/**
 * @param {WireExplanation} wire names an example, which may be gone meanwhile
 * @param {Taught} taught
 */
function told(wire, taught) {
  const found = taught.example(wire.exampleId);
  return found && explanation(wire, found.example);
}
