package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// sharedMemory is the memory that JavaScript and the program share: a request as JSON and, from the next
// multiple of four bytes, its values in little-endian order.
type sharedMemory struct {
	keeper session
	bytes  []byte
	said   []byte // last answer
}

// mostKept is the maximum size of a room that is kept for the next request. Files are larger.
const mostKept = 1 << 20

func (r *sharedMemory) arrange(bytes int) []byte {
	if cap(r.bytes) < bytes {
		r.bytes = nil // free it before the allocation
		r.bytes = make([]byte, bytes)
	}
	r.bytes = r.bytes[:bytes]
	return r.bytes
}

// answer answers the request in the shared memory, JSON with the given number of bytes, in JSON.
func (r *sharedMemory) answer(text int) []byte {
	var answer any
	var req request
	err := json.Unmarshal(r.bytes[:text], &req)
	if err == nil {
		answer, err = r.keeper.answer(&req, r.bytes[min(len(r.bytes), (text+3)/4*4):])
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

func floats(raw []byte) []float32 {
	values := make([]float32, len(raw)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return values
}
