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

import (
	"cmp"
	"reflect"
	"strings"
)

// Name returns the name of a field in JavaScript, "" for one that does not travel, and
// whether a zero value is left out.
func Name(field string, tag reflect.StructTag) (name string, omit bool) {
	name, options, _ := strings.Cut(cmp.Or(lookup(tag, "wire"), lookup(tag, "json")), ",")
	if name == "-" {
		return "", false
	}
	return cmp.Or(name, Lower(field)), options == "omitempty"
}

// lookup is tag.Get for values without escapes: strconv.Unquote is 12 KB of an engine.
func lookup(tag reflect.StructTag, key string) string {
	_, value, ok := strings.Cut(string(tag), key+`:"`)
	if !ok {
		return ""
	}
	value, _, _ = strings.Cut(value, `"`)
	return value
}

// Lower returns a name of Go in lower camel case: "ClassID" is classId, "EmbedMS" embedMs.
func Lower(name string) string {
	lower := []byte(name)
	if strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "MS") {
		lower[len(lower)-1] |= ' '
	}
	lower[0] |= ' '
	return string(lower)
}
