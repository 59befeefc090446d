package jsvalue

import (
	"encoding/binary"
	"math"
	"reflect"
	"strconv"
	"syscall/js"
)

var (
	object       = js.Global().Get("Object")
	array        = js.Global().Get("Array")
	uint8Array   = js.Global().Get("Uint8Array")
	float32Array = js.Global().Get("Float32Array")
)

// Of converts a struct or a pointer to one; nil becomes an empty object. It panics for unsupported
// types.
func Of(v any) js.Value {
	if v == nil {
		return object.New()
	}
	return objectOf(reflect.ValueOf(v))
}

func objectOf(v reflect.Value) js.Value {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	out := object.New()
	if v.IsValid() {
		write(out, v)
	}
	return out
}

func write(out js.Value, from reflect.Value) {
	for _, p := range properties(from.Type()) {
		switch v := from.Field(p.at); {
		case p.inner:
			write(out, v)
		case v.Kind() == reflect.Pointer && v.IsNil(), p.omit && isEmpty(v):
		case p.floats:
			out.Set(p.name, floats(v.Len(), func(i int) float32 { return float32(v.Index(i).Float()) }))
		default:
			out.Set(p.name, value(v))
		}
	}
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool:
		return !v.Bool()
	case reflect.String, reflect.Slice:
		return v.Len() == 0
	case reflect.Int:
		return v.Int() == 0
	case reflect.Uint64:
		return v.Uint() == 0
	case reflect.Float64:
		return v.Float() == 0
	}
	return false
}

// value returns the argument of js.ValueOf for a value.
func value(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return v.String()
	case reflect.Int:
		return v.Int()
	case reflect.Uint32, reflect.Uint64:
		return v.Uint()
	case reflect.Float64:
		return v.Float()
	case reflect.Float32:
		short, err := strconv.ParseFloat(strconv.FormatFloat(v.Float(), 'g', -1, 32), 64)
		if err != nil {
			return v.Float()
		}
		return short
	case reflect.Struct, reflect.Pointer:
		return objectOf(v)
	case reflect.Slice, reflect.Array:
		return list(v)
	}
	panic("jsvalue: nothing carries a " + v.Type().String())
}

func list(v reflect.Value) js.Value {
	switch elem := v.Type().Elem(); {
	case v.Kind() == reflect.Slice && elem.Kind() == reflect.Uint8:
		return bytes(v.Bytes())
	case v.Kind() == reflect.Slice && elem.Kind() == reflect.Float32:
		return floats(v.Len(), func(i int) float32 { return float32(v.Index(i).Float()) })
	case v.Kind() == reflect.Slice && isRow(elem):
		n := elem.NumField()
		return floats(v.Len()*n, func(i int) float32 { return float32(v.Index(i / n).Field(i % n).Float()) })
	}
	out := array.New(v.Len())
	for i := range v.Len() {
		out.SetIndex(i, value(v.Index(i)))
	}
	return out
}

func bytes(data []byte) js.Value {
	out := uint8Array.New(len(data))
	js.CopyBytesToJS(out, data)
	return out
}

func floats(n int, at func(i int) float32) js.Value {
	data := make([]byte, 0, 4*n)
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(at(i)))
	}
	return float32Array.New(bytes(data).Get("buffer"))
}

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
