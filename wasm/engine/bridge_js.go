package main

import (
	"errors"
	"syscall/js"

	"deepemd/core/imaging"
	"deepemd/wasm"
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
		out.Set("info", info(reply.Info))
	}
	if reply.Picture != nil {
		out.Set("size", reply.Picture.Width)
		out.Set("pixels", pixels(reply.Picture))
	}
	if reply.Answer != nil {
		out.Set("scores", scores(reply.Answer.Scores))
		out.Set("embedMs", reply.Answer.EmbedMS)
		out.Set("matchMs", reply.Answer.MatchMS)
	}
	return out
}

// request reads what each type of request carries.
func (b *bridge) request(message js.Value) wasm.Request {
	req := wasm.Request{Type: message.Get("type").String()}
	switch req.Type {
	case wasm.TypeInit:
		req.Weights = readBytes(nil, message.Get("weights"))
		req.Options = wasm.Options{
			Classifier: message.Get("classifier").String(),
			Weighting:  message.Get("weighting").String(),
			Pyramid:    ints(message.Get("pyramid")),
			LowMemory:  message.Get("lowMemory").Truthy(),
		}
	case wasm.TypeAddClass, wasm.TypeRenameClass:
		req.ClassID = message.Get("classId").String()
		req.Label = message.Get("label").String()
	case wasm.TypeRemoveClass:
		req.ClassID = message.Get("classId").String()
	case wasm.TypeAddExample:
		req.ClassID = message.Get("classId").String()
		req.ExampleID = message.Get("exampleId").String()
		req.Picture = b.readPicture(message.Get("picture"))
	case wasm.TypeRemoveExample:
		req.ExampleID = message.Get("exampleId").String()
	case wasm.TypeClassify:
		req.Picture = b.readPicture(message.Get("picture"))
		req.Pixels = message.Get("pixels").Truthy()
	case wasm.TypeCrash:
		req.How = message.Get("how").String()
	}
	return req
}

func (b *bridge) readPicture(picture js.Value) wasm.Picture {
	b.picture = readBytes(b.picture, picture.Get("data"))
	return wasm.Picture{
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

func ints(array js.Value) []int {
	list := make([]int, array.Length())
	for i := range list {
		list[i] = array.Index(i).Int()
	}
	return list
}

func info(i *wasm.Info) js.Value {
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
	out.Set("nodes", i.Nodes)
	out.Set("channels", i.Channels)
	return out
}

func scores(list []wasm.Score) js.Value {
	out := js.Global().Get("Array").New(len(list))
	for i, s := range list {
		o := newObject()
		o.Set("id", s.ID)
		o.Set("label", s.Label)
		o.Set("score", s.Score)
		o.Set("logit", s.Logit)
		out.SetIndex(i, o)
	}
	return out
}

func pixels(img *imaging.Image) js.Value {
	array := js.Global().Get("Uint8Array").New(len(img.Pix))
	js.CopyBytesToJS(array, img.Pix)
	return array
}

func failure(err error) js.Value {
	var e *wasm.Error
	if !errors.As(err, &e) {
		e = &wasm.Error{Code: wasm.CodeInternal, Message: err.Error()}
	}
	detail := newObject()
	detail.Set("code", string(e.Code))
	detail.Set("message", e.Message)
	out := newObject()
	out.Set("error", detail)
	return out
}

func newObject() js.Value { return js.Global().Get("Object").New() }
