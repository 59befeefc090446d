// Package wasmopt makes Go programs compiled to WebAssembly smaller and faster. Their behavior does
// not change, except that stack traces show "?" for lines and omit inlined functions.
package wasmopt

import "fmt"

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
	if err := straighten(sections); err != nil {
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
