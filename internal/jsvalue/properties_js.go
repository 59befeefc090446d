package jsvalue

import "reflect"

// property is a field of a struct.
type property struct {
	name   string
	at     int
	omit   bool
	floats bool // a []float64 that is a Float32Array
	inner  bool // an embedded struct
}

var known = map[reflect.Type][]property{}

// properties lists the fields of a struct that travel. JavaScript is single-threaded, and so
// is the memory of what was listed before.
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

// isRow reports whether a type is a struct of float32: a slice of them is one Float32Array.
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
