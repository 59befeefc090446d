// Package internal is the room of the engine, the folder wasm, which answers what a page asks, and of the
// JavaScript package (npm).
//
//	page ── DeepEMD ══ postMessage ══ worker.js ── engine ── Host ── Learner ── core
//
// "Engine" is what pages see of it: the program in the worker, and the DeepEMD object
// in front of it.
//
//   - internal/protocol: requests, those of their replies that are no answers, and codes of errors
//   - internal/host: answers requests by a learner
//   - engine: the program in the Web Worker, between JavaScript and a host
//   - gallery: the program that keeps pictures and searches them
//   - solver: the program that solves transport problems alone
//   - internal/tests: the package in a page and in Node, and the element, by way of
//     internal/wasmtest of the module
package internal
