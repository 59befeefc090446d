package main

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"runtime/debug"
	"strconv"
	"syscall/js"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/wasm"
)

// bridge carries requests and replies between JavaScript and a host. Names of
// properties are those of deepemd.d.ts.
type bridge struct {
	host    wasm.Host
	picture []byte // reused memory of the pictures that come in
}

// handle answers one request of worker.js: the reply, or an object whose
// property error has the code and the message.
func (b *bridge) handle(message js.Value) js.Value {
	req := b.request(message)
	reply, err := b.host.Handle(&req)
	if err != nil {
		return failure(err)
	}
	out := newObject()
	if reply.Info != nil {
		// Once the network is loaded the heap is mostly that, and collecting costs little:
		// garbage may be a fifth of it, not as much again, so that memory stays flat.
		debug.SetGCPercent(20)
		out.Set("info", info(reply.Info))
	}
	if reply.Picture != nil {
		out.Set("size", reply.Picture.Width)
		out.Set("pixels", bytesOf(reply.Picture.Pix))
	}
	if reply.Second != nil {
		out.Set("second", floatsOf(reply.Second))
	}
	if reply.Inputs != nil {
		out.Set("count", reply.Inputs.N)
		out.Set("size", reply.Inputs.Size)
		out.Set("pixels", bytesOf(reply.Inputs.Pixels))
	}
	if reply.Features != nil {
		out.Set("features", floatsOf(reply.Features))
	}
	if reply.Embedding != nil {
		out.Set("embedding", floatsOf(reply.Embedding))
	}
	if reply.Trained != nil {
		out.Set("trained", trained(reply.Trained))
	}
	if m := reply.Memory; m != nil {
		out.Set("heap", float64(m.Heap))
		out.Set("allocated", float64(m.Allocated))
		out.Set("collections", m.Collections)
		out.Set("worstPauseMs", m.WorstPauseMS)
	}
	if reply.Answer != nil {
		out.Set("scores", scores(reply.Answer.Scores))
		out.Set("embedMs", reply.Answer.EmbedMS)
		out.Set("matchMs", reply.Answer.MatchMS)
		if reply.Answer.Familiarity != nil {
			out.Set("unknown", familiarity(reply.Answer.Familiarity))
		}
	}
	if reply.Original != nil {
		out.Set("originalSize", reply.Original.Width)
		out.Set("original", bytesOf(reply.Original.Pix))
	}
	if reply.Review != nil {
		out.Set("review", review(reply.Review))
	}
	if reply.Explanation != nil {
		out.Set("explanation", explanation(reply.Explanation))
	}
	return out
}

// request reads what each type of request carries.
func (b *bridge) request(message js.Value) wasm.Request {
	req := wasm.Request{Type: message.Get("type").String()}
	switch req.Type {
	case wasm.TypeInit:
		req.Weights = readBytes(nil, message.Get("weights"))
		req.Options = options(message)
		req.Options.Method.Embedder = embedder(message.Get("embedder"))
		req.Options.Skip = message.Get("skip").Truthy()
		req.Options.LowMemory = message.Get("lowMemory").Truthy()
	case wasm.TypeConfigure:
		req.Options = options(message)
		req.Options.Skip = message.Get("skip").Truthy()
	case wasm.TypeEnableClass:
		req.ClassID = message.Get("classId").String()
		req.Enabled = message.Get("enabled").Truthy()
	case wasm.TypeAddClass, wasm.TypeRenameClass:
		req.ClassID = message.Get("classId").String()
		req.Label = message.Get("label").String()
	case wasm.TypeRemoveClass:
		req.ClassID = message.Get("classId").String()
	case wasm.TypeAddExample:
		req.ClassID = message.Get("classId").String()
		req.ExampleID = message.Get("exampleId").String()
		req.Picture = b.readPicture(message.Get("picture"))
		req.Picture.Features = readFloats(message.Get("features"))
		req.Embedding = readFloats(message.Get("embedding"))
		req.Answer = message.Get("answer").Truthy()
	case wasm.TypeRemoveExample:
		req.ExampleID = message.Get("exampleId").String()
	case wasm.TypeClassify:
		req.Picture = b.readPicture(message.Get("picture"))
		req.Picture.Features = readFloats(message.Get("features"))
		req.Pixels = message.Get("pixels").Truthy()
		req.Unknown = message.Get("unknown").Truthy()
		req.Explain = message.Get("explain").Truthy()
		req.ClassID = optional(message.Get("classId"))
	case wasm.TypeExplain:
		req.ClassID = optional(message.Get("classId"))
	case wasm.TypeTrain:
		req.Train = learner.Train{Passes: integer(message.Get("passes")), Check: message.Get("check").Truthy()}
	case wasm.TypeTrainSlice:
		req.SliceMS = number(message.Get("ms"))
	case wasm.TypeInputs:
		req.Picture = b.readPicture(message.Get("picture"))
	case wasm.TypeEncode:
		req.Crops = readBytes(nil, message.Get("crops"))
	case wasm.TypeCrash:
		req.How = message.Get("how").String()
	}
	return req
}

