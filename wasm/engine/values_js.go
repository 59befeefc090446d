package main

import (
	"encoding/binary"
	"math"
	"strconv"
	"syscall/js"
)

// Readers take a property of an object; one that is absent leaves what there is. What
// is not of the right type becomes a value that is refused, or a panic: see bridge.read.

func readText(from *js.Value, name string, to *string) {
	if v := from.Get(name); !v.IsUndefined() {
		*to = v.String()
	}
}

func readBool(from *js.Value, name string, to *bool) {
	if v := from.Get(name); !v.IsUndefined() {
		*to = v.Truthy()
	}
}

func readNumber(from *js.Value, name string, to *float64) {
	if v := from.Get(name); !v.IsUndefined() {
		*to = number(v)
	}
}

func readInt(from *js.Value, name string, to *int) {
	if v := from.Get(name); !v.IsUndefined() {
		*to = integer(v)
	}
}

func readUint(from *js.Value, name string, to *uint64) {
	n := int(*to)
	readInt(from, name, &n)
	*to = uint64(max(0, n))
}

// longestList is how many numbers a list may have; those of methods have a few.
const longestList = 1 << 10

// readInts reads an array of numbers.
func readInts(from *js.Value, name string, to *[]int) {
	v := from.Get(name)
	switch {
	case v.IsUndefined():
		return
	case v.Type() != js.TypeObject || v.Length() > longestList:
		*to = []int{-1}
		return
	}
	list := make([]int, v.Length())
	for i := range list {
		list[i] = integer(v.Index(i))
	}
	*to = list
}

// readBytes copies a Uint8Array into what there is, which is grown where it is too small.
func readBytes(from *js.Value, name string, to *[]byte) {
	v := from.Get(name)
	if v.IsUndefined() {
		return
	}
	bytes, n := memory(v)
	if cap(*to) < n {
		*to = make([]byte, n)
	}
	*to = (*to)[:n]
	js.CopyBytesToGo(*to, bytes)
}

// readFloats copies a Float32Array.
func readFloats(from *js.Value, name string, to *[]float32) {
	v := from.Get(name)
	if v.IsUndefined() {
		return
	}
	bytes, n := memory(v)
	data := make([]byte, n)
	js.CopyBytesToGo(data, bytes)
	values := make([]float32, n/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	*to = values
}

// memory returns the bytes that a view of memory shows, such as a Float32Array, and how
// many they are. It panics for what is no view, whatever length that says it has.
func memory(v js.Value) (bytes js.Value, n int) {
	if !js.Global().Get("ArrayBuffer").Call("isView", v).Bool() {
		panic(&js.ValueError{Method: "ArrayBuffer.isView", Type: v.Type()})
	}
	n = v.Get("byteLength").Int()
	return js.Global().Get("Uint8Array").New(v.Get("buffer"), v.Get("byteOffset"), n), n
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

// Writers set a property of an object. They are called from so many places that the
// engine would be larger by kilobytes with them in line.

//go:noinline
func newObject() js.Value { return js.Global().Get("Object").New() }

//go:noinline
func newArray(n int) js.Value { return js.Global().Get("Array").New(n) }

//go:noinline
func setText(out *js.Value, name, text string) { out.Set(name, text) }

//go:noinline
func setBool(out *js.Value, name string, set bool) { out.Set(name, set) }

//go:noinline
func setNumber(out *js.Value, name string, n float64) { out.Set(name, n) }

//go:noinline
func setObject(out *js.Value, name string, o *js.Value) { out.Set(name, *o) }

//go:noinline
func setItem(list *js.Value, i int, o *js.Value) { list.SetIndex(i, *o) }

func setInts(out *js.Value, name string, list []int) {
	array := newArray(len(list))
	for i, n := range list {
		array.SetIndex(i, n)
	}
	out.Set(name, array)
}

func setNumbers(out *js.Value, name string, list []float64) {
	array := newArray(len(list))
	for i, v := range list {
		array.SetIndex(i, v)
	}
	out.Set(name, array)
}

// setColours writes an array of values for red, green and blue. As text they are the
// numbers of the weights' metadata, not those of the float64 nearest the float32.
func setColours(out *js.Value, name string, rgb *[3]float32) {
	array := newArray(len(rgb))
	for i, v := range rgb {
		array.SetIndex(i, js.Global().Call("Number", strconv.FormatFloat(float64(v), 'g', -1, 32)))
	}
	out.Set(name, array)
}

// setBytes copies bytes into a Uint8Array.
//
//go:noinline
func setBytes(out *js.Value, name string, data []byte) { out.Set(name, bytesOf(data)) }

// setFloats copies values into a Float32Array.
func setFloats(out *js.Value, name string, values []float32) {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	out.Set(name, js.Global().Get("Float32Array").New(bytesOf(data).Get("buffer")))
}

func bytesOf(data []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array
}
