// Package wasmopt makes Go programs compiled to WebAssembly smaller and faster. Their behavior does
// not change, except that stack traces show "?" for lines and omit inlined functions.
package wasmopt

import (
	"encoding/binary"
	"fmt"
)

// Options are the settings of [Optimize].
type Options struct {
	Lines   bool // keep the line numbers of stack traces, a fifth of the compressed size
	Kernels bool // fuse the products of internal/kernel; the program must contain it
}

// Optimize returns a smaller and faster program. It does not change the given one.
//
// # Errors
//
// Bytes that are not a module, a toolchain with unknown runtime tables or instructions, and kernels
// with too few products to fuse.
func Optimize(program []byte, o Options) ([]byte, error) {
	sections, err := split(program)
	if err != nil {
		return nil, fmt.Errorf("wasmopt: %w", err)
	}
	if !o.Lines {
		if err := dropLines(sections); err != nil {
			return nil, fmt.Errorf("wasmopt: %w", err)
		}
	}
	if err := threadJumps(sections); err != nil {
		return nil, fmt.Errorf("wasmopt: %w", err)
	}
	optimized := writeSections(sections)
	if o.Kernels {
		if optimized, err = fuseKernels(optimized); err != nil {
			return nil, fmt.Errorf("wasmopt: %w", err)
		}
	}
	return optimized, nil
}

// threadJumps makes the jumps of functions lead directly to their targets. It does not change
// functions that do not have the form of Go's linker.
//
// WebAssembly only has branches out of blocks and back to the start of loops. Go's linker therefore
// wraps every function into one loop around a table of its stretches: a jump stores the number of a
// stretch and branches back to the loop, and the table selects the stretch. For a stretch further
// ahead, a branch out of its block has the same effect. A stretch further back can become the start
// of a separate loop if no other jump enters the code in between. All other jumps, such as those to
// where a goroutine resumes, keep using the table.
//
// Browsers also compile such functions earlier: they estimate from the length of backward branches
// how often a function has run, and optimize it after some million bytes.
func threadJumps(sections []section) error {
	for i, s := range sections {
		if s.kind != codeSection {
			continue
		}
		bodies, err := functionBodies(s.content)
		if err != nil {
			return err
		}
		code := binary.AppendUvarint(nil, uint64(len(bodies)))
		for number, body := range bodies {
			if body, err = straight(body); err != nil {
				return fmt.Errorf("function %d: %w", number, err)
			}
			code = binary.AppendUvarint(code, uint64(len(body)))
			code = append(code, body...)
		}
		sections[i].content = code
	}
	return nil
}

func straight(body []byte) ([]byte, error) {
	instructions, err := decode(body)
	if err != nil {
		return nil, err
	}
	f, ok := read(instructions)
	if !ok {
		return body, nil
	}
	f.rotate()
	return f.write(f.loops()), nil
}
