// Package wasmopt makes a Go program that was built as a WebAssembly module smaller on the
// wire and faster in the browser. The program behaves the same, except that its traces say
// "?" for lines and omit inlined functions.
package wasmopt

import "fmt"

// Options choose what [Optimize] does beyond straight jumps.
type Options struct {
	Lines   bool // keep the line numbers of traces, which cost a fifth of the bytes on the wire
	Kernels bool // fuse the products of internal/kernel, which the program contains
}

// Optimize returns a smaller and faster program; the given program is not changed.
//
// # Errors
//
// It returns an error for bytes that are no module, for a toolchain whose runtime tables or
// instructions are unknown here, and for kernels in which too few products can be fused.
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
