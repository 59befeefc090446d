package browser

import (
	"encoding/binary"
	"math"
	"syscall/js"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Explain has deepemd.js classify a picture and say why; see kernel.Engine.
func (e *engine) Explain(source kernel.Source, live bool, classID string) (kernel.Answer, *kernel.Match, error) {
	why := any(true)
	if classID != "" {
		why = classID
	}
	reply, err := await(e.deepemd.Call("classify", source, object(map[string]any{"pixels": true, "explain": why, "live": live})))
	if err != nil {
		return kernel.Answer{}, nil, err
	}
	answer := answerOf(reply)
	found := reply.Get("explanation")
	if found.IsUndefined() {
		return answer, nil, nil
	}
	example := found.Get("example")
	size := example.Get("size")
	return answer, &kernel.Match{
		Match:     explanation(found),
		ClassID:   found.Get("classId").String(),
		ExampleID: example.Get("id").String(),
		Shares:    shares(found.Get("head")),
		Answer:    answer,
		Seen:      reply.Get("pixels"),
		Example:   object(map[string]any{"width": size, "height": size, "data": example.Get("pixels")}),
	}, nil
}

// shares reads what speaks for each class, which is undefined where no head took part.
func shares(list js.Value) []kernel.Share {
	if list.IsUndefined() {
		return nil
	}
	shares := make([]kernel.Share, list.Length())
	for i := range shares {
		s := list.Index(i)
		shares[i] = kernel.Share{ClassID: s.Get("classId").String(), Match: s.Get("match").Float(), Head: s.Get("head").Float()}
	}
	return shares
}

// explanation reads what deepemd.js gives: nodes and links one by one, which are
// some tens, similarities as one array.
func explanation(found js.Value) *answer.Match {
	e := &answer.Match{
		Score:       found.Get("score").Float(),
		Total:       found.Get("total").Float(),
		Temperature: found.Get("temperature").Float(),
		From:        side(found.Get("query")),
		To:          side(found.Get("support")),
	}
	for _, s := range readFloats(found.Get("similarity")) {
		e.Similarity = append(e.Similarity, float64(s))
	}
	flow := found.Get("flow")
	for i := range flow.Length() {
		link := flow.Index(i)
		e.Flow = append(e.Flow, answer.Link{
			From: link.Get("from").Int(), To: link.Get("to").Int(), Flow: link.Get("amount").Float(),
			Similarity: link.Get("similarity").Float(), Score: link.Get("score").Float(),
		})
	}
	return e
}

// side reads the nodes of one picture.
func side(nodes js.Value) answer.Side {
	var s answer.Side
	for i := range nodes.Length() {
		n := nodes.Index(i)
		at := func(name string) float32 { return float32(n.Get(name).Float()) }
		s = append(s, answer.Node{Region: answer.Region{X0: at("x0"), Y0: at("y0"), X1: at("x1"), Y1: at("y1")}, Weight: n.Get("weight").Float()})
	}
	return s
}

// readFloats copies a Float32Array.
func readFloats(array js.Value) []float32 {
	view := window.Get("Uint8Array").New(array.Get("buffer"), array.Get("byteOffset"), array.Get("byteLength"))
	data := make([]byte, view.Length())
	js.CopyBytesToGo(data, view)
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}
