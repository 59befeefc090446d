package wasmopt

import (
	"encoding/binary"
	"fmt"
)

// The opcodes of control flow and of the instructions around a jump.
const (
	opUnreachable = 0x00
	opNop         = 0x01
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opBrTable     = 0x0e
	opReturn      = 0x0f
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opI32Const    = 0x41
	opCall        = 0x10
	opIndirect    = 0x11
	opNumeric     = 0xfc
	opVector      = 0xfd

	empty = 0x40 // the type of a block without results
)

// instruction is an encoded instruction with its operands. The declaration of a function's locals
// counts as an instruction.
type instruction struct {
	op    byte
	bytes []byte
}

func decode(body []byte) (instructions []instruction, err error) {
	r := reader{rest: body}
	instructions = append(instructions, r.locals())
	for len(r.rest) > 0 {
		instructions = append(instructions, r.instruction())
	}
	return instructions, r.err
}

// locals reads the declaration of a function's locals.
func (r *reader) locals() instruction {
	code := r.rest
	for groups := r.number(); groups > 0 && r.err == nil; groups-- {
		r.skip() // the number of locals
		r.byte() // their type
	}
	return instruction{bytes: code[:len(code)-len(r.rest)]}
}

// skip reads a LEB128 number of any kind.
func (r *reader) skip() {
	for range binary.MaxVarintLen64 {
		if r.byte() < 0x80 {
			return
		}
	}
	r.fail(errCut)
}

func (r *reader) instruction() instruction {
	code := r.rest
	op := r.byte()
	numbers, others := operands(op)
	switch op {
	case opNumeric:
		numbers = numericOperands(r.number())
	case opVector:
		numbers, others = vectorOperands(r.number())
	case opBrTable:
		numbers = r.number() + 1
	}
	if numbers < 0 {
		r.fail(fmt.Errorf("unknown instruction %#x", code[:min(len(code), 3)]))
	}
	for ; numbers > 0 && r.err == nil; numbers-- {
		r.skip()
	}
	r.bytes(others)
	return instruction{op, code[:len(code)-len(r.rest)]}
}

// operands returns the number of LEB128 operands of an instruction, or -1 if it is unknown, and the
// number of bytes after them.
func operands(op byte) (numbers, bytes int) {
	switch {
	case op == opBlock, op == opLoop, op == opIf, op == opBr, op == opBrIf, op == opCall:
		return 1, 0
	case op == opIndirect:
		return 2, 0
	case op >= opLocalGet && op <= 0x24: // locals and globals
		return 1, 0
	case op >= 0x28 && op <= 0x3e: // memory: alignment and offset
		return 2, 0
	case op == 0x3f, op == 0x40, op == opI32Const, op == 0x42: // memory's size, constants
		return 1, 0
	case op == 0x43:
		return 0, 4
	case op == 0x44:
		return 0, 8
	case op <= 0x01, op == 0x05, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4:
		return 0, 0
	}
	return -1, 0
}

// numericOperands is operands for the instructions with the prefix 0xfc.
func numericOperands(kind int) int {
	switch {
	case kind <= 7: // saturating conversions
		return 0
	case kind == 10: // memory.copy
		return 2
	case kind == 11: // memory.fill
		return 1
	}
	return -1
}

// vectorOperands is operands for vector instructions.
func vectorOperands(kind int) (numbers, bytes int) {
	switch {
	case kind <= 11, kind == 92, kind == 93: // loads and stores
		return 2, 0
	case kind == 12, kind == 13: // a constant, a shuffle
		return 0, 16
	case kind >= 21 && kind <= 34: // lanes
		return 0, 1
	case kind >= 84 && kind <= 91: // loads and stores of lanes
		return 2, 1
	}
	return 0, 0
}
