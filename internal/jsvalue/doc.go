// Package jsvalue carries Go's data to JavaScript and back: structs as objects, slices as
// arrays, bytes and floats as typed arrays. The engine reads requests and writes replies by
// it, and the studio reads what deepemd.js says, so that a struct is declared once, in Go;
// tools/protocol writes its TypeScript type by the same rules.
//
// A field is called as in Go, in lower camel case (ClassID is classId), or as its tag wire
// or json says. With the option omitempty a zero value is left out. The fields of an embedded
// struct are those of the object itself. []byte is a Uint8Array, []float32 a Float32Array, as
// is []float64 with the tag ts:"Float32Array"; a slice of structs of float32 is one
// Float32Array, row after row. Other slices, and all arrays, are arrays. A float32 by itself
// is the shortest decimal number that rounds to it.
package jsvalue
