// Package module reads and writes the parts of a WebAssembly module that tools of this project look at: its
// sections, the memory that its data fill, and its functions.
package module

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// head starts every module: "\0asm", version 1.
var head = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// Kinds of sections, by the standard's numbers.
const (
	Custom    = 0
	Imports   = 2
	Code      = 10
	Data      = 11
	dataCount = 12
)

const (
	opI32Const, opEnd = 0x41, 0x0b

	// mostMemory bounds the addresses of data: a program starts with a few MB.
	mostMemory = 1 << 28

	// longRun is how many zeros are left out of the data. The address of what follows costs
	// some bytes that do not compress; shorter runs, which do, cost less.
	longRun = 64
)

// ErrCut says that a module ends where something should follow.
var ErrCut = errors.New("the module ends in the middle of something: was it written to the end?")

// Section is one of a module's sections.
type Section struct {
	Kind    byte
	Content []byte
}

// Split returns the sections of a module; their contents are the module's own bytes.
func Split(module []byte) (sections []Section, err error) {
	rest, ok := bytes.CutPrefix(module, head)
	if !ok {
		return nil, errors.New("no WebAssembly module of version 1: give what go build writes with GOARCH=wasm")
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
		sections = append(sections, Section{kind, content})
	}
	return sections, nil
}

// Memory returns what the data of a module fill, from address 0.
//
// # Errors
//
// Data whose addresses are not written in the module, or reach beyond what a program starts with.
func Memory(sections []Section) (memory []byte, err error) {
	for _, s := range sections {
		switch s.Kind {
		case dataCount:
			return nil, errors.New("the module counts its pieces of data, which instructions may name: Go's linker writes no such module")
		case Data:
			if memory, err = place(memory, s.Content); err != nil {
				return nil, err
			}
		}
	}
	return memory, nil
}

// place puts the pieces of a data section to their addresses.
func place(memory, section []byte) ([]byte, error) {
	r := reader{section}
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

// piece reads a piece of data and its address.
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
		return 0, nil, errors.New("data without a fixed address: Go's linker writes no such module")
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
		return 0, nil, fmt.Errorf("%d bytes of data at address %d: more than a program starts with", len(piece), at)
	}
	return at, piece, nil
}

// Join returns the module of the sections, with that memory for its data in as few pieces as
// compress best. Go's linker leaves out every run of eight zeros.
func Join(sections []Section, memory []byte) []byte {
	sections = slices.Clone(sections)
	for i, s := range sections {
		if s.Kind == Data {
			sections[i].Content = pieces(memory)
		}
	}
	return Write(sections)
}

// Write returns the module of the sections.
func Write(sections []Section) []byte {
	module := bytes.Clone(head)
	for _, s := range sections {
		module = append(module, s.Kind)
		module = binary.AppendUvarint(module, uint64(len(s.Content))) // LEB128 is Go's varint
		module = append(module, s.Content...)
	}
	return module
}

// pieces returns a data section that fills the memory, without its long runs of zeros.
func pieces(memory []byte) []byte {
	var list []byte
	count := 0
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end, zeros := at, 0 // of what is not zero, and how many zeros follow
		for next := at; next < len(memory) && zeros < longRun; next++ {
			if memory[next] == 0 {
				zeros++
				continue
			}
			end, zeros = next+1, 0
		}
		list = append(list, 0, opI32Const)
		list = AppendSigned(list, at)
		list = append(list, opEnd)
		list = binary.AppendUvarint(list, uint64(end-at))
		list = append(list, memory[at:end]...)
		count++
		at = end
	}
	return append(binary.AppendUvarint(nil, uint64(count)), list...)
}

// AppendSigned appends a number as signed LEB128.
func AppendSigned(b []byte, n int) []byte {
	for n < -64 || n > 63 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}
