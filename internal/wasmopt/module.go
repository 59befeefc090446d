package wasmopt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// head is the start of every module: "\0asm", version 1.
var head = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// Section numbers of the WebAssembly standard.
const (
	customSection    = 0
	codeSection      = 10
	dataSection      = 11
	dataCountSection = 12
)

const (
	// mostMemory limits the addresses of data: a program starts with a few MB.
	mostMemory = 1 << 28

	// longRun is the number of zeros that are omitted from the data. The address of the next piece
	// costs some incompressible bytes; shorter runs of zeros compress to less.
	longRun = 64
)

var errCut = errors.New("the module is cut off: was it written completely?")

type section struct {
	kind    byte
	content []byte
}

// split returns the sections of a module. Their contents alias the module.
func split(module []byte) (sections []section, err error) {
	rest, ok := bytes.CutPrefix(module, head)
	if !ok {
		return nil, errors.New("not a WebAssembly module of version 1: use the output of go build with GOARCH=wasm")
	}
	r := reader{rest}
	for len(r.rest) > 0 {
		kind, err := r.byte()
		if err != nil {
			return nil, err
		}
		content, err := r.counted()
		if err != nil {
			return nil, err
		}
		sections = append(sections, section{kind, content})
	}
	return sections, nil
}

// dataMemory returns the initial memory of a module, from address 0. It returns an error if
// addresses are not constants or too large.
func dataMemory(sections []section) (memory []byte, err error) {
	for _, s := range sections {
		switch s.kind {
		case dataCountSection:
			return nil, errors.New("the module has a data count section, which instructions may use: Go's linker never writes one")
		case dataSection:
			if memory, err = placeData(memory, s.content); err != nil {
				return nil, err
			}
		}
	}
	return memory, nil
}

// placeData copies the pieces of a data section to their addresses.
func placeData(memory, content []byte) ([]byte, error) {
	r := reader{content}
	pieces, err := r.number()
	if err != nil {
		return nil, err
	}
	for range pieces {
		at, piece, err := r.piece()
		if err != nil {
			return nil, err
		}
		if missing := at + len(piece) - len(memory); missing > 0 {
			memory = append(memory, make([]byte, missing)...)
		}
		copy(memory[at:], piece)
	}
	return memory, nil
}

func (r *reader) piece() (at int, piece []byte, err error) {
	memory, err := r.number()
	if err != nil {
		return 0, nil, err
	}
	op, err := r.byte()
	if err != nil {
		return 0, nil, err
	}
	if memory != 0 || op != opI32Const {
		return 0, nil, errors.New("data without a fixed address: Go's linker never writes one")
	}
	if at, err = r.signed(); err != nil {
		return 0, nil, err
	}
	if op, err = r.byte(); err != nil {
		return 0, nil, err
	}
	if piece, err = r.counted(); err != nil {
		return 0, nil, err
	}
	if op != opEnd || at < 0 || at > mostMemory || at+len(piece) > mostMemory {
		return 0, nil, fmt.Errorf("%d bytes of data at address %d exceed the initial memory", len(piece), at)
	}
	return at, piece, nil
}

// setData replaces the data by memory, in the pieces that compress best. Go's linker omits every
// run of eight zeros.
func setData(sections []section, memory []byte) {
	for i, s := range sections {
		if s.kind == dataSection {
			sections[i].content = encodeData(memory)
		}
	}
}

func writeSections(sections []section) []byte {
	module := bytes.Clone(head)
	for _, s := range sections {
		module = append(module, s.kind)
		module = binary.AppendUvarint(module, uint64(len(s.content))) // LEB128 is Go's varint
		module = append(module, s.content...)
	}
	return module
}

// encodeData returns a data section for the memory, without long runs of zeros.
func encodeData(memory []byte) []byte {
	var list []byte
	count := 0
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end, zeros := at, 0 // end of the nonzero bytes, and number of zeros after it
		for next := at; next < len(memory) && zeros < longRun; next++ {
			if memory[next] == 0 {
				zeros++
				continue
			}
			end, zeros = next+1, 0
		}
		list = append(list, 0, opI32Const)
		list = appendSigned(list, at)
		list = append(list, opEnd)
		list = binary.AppendUvarint(list, uint64(end-at))
		list = append(list, memory[at:end]...)
		count++
		at = end
	}
	return append(binary.AppendUvarint(nil, uint64(count)), list...)
}

func appendSigned(b []byte, n int) []byte {
	for n < -64 || n > 63 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}

type reader struct{ rest []byte }

func (r *reader) byte() (byte, error) {
	if len(r.rest) == 0 {
		return 0, errCut
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b, nil
}

// number reads an unsigned 32-bit LEB128 number.
func (r *reader) number() (int, error) {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 || n > 1<<32-1 {
		return 0, errCut
	}
	r.rest = r.rest[length:]
	return int(n), nil
}

// signed reads a signed 32-bit LEB128 number.
func (r *reader) signed() (n int, err error) {
	for shift := 0; shift < 35; shift += 7 {
		b, err := r.byte()
		if err != nil {
			return 0, err
		}
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				n -= 1 << (shift + 7)
			}
			return n, nil
		}
	}
	return 0, errCut
}

// counted reads bytes that are preceded by their length.
func (r *reader) counted() ([]byte, error) {
	n, err := r.number()
	if err != nil {
		return nil, err
	}
	if n > len(r.rest) {
		return nil, errCut
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b, nil
}

// functionBodies returns the function bodies of a code section: locals and instructions.
func functionBodies(section []byte) (bodies [][]byte, err error) {
	r := reader{section}
	n, err := r.number()
	if err != nil {
		return nil, err
	}
	for range n {
		body, err := r.counted()
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, body)
	}
	return bodies, nil
}
