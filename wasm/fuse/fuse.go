// Package fuse replaces multiplications and additions of a built WebAssembly module
// by single instructions.
package fuse

import (
	"bytes"
	"fmt"
)

// Go's assembler does not know the fused multiplication and addition of
// WebAssembly's relaxed SIMD, which takes half as long as the two instructions.
// So they are replaced in what was built, byte by byte and in the same length:
//
//	f32x4.mul           FD E6 01        local.get x             20 x
//	local.get x         20 x            f32x4.relaxed_madd      FD 85 02
//	f32x4.add           FD E4 01        nop, nop, nop           01 01 01
//
// with nops that were there before at the end. Both leave a·b + x on the stack, the
// second with one rounding. worker.js undoes it in browsers without relaxed SIMD.
var (
	mulBytes  = []byte{0xFD, 0xE6, 0x01}
	addBytes  = []byte{0xFD, 0xE4, 0x01}
	maddBytes = []byte{0xFD, 0x85, 0x02}
)

const (
	nop      = 0x01
	localGet = 0x20
)

// fewestFused is how many places the matrix products have at least. With
// fewer, the compiler has come to write them in another way.
const fewestFused = 8

// Fuse fuses multiplications with the additions that follow them, in place, and
// returns how many.
func Fuse(module []byte) int {
	fused := 0
	for at := 0; ; {
		next := bytes.Index(module[at:], mulBytes)
		if next < 0 {
			return fused
		}
		at += next
		code := module[at+len(mulBytes):]
		nops := len(code) - len(bytes.TrimLeft(code, "\x01")) // the assembler ends vector instructions with one
		code = code[nops:]
		// An index below 128 is one byte.
		if len(code) >= 5 && code[0] == localGet && code[1] < 0x80 && bytes.HasPrefix(code[2:], addBytes) {
			length := len(mulBytes) + nops + 2 + len(addBytes)
			fusedCode := append([]byte{localGet, code[1]}, maddBytes...)
			copy(module[at:at+length], append(fusedCode, bytes.Repeat([]byte{nop}, length-len(fusedCode))...))
			fused++
			at += length
			continue
		}
		at++
	}
}

// Kernels is [Fuse] for a module with the matrix products of core/kernel, which it
// returns.
//
// # Errors
//
// Too few places: the module would silently be slow.
func Kernels(module []byte) ([]byte, error) {
	if n := Fuse(module); n < fewestFused {
		return nil, fmt.Errorf("%d multiplications fused, want at least %d: has the assembler changed? see core/kernel/gemm_wasm.s", n, fewestFused)
	}
	return module, nil
}
