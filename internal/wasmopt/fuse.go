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

// Sums of products of bytes (internal/kernel) are one instruction of relaxed SIMD each, too,
// whose results are the same everywhere since the activations' highest bits are clear. The
// plain code widens the bytes at even places and those at odd ones, and adds up their
// products: of four in 32 bits,
//
//	local.get w, 8, i16x8.shl, 8, i16x8.shr_s              local.get w
//	local.get x, 8, i16x8.shl, 8, i16x8.shr_s              local.get x
//	i32x4.dot_i16x8_s                                      local.get sum
//	local.get w, 8, i16x8.shr_s                            i32x4.relaxed_dot_i8x16_i7x16_add_s
//	local.get x, 8, i16x8.shr_s                            nop …
//	i32x4.dot_i16x8_s, i32x4.add, local.get sum, i32x4.add
//
// or of two in 16 bits, with i16x8.mul and i16x8.add, and without the sum: what becomes
// i16x8.relaxed_dot_i8x16_i7x16_s.
var dots = func() []pattern {
	code := func(code ...byte) wanted { return wanted{code: code} }
	get := func(local int) wanted { return wanted{local: local} }
	const weights, activations, sum = 0, 1, 2
	eight, shl, shr := code(0x41, 8), code(0xFD, 0x8B, 0x01), code(0xFD, 0x8C, 0x01)
	products := func(multiply wanted) []wanted {
		return []wanted{
			get(weights), eight, shl, eight, shr, get(activations), eight, shl, eight, shr, multiply,
			get(weights), eight, shr, get(activations), eight, shr, multiply,
		}
	}
	add := code(0xFD, 0xAE, 0x01)
	return []pattern{
		{
			append(products(code(0xFD, 0xBA, 0x01)), add, get(sum), add),
			[]wanted{get(weights), get(activations), get(sum), code(0xFD, 0x93, 0x02)},
		},
		{
			append(products(code(0xFD, 0x95, 0x01)), code(0xFD, 0x8E, 0x01)),
			[]wanted{get(weights), get(activations), code(0xFD, 0x92, 0x02)},
		},
	}
}()

// dotsOpening is what the plain code of them has behind its first instruction.
var dotsOpening = []byte{0x41, 8, 0xFD, 0x8B, 0x01}

// pattern is plain code, and what is put in its place.
type pattern struct{ plain, fused []wanted }

// wanted is an instruction of a pattern: its bytes, or, without any, a local.get of one of the
// pattern's locals.
type wanted struct {
	code  []byte
	local int
}

// match returns the locals of a pattern whose plain code begins the code, by their numbers
// in the pattern, and the length of that; 0 for none. There may be nops behind each
// instruction.
func (p pattern) match(code []byte) (locals map[int]byte, length int) {
	locals = map[int]byte{}
	at := 0
	for _, want := range p.plain {
		if want.code != nil {
			if !bytes.HasPrefix(code[at:], want.code) {
				return nil, 0
			}
			at += len(want.code)
		} else {
			// An index below 128 is one byte.
			if len(code) < at+2 || code[at] != opLocalGet || code[at+1] >= 0x80 {
				return nil, 0
			}
			if held, ok := locals[want.local]; ok && held != code[at+1] {
				return nil, 0
			}
			locals[want.local] = code[at+1]
			at += 2
		}
		for at < len(code) && code[at] == opNop {
			at++
		}
	}
	return locals, at
}

// put writes what is put in the place of code, filled up with nops.
func (p pattern) put(code []byte, locals map[int]byte) {
	var fused []byte
	for _, i := range p.fused {
		if i.code == nil {
			fused = append(fused, opLocalGet, locals[i.local])
		}
		fused = append(fused, i.code...)
	}
	copy(code, append(fused, bytes.Repeat([]byte{opNop}, len(code)-len(fused))...))
}

// fuseDots fuses sums of products of bytes, and returns what it replaced.
func fuseDots(module []byte) (places []replacement) {
	const first = 2 // bytes of the first instruction
	for at := first; at < len(module); {
		next := bytes.Index(module[at:], dotsOpening)
		if next < 0 {
			break
		}
		begin := at + next - first
		at += next + 1
		for _, p := range dots {
			if locals, length := p.match(module[begin:]); length > 0 {
				code := module[begin:][:length]
				places = append(places, replacement{begin, bytes.Clone(code)})
				p.put(code, locals)
				at = begin + length + first
				break
			}
		}
	}
	return places
}
