// Package wasm answers what a page asks. A Host holds a learner (core/learner) and
// answers the requests of wasm/internal/protocol by it; there is no JavaScript here, so that
// it is tested natively.
//
//	page ── DeepEMD ══ postMessage ══ worker.js ── wasm/engine ── Host ── Learner ── core
//
// "Engine" is what pages see of it: the program in the worker, and the DeepEMD object
// in front of it.
//
//   - internal/protocol: the one declaration of requests, replies and codes of errors
//   - engine: the program in the Web Worker, between JavaScript and a Host
//   - gallery: the program that keeps pictures and searches them
//   - solver: the program that solves transport problems alone
//   - internal/tests: the package in a page and in Node, and the element, by way of
//     internal/wasmtest of the module
//
// The folder npm holds the JavaScript package.
package wasm
