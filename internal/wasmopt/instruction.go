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
	at, err := locals(body)
	if err != nil {
		return nil, err
	}
	instructions = append(instructions, instruction{bytes: body[:at]})
	for at < len(body) {
		length, err := length(body[at:])
		if err != nil {
			return nil, err
		}
		instructions = append(instructions, instruction{body[at], body[at:][:length]})
		at += length
	}
	return instructions, nil
}

// locals returns the length of the declaration of a function's locals.
func locals(body []byte) (int, error) {
	count, at := binary.Uvarint(body)
	if at <= 0 {
		return 0, errCut
	}
	for range count {
		n, err := number(body[at:])
		if err != nil {
			return 0, err
		}
		if at += n + 1; at > len(body) { // the type of n locals
			return 0, errCut
		}
	}
	return at, nil
}

// number returns the length of the LEB128 number at the beginning of code.
func number(code []byte) (int, error) {
	for i, b := range code[:min(len(code), binary.MaxVarintLen64)] {
		if b < 0x80 {
			return i + 1, nil
		}
	}
	return 0, errCut
}

// length returns the length of the instruction at the beginning of code.
func length(code []byte) (int, error) {
	numbers, others := operands(code[0])
	at := 1
	if code[0] == opNumeric || code[0] == opVector {
		kind, n := binary.Uvarint(code[1:])
		if n <= 0 {
			return 0, errCut
		}
		at += n
		if code[0] == opNumeric {
			numbers = numericOperands(kind)
		} else {
			numbers, others = vectorOperands(kind)
		}
	}
	if code[0] == opBrTable {
		count, n := binary.Uvarint(code[1:])
		if n <= 0 || count > uint64(len(code)) {
			return 0, errCut
		}
		at, numbers = at+n, int(count)+1
	}
	if numbers < 0 {
		return 0, fmt.Errorf("unknown instruction %#x", code[:min(len(code), 3)])
	}
	for range numbers {
		n, err := number(code[at:])
		if err != nil {
			return 0, err
		}
		at += n
	}
	if at += others; at > len(code) {
		return 0, errCut
	}
	return at, nil
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
func numericOperands(kind uint64) int {
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
func vectorOperands(kind uint64) (numbers, bytes int) {
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
