// Package protocol declares the messages between the page and the engine: the requests,
// their replies and the codes of errors. The Go code that carries them
// (wasm/engine/protocol_js.go), the types of the JavaScript side (wasm/npm/protocol.d.ts)
// and the table of the method (wasm/npm/method.js) are generated from it, and a test checks
// that they are up to date.
//
// A struct with the directive deepemd:request is a request. Its name in lower camel case is
// its type on the wire, and the struct with that name and the suffix "Reply" is its reply. A
// request without such a struct has an empty reply. A tag wire (json in other packages)
// renames a field on the wire; omitempty omits zero values. A tag ts gives the type in the
// page if the worker converts the field. Blank fields are only for the worker.
//
// Every request gets one reply, in order, or an error with a code.
package protocol

//go:generate go run ../../../tools/protocol
