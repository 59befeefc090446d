package netfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// maxPickle bounds a pickle. That of a ResNet-12 takes about 11 kB.
const maxPickle = 1 << 20

// The opcodes that a pickled state dict is made of, by the form of their
// argument. Unpickling allocates what an argument asks for before it looks
// whether the file holds as much, and some opcodes have no use but mischief;
// so scan walks the pickle first.
const (
	noArgument = ")t\x85\x86\x87}]aesuN\x88\x89(.RbQ\x81\x93\x94"
	oneByte    = "\x80Kqh"
	twoBytes   = "M"
	fourBytes  = "Jrj"
	eightBytes = "G"
	counted1   = "U\x8a\x8c" // a byte, then as many
	counted4   = "TX"        // four bytes, then as many
	counted8   = "\x95"      // eight bytes, then as many, which are opcodes
	twoLines   = "c"
)

// scan returns the length of the pickle at the start of data.
//
// # Errors
//
// An opcode that no state dict needs, or an argument that ends after data.
func scan(data []byte) (int, error) {
	at := 0
	for at < len(data) {
		op := data[at]
		at++
		n, err := argument(op, data[at:])
		if err != nil {
			return 0, fmt.Errorf("pickle, byte %d: %w", at-1, err)
		}
		at += n
		if op == '.' {
			return at, nil
		}
	}
	return 0, errors.New("the pickle has no end: is the file complete?")
}

// argument returns the length of the argument of op, which rest begins with.
func argument(op byte, rest []byte) (int, error) {
	in := func(ops string) bool { return bytes.IndexByte([]byte(ops), op) >= 0 }
	n := uint64(0)
	switch {
	case in(noArgument):
	case in(oneByte):
		n = 1
	case in(twoBytes):
		n = 2
	case in(fourBytes):
		n = 4
	case in(eightBytes):
		n = 8
	case in(counted1) && len(rest) >= 1:
		n = 1 + uint64(rest[0])
		if op == '\x8a' && rest[0] == 0 {
			return 0, errors.New("integer without digits")
		}
	case in(counted4) && len(rest) >= 4:
		n = 4 + uint64(binary.LittleEndian.Uint32(rest))
	case in(counted8) && len(rest) >= 8:
		if binary.LittleEndian.Uint64(rest) > uint64(len(rest)-8) {
			return 0, errCutOff
		}
		n = 8 // the frame's content is scanned like the rest
	case in(twoLines):
		first := bytes.IndexByte(rest, '\n')
		second := bytes.IndexByte(rest[first+1:], '\n')
		if first < 0 || second < 0 {
			return 0, errCutOff
		}
		n = uint64(first + second + 2)
	case in(counted1 + counted4 + counted8):
		return 0, errCutOff
	default:
		return 0, fmt.Errorf("opcode %#02x is none that tensors need: only weights saved as a state dict are read", op)
	}
	if n > uint64(len(rest)) {
		return 0, errCutOff
	}
	return int(n), nil
}

var errCutOff = errors.New("an argument is cut off: is the file complete?")
