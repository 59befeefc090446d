// Package wasm is the engine: the core as a Web Worker sees it. It holds what
// the worker's requests mean, and no JavaScript: the bridge is wasm/engine, the
// package that a page imports is wasm/npm.
//
//	page ── deepemd.js ══ postMessage ══ worker.js ── wasm/engine ── Host ── Engine ── core
//
// An Engine is a network with the classes it was taught. A Host answers
// requests with it. Both run natively as well, and are tested so.
//
//   - engine: the program in the Web Worker
//   - fuse: multiplications and additions of a built module as one instruction
//
// The folder npm holds the JavaScript package.
package wasm
