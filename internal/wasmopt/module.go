package wasmopt

import (
	"bytes"
	"cmp"
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
	r := reader{rest: rest}
	for len(r.rest) > 0 {
		kind := r.byte()
		sections = append(sections, section{kind, r.counted()})
	}
	return sections, r.err
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
	r := reader{rest: content}
	for range r.number() {
		at, piece := r.piece()
		if r.err != nil {
			return nil, r.err
		}
		if missing := at + len(piece) - len(memory); missing > 0 {
			memory = append(memory, make([]byte, missing)...)
		}
		copy(memory[at:], piece)
	}
	return memory, r.err
}

func (r *reader) piece() (at int, piece []byte) {
	if memory, op := r.number(), r.byte(); memory != 0 || op != opI32Const {
		r.fail(errors.New("data without a fixed address: Go's linker never writes one"))
	}
	at = r.signed()
	end := r.byte()
	piece = r.counted()
	if end != opEnd || at < 0 || at > mostMemory || at+len(piece) > mostMemory {
		r.fail(fmt.Errorf("%d bytes of data at address %d exceed the initial memory", len(piece), at))
	}
	return at, piece
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
	for at := 0; at < len(memory); at++ {
		if memory[at] == 0 {
			continue
		}
		piece, _, _ := bytes.Cut(memory[at:], make([]byte, longRun))
		piece = bytes.TrimRight(piece, "\x00") // at the end of the memory
		list = append(list, 0, opI32Const)
		list = appendSigned(list, at)
		list = append(list, opEnd)
		list = binary.AppendUvarint(list, uint64(len(piece)))
		list = append(list, piece...)
		count++
		at += len(piece)
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

// reader reads the parts of a module. After an error, nothing remains, and it reads zeros.
type reader struct {
	rest []byte
	err  error // the first
}

func (r *reader) fail(err error) {
	r.rest, r.err = nil, cmp.Or(r.err, err)
}

// bytes reads n bytes.
func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail(errCut)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// number reads an unsigned 32-bit LEB128 number.
func (r *reader) number() int {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 || n > 1<<32-1 {
		r.fail(errCut)
		return 0
	}
	r.rest = r.rest[length:]
	return int(n)
}

// signed reads a signed 32-bit LEB128 number.
func (r *reader) signed() (n int) {
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				n -= 1 << (shift + 7)
			}
			return n
		}
	}
	r.fail(errCut)
	return 0
}

// counted reads bytes that are preceded by their length.
func (r *reader) counted() []byte { return r.bytes(r.number()) }

// functionBodies returns the function bodies of a code section: locals and instructions.
func functionBodies(section []byte) (bodies [][]byte, err error) {
	r := reader{rest: section}
	for n := r.number(); n > 0 && r.err == nil; n-- {
		bodies = append(bodies, r.counted())
	}
	return bodies, r.err
}
