package fuse

import "bytes"

// The sums of products of bytes (core/kernel) are one instruction of relaxed SIMD, too,
// whose result is the same everywhere since the activations' highest bits are clear:
//
//	local.get w, 8, i16x8.shl, 8, i16x8.shr_s              local.get w
//	local.get x, 8, i16x8.shl, 8, i16x8.shr_s              local.get x
//	i32x4.dot_i16x8_s                                      local.get sum
//	local.get w, 8, i16x8.shr_s                            i32x4.relaxed_dot_i8x16_i7x16_add_s
//	local.get x, 8, i16x8.shr_s                            nop …
//	i32x4.dot_i16x8_s, i32x4.add, local.get sum, i32x4.add
//
// The left side widens the bytes at even places and those at odd ones, and adds up their
// products.
var dotBytes = []byte{0xFD, 0x93, 0x02}

// What a local of the pattern is.
const (
	weights = iota
	activations
	sum
	locals
)

// instruction is one of a pattern: its bytes, or a local.get of one of the pattern's locals.
type instruction struct {
	code  []byte
	local int
}

// dotPattern is the left side.
var dotPattern = func() []instruction {
	plain := func(code ...byte) instruction { return instruction{code: code} }
	get := func(local int) instruction { return instruction{local: local} }
	eight, shl, shr := plain(0x41, 8), plain(0xFD, 0x8B, 0x01), plain(0xFD, 0x8C, 0x01)
	dot, add := plain(0xFD, 0xBA, 0x01), plain(0xFD, 0xAE, 0x01)
	return []instruction{
		get(weights), eight, shl, eight, shr, get(activations), eight, shl, eight, shr, dot,
		get(weights), eight, shr, get(activations), eight, shr, dot, add, get(sum), add,
	}
}()

// match returns the locals of a pattern that code begins with, and its length; 0 for none.
// There may be nops behind each of its instructions.
func match(code []byte, pattern []instruction) (found [locals]byte, length int) {
	var seen [locals]bool
	at := 0
	for _, want := range pattern {
		if want.code == nil {
			// An index below 128 is one byte.
			if len(code) < at+2 || code[at] != localGet || code[at+1] >= 0x80 || seen[want.local] && found[want.local] != code[at+1] {
				return found, 0
			}
			found[want.local], seen[want.local] = code[at+1], true
			at += 2
		} else {
			if !bytes.HasPrefix(code[at:], want.code) {
				return found, 0
			}
			at += len(want.code)
		}
		for at < len(code) && code[at] == nop {
			at++
		}
	}
	return found, at
}

// fuseDots fuses sums of products of bytes, and returns what it replaced.
func fuseDots(module []byte) (places []place) {
	opening := []byte{0x41, 8, 0xFD, 0x8B, 0x01}
	for at := 0; ; {
		next := bytes.Index(module[at:], opening)
		if next < 0 {
			return places
		}
		begin := at + next - len([]byte{localGet, 0})
		at += next + 1
		if begin < 0 {
			continue
		}
		found, length := match(module[begin:], dotPattern)
		if length == 0 {
			continue
		}
		code := module[begin:][:length]
		places = append(places, place{begin, bytes.Clone(code)})
		fused := append([]byte{localGet, found[weights], localGet, found[activations], localGet, found[sum]}, dotBytes...)
		copy(code, append(fused, bytes.Repeat([]byte{nop}, length-len(fused))...))
		at = begin + length
	}
}
