// @ts-check
/**
 * The worker: fetches and runs the engine (Go, compiled to WebAssembly), converts frames to
 * pixels, and passes requests on in order. wasm/internal/protocol declares the messages.
 *
 * @typedef {import("./protocol.d.ts").Request} Request
 * @typedef {import("./protocol.d.ts").Info} Info
 */

import { compile, download } from "./download.js";
import { DeepEMDError } from "./error.js";
import { pixels } from "./frames.js";
import { Pool } from "./pool.js";
import { call, isDown, isUp, memoryBytes, run } from "./program.js";
import { describe, post } from "./reply.js";
import "./wasm_exec.js";

/** The running engine. @type {Info} */
let info;

/** The draft's engine: see the request "begin". @type {Info | undefined} */
let draft;

/** The request that starts helpers, without weights. @type {object} */
let init;

/** The address of this script. @type {string} */
let script;

/** The helpers that encode crops. @type {Pool | undefined} */
let pool;

// Requests start in order: each waits for the previous one to end, or for its job to start.
let line = Promise.resolve();
self.onmessage = ({ data }) => {
  line = line.then(() => answer(data));
};

/** Requests that run while others are answered. */
const JOBS = ["review", "growth", "train", "learn"];

/** @param {Request & { id: number }} request */
async function answer(request) {
  if (isDown()) return;
  const { id } = request;
  try {
    if (JOBS.includes(request.type)) {
      call(request, ({ progress, reply, error }) => post(progress ? { id, progress } : error ? { id, ok: false, error } : { id, ok: true, ...reply }));
      return;
    }
    const [reply, transfer] = await perform(request);
    if (!isDown()) post({ id, ok: true, ...reply }, transfer);
  } catch (error) {
    if (!isDown()) post({ id, ok: false, error: describe(error) });
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
    case "begin":
      return [await begin(request), []];
    case "commit": {
      const reply = call(request);
      info = draft ?? info;
      return [reply, []];
    }
    case "addExample":
    case "classify":
    case "embed": {
      const picture = request.picture && (await pixels(request.picture, info));
      const known = "embedding" in request && request.embedding !== undefined;
      const { crops } = "draft" in request && request.draft && draft ? draft : info;
      const reply = pool?.size && crops > 1 && !known ? await together(pool, { ...request, picture }) : call({ ...request, picture });
      return [reply, memory(reply)];
    }
    case "encode": {
      const reply = call(request);
      return [reply, memory(reply)];
    }
    case "memory":
      return [{ ...call(request), wasm: memoryBytes() }, []];
    default:
      return [call(request), []];
  }
}

/**
 * The buffers of the typed arrays in a reply, to be transferred.
 *
 * @param {unknown} value
 * @returns {ArrayBuffer[]}
 */
function memory(value) {
  if (ArrayBuffer.isView(value)) return [/** @type {ArrayBuffer} */ (value.buffer)];
  return typeof value === "object" && value ? Object.values(value).flatMap(memory) : [];
}

/**
 * Performs a request whose crops are encoded with helpers.
 *
 * @param {Pool} pool
 * @param {Extract<Request, { type: "addExample" | "classify" | "embed" }>} request
 */
async function together(pool, request) {
  const begin = performance.now();
  const crops = call({ type: "inputs", picture: request.picture, draft: "draft" in request && request.draft });
  const features = await pool.encode(crops, (crop) => call({ type: "encode", crops: crop }).features);
  const took = performance.now() - begin;
  const reply = call({ ...request, picture: NOTHING, features });
  if ("embedMs" in reply) reply.embedMs += took;
  return reply;
}

/** The image of a request that has features instead. */
const NOTHING = { width: 0, height: 0, data: new Uint8Array(0) };

/** @param {Extract<Request, { type: "init" }>} request */
async function start(request) {
  if (isUp()) throw new DeepEMDError("internal", "init was sent twice");
  const [module, weights] = await Promise.all([
    request.engine instanceof WebAssembly.Module ? request.engine : compile(request.engine),
    request.weights && download(request.weights),
  ]);
  await run(module);
  const { engine, workers, weights: from, script: own, ...options } = request;
  script = own;
  const reply = call({ ...options, weights: weights && new Uint8Array(weights) });
  info = reply.info;
  init = { ...options, script, engine: module, method: {}, workers: 1 };
  await hire(info, workers, weights);
  post({ type: "progress", stage: "ready", loaded: 1, total: 1 });
  return /** @type {[object, Transferable[]]} */ ([{ ...reply, module, weights }, weights ? [weights] : []]);
}

/** @param {Extract<Request, { type: "begin" }>} request */
async function begin({ workers, weights, ...request }) {
  const reply = call(request);
  draft = reply.info;
  await hire(reply.info, workers, weights);
  return reply;
}

/**
 * Starts helpers, at most one per crop, and sets info.workers.
 *
 * @param {Info} info
 * @param {number} workers the wanted number, including this one
 * @param {ArrayBuffer | undefined} weights undefined to start none
 */
async function hire(info, workers, weights) {
  const helpers = Math.min(workers, info.crops) - 1;
  if (helpers > 0 && !pool && weights) {
    pool = await Pool.start(helpers, script, { ...init, weights });
  }
  info.workers = info.crops > 1 ? 1 + (pool?.size ?? 0) : 1;
}
