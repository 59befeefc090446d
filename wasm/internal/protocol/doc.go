// Package protocol declares the messages between the page and the engine: the requests,
// those of their replies that are no answers (core/answer), and the codes of errors. Package
// jsvalue carries them. The types of the JavaScript side (wasm/npm/protocol.d.ts) and what it
// knows of methods and limits (wasm/npm/method.js) are generated from it, and a test checks
// that they are up to date.
//
// A struct with the directive deepemd:request is a request. Its name in lower camel case is
// its type on the wire; the directive names the struct that replies, if any. A tag ts gives
// the type in the page if the worker converts the field. Blank fields are only for the
// worker.
//
// Every request gets one reply, in order, or an error with a code.
package protocol

//go:generate go run ../../../tools/protocol
