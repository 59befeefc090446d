package jsvalue

import "reflect"

type property struct {
	name   string
	at     int
	omit   bool
	floats bool // a []float64 as Float32Array
	inner  bool // an embedded struct
}

var known = map[reflect.Type][]property{}

// properties returns the converted fields of a struct. The cache needs no lock, since JavaScript is
// single-threaded.
func properties(t reflect.Type) []property {
	list, ok := known[t]
	if !ok {
		for i := range t.NumField() {
			f := t.Field(i)
			name, omit := Name(f.Name, f.Tag)
			if !f.IsExported() || name == "" {
				continue
			}
			list = append(list, property{name, i, omit, lookup(f.Tag, "ts") == "Float32Array", f.Anonymous})
		}
		known[t] = list
	}
	return list
}

// isRow reports whether a type is a struct of float32, whose slices become one Float32Array.
func isRow(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).Type.Kind() != reflect.Float32 {
			return false
		}
	}
	return true
}
