package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// room is the memory that JavaScript and the program share: a request as JSON, and behind
// it, from the next multiple of four bytes on, the values that it is about, little-endian.
type room struct {
	keeper keeper
	bytes  []byte
	said   []byte // the last answer
}

// mostKept is how large a room is kept for the next request: files are larger.
const mostKept = 1 << 20

// arrange makes room for so many bytes.
func (r *room) arrange(bytes int) []byte {
	if cap(r.bytes) < bytes {
		r.bytes = nil // may go before its successor comes
		r.bytes = make([]byte, bytes)
	}
	r.bytes = r.bytes[:bytes]
	return r.bytes
}

// ask answers the request in the room, whose JSON has so many bytes, in JSON.
func (r *room) ask(text int) []byte {
	var answer any
	var req request
	err := json.Unmarshal(r.bytes[:text], &req)
	if err == nil {
		answer, err = r.keeper.answer(&req, r.behind(text))
	}
	if err != nil {
		answer = failure{Error: fault(err)}
	}
	if cap(r.bytes) > mostKept {
		r.bytes = nil
	}
	if r.said, err = json.Marshal(answer); err != nil {
		r.said, _ = json.Marshal(failure{Error: fault(fmt.Errorf("the answer cannot be written: %w", err))})
	}
	return r.said
}

// behind are the bytes behind the JSON.
func (r *room) behind(text int) []byte {
	return r.bytes[min(len(r.bytes), (text+3)/4*4):]
}

// floats decodes values.
func floats(raw []byte) []float32 {
	values := make([]float32, len(raw)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return values
}
