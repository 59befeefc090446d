package wasmopt

import (
	"bytes"
	"encoding/binary"
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
// second with one rounding.
var (
	mulBytes  = []byte{0xFD, 0xE6, 0x01}
	addBytes  = []byte{0xFD, 0xE4, 0x01}
	maddBytes = []byte{0xFD, 0x85, 0x02}
)

// The kernels have at least so many places of each kind. With fewer, the compiler has come
// to write them in another way.
const (
	fewestSums = 8
	fewestDots = 16
)

// fusedSection is the name of the custom section that ends a fused module. For browsers
// without relaxed SIMD, wasm/npm/unfuse.js puts back what it holds: for each replacement
// its offset in the module, 4 bytes, and the first 8 bytes that stood there; then
// the number of places, 4 bytes. Numbers are little endian. What was longer is several
// places.
const fusedSection = "unfused"

// replaced is how many bytes of a replacement the section holds.
const replaced = 8

// replacement is where something was replaced, and what stood there, [replaced] bytes at least.
type replacement struct {
	at  int
	was []byte
}

// fuse fuses multiplications with the additions that follow them, and sums of products of
// bytes. It returns the module, which it has changed, with [fusedSection], and the number of
// each.
func fuse(module []byte) (fused []byte, sums, dots int) {
	products, byteProducts := fuseSums(module), fuseDots(module)
	places := append(products, byteProducts...)
	if len(places) == 0 {
		return module, 0, 0
	}
	return append(module, replacements(places)...), len(products), len(byteProducts)
}

// fuseSums fuses multiplications with the additions that follow them, and returns what it
// replaced: of each place the instructions without nops in between, which may follow just
// as well.
func fuseSums(module []byte) (places []replacement) {
	for at := 0; ; {
		next := bytes.Index(module[at:], mulBytes)
		if next < 0 {
			return places
		}
		at += next
		code := module[at+len(mulBytes):]
		nops := len(code) - len(bytes.TrimLeft(code, "\x01")) // the assembler ends vector instructions with one
		code = code[nops:]
		// An index below 128 is one byte.
		if len(code) >= 5 && code[0] == opLocalGet && code[1] < 0x80 && bytes.HasPrefix(code[2:], addBytes) {
			length := len(mulBytes) + nops + 2 + len(addBytes)
			local := []byte{opLocalGet, code[1]}
			places = append(places, replacement{at, bytes.Join([][]byte{mulBytes, local, addBytes}, nil)})
			fusedCode := append(local, maddBytes...)
			copy(module[at:at+length], append(fusedCode, bytes.Repeat([]byte{opNop}, length-len(fusedCode))...))
			at += length
			continue
		}
		at++
	}
}

// replacements makes the custom section of places.
func replacements(places []replacement) []byte {
	body := append([]byte{byte(len(fusedSection))}, fusedSection...)
	count := uint32(0)
	for _, p := range places {
		for at := 0; at < len(p.was); at += replaced {
			at = min(at, len(p.was)-replaced) // the last piece ends with the place
			body = binary.LittleEndian.AppendUint32(body, uint32(p.at+at))
			body = append(body, p.was[at:at+replaced]...)
			count++
		}
	}
	body = binary.LittleEndian.AppendUint32(body, count)
	return append(binary.AppendUvarint([]byte{0}, uint64(len(body))), body...) // 0: custom; LEB128 is Go's varint
}

// fuseKernels is [fuse] for a module with the kernels of internal/kernel, which it returns.
//
// # Errors
//
// Too few places: the module would silently be slow.
func fuseKernels(module []byte) ([]byte, error) {
	module, sums, dots := fuse(module)
	const remedy = "has the assembler changed? see internal/kernel/"
	switch {
	case sums < fewestSums:
		return nil, fmt.Errorf("%d multiplications fused, want at least %d: %sgemm_wasm.s", sums, fewestSums, remedy)
	case dots < fewestDots:
		return nil, fmt.Errorf("%d products of bytes fused, want at least %d: %sbytes_wasm.s", dots, fewestDots, remedy)
	}
	return module, nil
}
