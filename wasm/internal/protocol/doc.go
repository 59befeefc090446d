// Package protocol declares the messages between the page and the engine: the requests, the replies
// that are not answers (core/answer), and the error codes. Package jsvalue converts them. The types
// of the JavaScript package (wasm/npm/protocol.d.ts) and its table of methods and limits
// (wasm/npm/method.js) are generated from it, and a test checks that they are up to date.
//
// The name of a request in lower camel case is its type in messages. A tag ts is the type on the page
// if the worker converts the field. Only the worker uses blank fields.
//
// Every request gets one reply, in order, or an error with a code.
package protocol

//go:generate go run ./generate