func (b *bridge) readPicture(picture js.Value) learner.Picture {
	if rate := picture.Get("rate"); !rate.IsUndefined() {
		return learner.Picture{Samples: readFloats(picture.Get("samples")), Rate: cmp.Or(integer(rate), -1)}
	}
	b.picture = readBytes(b.picture, picture.Get("data"))
	return learner.Picture{
		Data:   b.picture,
		Width:  picture.Get("width").Int(),
		Height: picture.Get("height").Int(),
	}
}

// readBytes copies a Uint8Array into dst, which is grown where it is too small.
func readBytes(dst []byte, array js.Value) []byte {
	n := array.Get("byteLength").Int()
	if cap(dst) < n {
		dst = make([]byte, n)
	}
	dst = dst[:n]
	js.CopyBytesToGo(dst, array)
	return dst
}

// embedder reads the description of an embedder. What is not of the right type
// becomes a value that is refused.
func embedder(o js.Value) method.Embedder {
	c := method.Embedder{
		Kind:    o.Get("kind").String(),
		Pyramid: integers(o.Get("pyramid")),
		Grid:    integers(o.Get("grid")),
		Patches: integer(o.Get("patches")),
		Seed:    uint64(max(0, integer(o.Get("seed")))),
	}
	if ratio := o.Get("ratio"); !ratio.IsUndefined() {
		c.Ratio = number(ratio)
	}
	return c
}

// integers reads an array of numbers; undefined gives none.
func integers(array js.Value) []int {
	switch {
	case array.IsUndefined():
		return nil
	case array.Type() != js.TypeObject:
		return []int{-1}
	}
	list := make([]int, array.Length())
	for i := range list {
		list[i] = integer(array.Index(i))
	}
	return list
}

// integer reads a number; undefined gives 0, what is none −1.
func integer(v js.Value) int {
	if v.IsUndefined() {
		return 0
	}
	n := number(v)
	if n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return -1
	}
	return int(n)
}

// number reads a number; what is none gives NaN.
func number(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return math.NaN()
	}
	return v.Float()
}

func info(i *learner.Info) js.Value {
	out := newObject()
	out.Set("name", i.Name)
	out.Set("version", i.Version)
	out.Set("kernels", i.Kernels)
	out.Set("inputSize", i.InputSize)
	widths := js.Global().Get("Array").New(len(i.Widths))
	for k, w := range i.Widths {
		widths.SetIndex(k, w)
	}
	out.Set("widths", widths)
	preprocess := newObject()
	preprocess.Set("size", i.InputSize)
	preprocess.Set("resize", 0) // the central square is scaled
	preprocess.Set("mean", colours(i.Mean))
	preprocess.Set("std", colours(i.Std))
	out.Set("preprocess", preprocess)
	out.Set("nodes", i.Nodes)
	out.Set("channels", i.Channels)
	out.Set("crops", i.Inputs)
	return out
}

// colours makes an array of values for red, green and blue. As text they are the
// numbers of the weights' metadata, not those of the float64 nearest the float32.
func colours(rgb [3]float32) js.Value {
	out := js.Global().Get("Array").New(len(rgb))
	for i, v := range rgb {
		text := strconv.FormatFloat(float64(v), 'g', -1, 32)
		out.SetIndex(i, js.Global().Call("Number", text))
	}
	return out
}

func trained(t *learner.Trained) js.Value {
	out := newObject()
	out.Set("done", t.Done)
	out.Set("total", t.Total)
	out.Set("finished", t.Finished)
	out.Set("of", t.Gain.Of)
	out.Set("before", t.Gain.Before)
	out.Set("after", t.Gain.After)
	return out
}

func scores(list []learner.Score) js.Value {
	out := js.Global().Get("Array").New(len(list))
	for i, s := range list {
		o := newObject()
		o.Set("id", s.ID)
		o.Set("label", s.Label)
		o.Set("score", s.Score)
		o.Set("logit", s.Logit)
		if s.Bound {
			o.Set("bound", true)
		}
		out.SetIndex(i, o)
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

// readFloats copies a Float32Array; undefined gives nil.
func readFloats(array js.Value) []float32 {
	if array.IsUndefined() {
		return nil
	}
	view := js.Global().Get("Uint8Array").New(array.Get("buffer"), array.Get("byteOffset"), array.Get("byteLength"))
	data := readBytes(nil, view)
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

func failure(err error) js.Value {
	var e *learner.Error
	if !errors.As(err, &e) {
		e = &learner.Error{Code: learner.CodeInternal, Message: err.Error()}
	}
	detail := newObject()
	detail.Set("code", string(e.Code))
	detail.Set("message", e.Message)
	out := newObject()
	out.Set("error", detail)
	return out
}

func newObject() js.Value { return js.Global().Get("Object").New() }
