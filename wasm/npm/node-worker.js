// @ts-check
/**
 * Prepares a Node thread: provides the globals of a page's worker, then runs the worker's
 * script.
 */

import { parentPort, workerData } from "node:worker_threads";
import { node } from "./node-platform.js";
import { install } from "./platform.js";

install(node);

/** Messages that arrived before the script's listener: Deno drops them. @type {{ data: any }[]} */
const early = [];

/** @type {(event: { data: any }) => void} */
let receive = (event) => early.push(event);

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
port.on("message", (data) => receive({ data }));

const scope = /** @type {any} */ (globalThis);
scope.self = scope;
scope.postMessage = (/** @type {any} */ message, /** @type {any[]} */ transfer) => port.postMessage(message, transfer);
Object.defineProperty(scope, "onmessage", {
  set: (/** @type {typeof receive} */ script) => {
    receive = script;
    for (const event of early.splice(0)) script(event);
  },
});

await import(workerData.script);
