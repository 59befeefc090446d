package wasmopt

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Go's assembler does not support the fused multiply-add of WebAssembly's relaxed SIMD, which takes
// half as long as the two instructions. The optimizer therefore replaces the instructions in the
// built module, byte by byte and in the same length:
//
//	f32x4.mul           FD E6 01        local.get x             20 x
//	local.get x         20 x            f32x4.relaxed_madd      FD 85 02
//	f32x4.add           FD E4 01        nop, nop, nop           01 01 01
//
// Nops that were there before stay at the end. Both versions leave a·b + x on the stack, the second
// rounded once.
var sums = pattern{
	plain: []patternPart{mul, get(0), code(0xFD, 0xE4, 0x01)},
	fused: []patternPart{get(0), code(0xFD, 0x85, 0x02)},
}

var mul = code(0xFD, 0xE6, 0x01)

// The kernels have at least this many places of each kind. Fewer mean that the compiler now emits
// other code.
const (
	fewestSums = 8
	fewestDots = 16
)

// fusedSection is the name of the custom section at the end of a fused module. For browsers without
// relaxed SIMD, wasm/npm/unfuse.js restores the original code from it: for each replacement the
// offset in the module, 4 bytes, and the original 8 bytes; then the number of replacements, 4
// bytes. Numbers are little endian. Longer code takes several entries.
const fusedSection = "unfused"

// replaced is the number of original bytes in an entry of the section.
const replaced = 8

// replacement is the offset and the original code of a replaced place, at least [replaced] bytes.
type replacement struct {
	at  int
	was []byte
}

// fuse fuses multiplications with subsequent additions, and sums of byte products. It changes the
// module in place, and returns it with [fusedSection] and the number of replacements of each kind.
func fuse(module []byte) (fused []byte, products, byteProducts int) {
	places := replace(module, mul.code, 0, sums)
	products = len(places)
	places = append(places, replace(module, dotsOpening, dotsFirst, dots...)...)
	if len(places) == 0 {
		return module, 0, 0
	}
	return append(module, replacements(places)...), products, len(places) - products
}

// replace replaces the code of patterns. In all of them, opening follows the first bytes.
func replace(module, opening []byte, first int, patterns ...pattern) (places []replacement) {
	for at := first; at < len(module); {
		next := bytes.Index(module[at:], opening)
		if next < 0 {
			break
		}
		begin := at + next - first
		at += next + 1
		for _, p := range patterns {
			if plain, fused, length := p.match(module[begin:]); length > 0 {
				places = append(places, replacement{begin, plain})
				copy(module[begin:], append(fused, bytes.Repeat([]byte{opNop}, length-len(fused))...))
				at = begin + length + first
				break
			}
		}
	}
	return places
}

func replacements(places []replacement) []byte {
	body := append([]byte{byte(len(fusedSection))}, fusedSection...)
	count := uint32(0)
	for _, p := range places {
		for at := 0; at < len(p.was); at += replaced {
			at = min(at, len(p.was)-replaced) // the last entry ends with the place
			body = binary.LittleEndian.AppendUint32(body, uint32(p.at+at))
			body = append(body, p.was[at:at+replaced]...)
			count++
		}
	}
	body = binary.LittleEndian.AppendUint32(body, count)
	return append(binary.AppendUvarint([]byte{customSection}, uint64(len(body))), body...) // LEB128 is Go's varint
}

// fuseKernels is [fuse] for a module with the kernels of internal/kernel. It returns an error for
// too few replacements, which would make the module slow.
func fuseKernels(module []byte) ([]byte, error) {
	module, products, byteProducts := fuse(module)
	const remedy = "has the assembler changed? see internal/kernel/"
	switch {
	case products < fewestSums:
		return nil, fmt.Errorf("%d multiplications fused, want at least %d: %sgemm_wasm.s", products, fewestSums, remedy)
	case byteProducts < fewestDots:
		return nil, fmt.Errorf("%d products of bytes fused, want at least %d: %sbytes_wasm.s", byteProducts, fewestDots, remedy)
	}
	return module, nil
}

// Sums of byte products (internal/kernel) are also single instructions of relaxed SIMD. Their
// results are the same on all processors, since the highest bits of the activations are 0. The
// plain code widens the bytes at even and odd positions separately and adds up their products. With
// 32-bit sums, four products at a time:
//
//	local.get w, 8, i16x8.shl, 8, i16x8.shr_s              local.get w
//	local.get x, 8, i16x8.shl, 8, i16x8.shr_s              local.get x
//	i32x4.dot_i16x8_s                                      local.get sum
//	local.get w, 8, i16x8.shr_s                            i32x4.relaxed_dot_i8x16_i7x16_add_s
//	local.get x, 8, i16x8.shr_s                            nop …
//	i32x4.dot_i16x8_s, i32x4.add, local.get sum, i32x4.add
//
// With 16-bit sums, two products at a time: i16x8.mul and i16x8.add without the sum become
// i16x8.relaxed_dot_i8x16_i7x16_s.
var dots = func() []pattern {
	const weights, activations, sum = 0, 1, 2
	eight, shl, shr := code(0x41, 8), code(0xFD, 0x8B, 0x01), code(0xFD, 0x8C, 0x01)
	products := func(multiply patternPart) []patternPart {
		return []patternPart{
			get(weights), eight, shl, eight, shr, get(activations), eight, shl, eight, shr, multiply,
			get(weights), eight, shr, get(activations), eight, shr, multiply,
		}
	}
	add := code(0xFD, 0xAE, 0x01)
	return []pattern{
		{
			append(products(code(0xFD, 0xBA, 0x01)), add, get(sum), add),
			[]patternPart{get(weights), get(activations), get(sum), code(0xFD, 0x93, 0x02)},
		},
		{
			append(products(code(0xFD, 0x95, 0x01)), code(0xFD, 0x8E, 0x01)),
			[]patternPart{get(weights), get(activations), code(0xFD, 0x92, 0x02)},
		},
	}
}()

// dotsOpening follows the first instruction of the plain code, which has dotsFirst bytes.
var dotsOpening = []byte{0x41, 8, 0xFD, 0x8B, 0x01}

const dotsFirst = 2

// pattern is plain code and its replacement.
type pattern struct{ plain, fused []patternPart }

// patternPart is an instruction of a pattern: its bytes, or, if they are nil, a local.get of one of the
// pattern's locals.
type patternPart struct {
	code  []byte
	local int
}

func code(code ...byte) patternPart { return patternPart{code: code} }
func get(local int) patternPart     { return patternPart{local: local} }
func (p patternPart) with(locals map[int]byte) []byte {
	if p.code == nil {
		return []byte{opLocalGet, locals[p.local]}
	}
	return p.code
}

// match matches the plain code at the start of module, with any nops after each instruction. It
// returns both codes, without nops, and the length of the match, or 0.
func (p pattern) match(module []byte) (plain, fused []byte, length int) {
	locals := map[int]byte{} // by their numbers in the pattern
	for _, want := range p.plain {
		if _, known := locals[want.local]; want.code == nil && !known {
			if len(module) < length+2 || module[length+1] >= 0x80 { // an index below 128 takes one byte
				return nil, nil, 0
			}
			locals[want.local] = module[length+1]
		}
		instruction := want.with(locals)
		if !bytes.HasPrefix(module[length:], instruction) {
			return nil, nil, 0
		}
		plain = append(plain, instruction...)
		for length += len(instruction); length < len(module) && module[length] == opNop; length++ {
		}
	}
	for _, i := range p.fused {
		fused = append(fused, i.with(locals)...)
	}
	return plain, fused, length
}
