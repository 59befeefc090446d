package main

import (
	"encoding/binary"
	"math"
	"strconv"
	"syscall/js"
)

// Readers take a property of an object; one that is absent leaves what there is. What
// is not of the right type becomes a value that is refused.

func readText(v js.Value, name string, to *string) {
	if v = v.Get(name); !v.IsUndefined() {
		*to = v.String()
	}
}

func readBool(v js.Value, name string, to *bool) {
	if v = v.Get(name); !v.IsUndefined() {
		*to = v.Truthy()
	}
}

func readNumber(v js.Value, name string, to *float64) {
	if v = v.Get(name); !v.IsUndefined() {
		*to = number(v)
	}
}

func readInt(v js.Value, name string, to *int) {
	if v = v.Get(name); !v.IsUndefined() {
		*to = integer(v)
	}
}

func readUint(v js.Value, name string, to *uint64) {
	if v = v.Get(name); !v.IsUndefined() {
		*to = uint64(max(0, integer(v)))
	}
}

// readInts reads an array of numbers.
func readInts(v js.Value, name string, to *[]int) {
	switch v = v.Get(name); {
	case v.IsUndefined():
		return
	case v.Type() != js.TypeObject:
		*to = []int{-1}
		return
	}
	list := make([]int, v.Length())
	for i := range list {
		list[i] = integer(v.Index(i))
	}
	*to = list
}

// readBytes copies a Uint8Array into what there is, which is grown where it is too
// small.
func readBytes(v js.Value, name string, to *[]byte) {
	if v = v.Get(name); v.IsUndefined() {
		return
	}
	n := v.Get("byteLength").Int()
	if cap(*to) < n {
		*to = make([]byte, n)
	}
	*to = (*to)[:n]
	js.CopyBytesToGo(*to, v)
}

// readFloats copies a Float32Array.
func readFloats(v js.Value, name string, to *[]float32) {
	if v = v.Get(name); v.IsUndefined() {
		return
	}
	data := make([]byte, v.Get("byteLength").Int())
	js.CopyBytesToGo(data, js.Global().Get("Uint8Array").New(v.Get("buffer"), v.Get("byteOffset"), len(data)))
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	*to = values
}

// integer is a number without a fraction; what is none gives −1.
func integer(v js.Value) int {
	n := number(v)
	if n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return -1
	}
	return int(n)
}

// number is a number; what is none gives NaN.
func number(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return math.NaN()
	}
	return v.Float()
}

// Writers make values of JavaScript.

func newObject() js.Value { return js.Global().Get("Object").New() }

// objectOf makes an object of a struct.
func objectOf[T any](of *T, write func(js.Value, *T)) js.Value {
	out := newObject()
	write(out, of)
	return out
}

// listOf makes an array of objects.
func listOf[T any](list []T, write func(js.Value, *T)) js.Value {
	out := newArray(len(list))
	for i := range list {
		out.SetIndex(i, objectOf(&list[i], write))
	}
	return out
}

func newArray(n int) js.Value { return js.Global().Get("Array").New(n) }

func intsOf(list []int) js.Value {
	out := newArray(len(list))
	for i, n := range list {
		out.SetIndex(i, n)
	}
	return out
}

func numbersOf(list []float64) js.Value {
	out := newArray(len(list))
	for i, v := range list {
		out.SetIndex(i, v)
	}
	return out
}

// coloursOf makes an array of values for red, green and blue. As text they are the
// numbers of the weights' metadata, not those of the float64 nearest the float32.
func coloursOf(rgb [3]float32) js.Value {
	out := newArray(len(rgb))
	for i, v := range rgb {
		out.SetIndex(i, js.Global().Call("Number", strconv.FormatFloat(float64(v), 'g', -1, 32)))
	}
	return out
}

// bytesOf copies bytes into a Uint8Array.
func bytesOf(data []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array
}

// floatsOf copies values into a Float32Array.
func floatsOf(values []float32) js.Value {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return js.Global().Get("Float32Array").New(bytesOf(data).Get("buffer"))
}
