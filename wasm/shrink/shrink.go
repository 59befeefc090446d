// Package shrink makes a Go program that was built as a WebAssembly module smaller on the
// wire, by a fifth, and changes nothing of what the program does.
//
//   - Go's linker leaves runs of eight zeros out of the data, which then come in tens of
//     thousands of pieces, each with its address: that compresses worse than the zeros. Here
//     only long runs are left out.
//   - The tables by which the runtime finds its way on the stack also say which line of which
//     file every call stands in, and which calls were inlined there. Traces print that, and
//     nothing else asks. Here it becomes zeros, and a trace says "?" for the line; it still
//     names every function that was not inlined.
//
// Code stays the same, byte for byte.
package shrink

import (
	"fmt"

	"github.com/deepemd/deepemd/wasm/module"
)

// Shrink returns a program without what only traces need, and with its data in few pieces.
// The program given is left alone.
//
// # Errors
//
// What is no module, or one of a toolchain whose tables are not known here: nothing is guessed.
func Shrink(program []byte) ([]byte, error) {
	sections, err := module.Split(program)
	if err != nil {
		return nil, fmt.Errorf("shrink: %w", err)
	}
	memory, err := module.Memory(sections)
	if err != nil {
		return nil, fmt.Errorf("shrink: %w", err)
	}
	t, err := find(memory)
	if err != nil {
		return nil, err
	}
	if err := t.forgetLines(); err != nil {
		return nil, err
	}
	return module.Join(sections, memory), nil
}
