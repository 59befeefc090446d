// Package protocol declares what the page and the engine say to each other: the
// requests, their replies and the codes of errors. It is the one declaration; the
// Go code that carries them (wasm/engine/protocol_js.go), the types of the
// JavaScript side (wasm/npm/protocol.d.ts) and the method's table there
// (wasm/npm/method.js) are generated from it, and a test holds them to it.
//
// A struct with the directive deepemd:request is a request; its name, beginning in
// lower case, is its type on the wire, and the struct of that name with "Reply"
// answers it. A request without such a struct has an empty reply. Fields travel
// under their names, or those of a tag wire (json in other packages); omitempty leaves out what is zero. A
// tag ts gives the type that the page sees where the worker stands between. Blank
// fields are the worker's own: Go never sees them.
//
// Every request gets one reply, in order, or an error with a code.
package protocol

//go:generate go run ../../tools/protocol
