// @ts-check
/**
 * Begins a thread of Node: gives the worker's script what it finds in a page's worker,
 * then runs it.
 */

import { parentPort, workerData } from "node:worker_threads";
import { node } from "./node-platform.js";
import { install } from "./platform.js";

install(node);

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
const scope = /** @type {any} */ (globalThis);
scope.self = scope;
scope.postMessage = (/** @type {any} */ message, /** @type {any[]} */ transfer) => port.postMessage(message, transfer);
Object.defineProperty(scope, "onmessage", {
  set: (/** @type {(event: { data: any }) => void} */ receive) => port.on("message", (data) => receive({ data })),
});

await import(workerData.script);
