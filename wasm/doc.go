// Package wasm describes its folder: the engine, which answers the requests of a page, and the
// JavaScript package (npm). It has no code.
//
//	page ── DeepEMD ══ postMessage ══ worker.js ── engine ── Host ── Learner ── core
//
// Pages call the program in the worker, together with the DeepEMD object on the page, the engine.
//
//   - internal/protocol: requests, replies that are not answers, and error codes
//   - internal/host: answers requests with a learner
//   - engine: the program in the Web Worker, between JavaScript and a host
//   - gallery: the program that stores and searches pictures
//   - solver: the program that only solves transport problems
//   - internal/tests: the package in a page and in Node, and the element, with the module's internal/wasmtest
package wasm
