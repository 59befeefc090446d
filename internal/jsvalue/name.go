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
