// Package jsvalue converts Go data to JavaScript and back: structs to objects, slices to arrays,
// bytes and floats to typed arrays. The engine uses it for requests and replies, and the studio for
// values of deepemd.js, so each struct is declared once, in Go. wasm/internal/protocol generates the
// TypeScript types by the same rules.
//
// A property has the field's name in lower camel case (ClassID is classId), or the name in its tag
// wire or json. The option omitempty omits zero values. Fields of embedded structs become
// properties of the outer object. []byte is a Uint8Array, []float32 a Float32Array, as is []float64
// with the tag ts:"Float32Array"; a slice of structs of float32 is one Float32Array, row by row.
// Other slices, and all arrays, are arrays. A single float32 becomes the shortest decimal number
// that rounds to it.
package jsvalue

import (
	"cmp"
	"reflect"
	"strings"
)

// Name returns the JavaScript name of a field, or "" if it is not converted, and whether zero
// values are omitted.
func Name(field string, tag reflect.StructTag) (name string, omit bool) {
	name, options, _ := strings.Cut(cmp.Or(lookup(tag, "wire"), lookup(tag, "json")), ",")
	if name == "-" {
		return "", false
	}
	return cmp.Or(name, Lower(field)), options == "omitempty"
}

// lookup is tag.Get for values without escapes: strconv.Unquote would add 12 KB to an engine.
func lookup(tag reflect.StructTag, key string) string {
	_, value, ok := strings.Cut(string(tag), key+`:"`)
	if !ok {
		return ""
	}
	value, _, _ = strings.Cut(value, `"`)
	return value
}

// Lower converts a Go name to lower camel case: "ClassID" to classId, "EmbedMS" to embedMs.
func Lower(name string) string {
	lower := []byte(name)
	if strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "MS") {
		lower[len(lower)-1] |= ' '
	}
	lower[0] |= ' '
	return string(lower)
}
