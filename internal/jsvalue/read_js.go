package jsvalue

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"syscall/js"
	"unsafe"
)

// Read sets the fields of the struct that into points to. Missing properties do not change fields.
// It reuses the memory of byte slices.
//
// It returns an error if a value has another kind than its field. Values that are not numbers, or
// not integers for an int, become NaN or −1, which the caller rejects.
func Read(from js.Value, into any) (err error) {
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("a value of the wrong type: %v", why)
		}
	}()
	read(from, reflect.ValueOf(into).Elem())
	return nil
}

// read sets the fields of a struct. It panics for a value of another kind, like js.Value.
func read(from js.Value, into reflect.Value) {
	for _, p := range properties(into.Type()) {
		field := into.Field(p.at)
		if p.inner {
			read(from, field)
		} else if v := from.Get(p.name); !v.IsUndefined() {
			set(field, v, p.floats)
		}
	}
}

// set sets a field; narrow marks a Float32Array.
func set(field reflect.Value, v js.Value, narrow bool) {
	switch field.Kind() {
	case reflect.Bool:
		field.SetBool(v.Truthy())
	case reflect.String:
		field.SetString(v.String())
	case reflect.Int:
		field.SetInt(int64(integer(v)))
	case reflect.Uint64:
		field.SetUint(uint64(max(0, integer(v))))
	case reflect.Float32, reflect.Float64:
		field.SetFloat(number(v))
	case reflect.Struct:
		if v.Truthy() {
			read(v, field)
		}
	case reflect.Pointer:
		if v.Truthy() {
			made := reflect.New(field.Type().Elem())
			read(v, made.Elem())
			// Value.Set, with its parameter of type any, would add 14 KB to an engine.
			*(*unsafe.Pointer)(field.Addr().UnsafePointer()) = made.UnsafePointer()
		}
	case reflect.Slice:
		setSlice(field, v, narrow)
	default:
		panic("jsvalue: nothing carries a " + field.Type().String())
	}
}

// longestList limits the length of integer lists, which are short in methods.
const longestList = 1 << 10

func setSlice(field reflect.Value, v js.Value, narrow bool) {
	switch elem := field.Type().Elem(); {
	case elem.Kind() == reflect.Uint8:
		field.SetBytes(copied(field.Bytes(), v))
	case elem.Kind() == reflect.Float32, narrow:
		data := copied(nil, v)
		resize(field, len(data)/4)
		for i := range field.Len() {
			field.Index(i).SetFloat(floatAt(data, i))
		}
	case isRow(elem):
		data, n := copied(nil, v), elem.NumField()
		if len(data)%(4*n) != 0 {
			panic(fmt.Sprintf("%d values for rows of %d", len(data)/4, n))
		}
		resize(field, len(data)/(4*n))
		for i := range len(data) / 4 {
			field.Index(i / n).Field(i % n).SetFloat(floatAt(data, i))
		}
	case elem.Kind() == reflect.Int && (v.Type() != js.TypeObject || v.Length() > longestList):
		resize(field, 1)
		field.Index(0).SetInt(-1)
	default:
		resize(field, v.Length())
		for i := range field.Len() {
			set(field.Index(i), v.Index(i), false)
		}
	}
}

func resize(field reflect.Value, n int) {
	field.SetZero()
	field.Grow(n)
	field.SetLen(n)
}

func floatAt(data []byte, i int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
}

var isView = js.Global().Get("ArrayBuffer").Get("isView")

// copied copies the bytes of a view, such as a Float32Array, to the given or new memory. It panics
// for other values, even if they have a length.
func copied(to []byte, v js.Value) []byte {
	if !isView.Invoke(v).Bool() {
		panic(&js.ValueError{Method: "ArrayBuffer.isView", Type: v.Type()})
	}
	n := v.Get("byteLength").Int()
	if cap(to) < n {
		to = make([]byte, n)
	}
	to = to[:n]
	js.CopyBytesToGo(to, uint8Array.New(v.Get("buffer"), v.Get("byteOffset"), n))
	return to
}

// integer returns an integer, or −1 for other values.
func integer(v js.Value) int {
	n := number(v)
	if n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return -1
	}
	return int(n)
}

// number returns a number, or NaN for other values.
func number(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return math.NaN()
	}
	return v.Float()
}
