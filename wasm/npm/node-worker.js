// @ts-check
/**
 * Begins a thread of Node: gives the worker's script what it finds in a page's worker,
 * then runs it.
 */

import { parentPort, workerData } from "node:worker_threads";
import { node } from "./node-platform.js";
import { install } from "./platform.js";

install(node);

/** What came before the script could take it: Deno gives it to nobody otherwise. @type {{ data: any }[]} */
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
