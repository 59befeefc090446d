package wasmopt

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// unfuse undoes fuse, as wasm/npm/unfuse.js does, and leaves the section away.
func unfuse(t *testing.T, module []byte) []byte {
	t.Helper()
	end := len(module) - 4
	places := end - int(binary.LittleEndian.Uint32(module[end:]))*(4+replaced)
	head := bytes.LastIndex(module[:places], []byte(fusedSection))
	if head+len(fusedSection) != places {
		t.Fatalf("no section %q before its places: % x", fusedSection, module)
	}
	// The kind, the length, the length of the name.
	want := append(binary.AppendUvarint([]byte{0}, uint64(len(module)-head+1)), byte(len(fusedSection)))
	if !bytes.HasSuffix(module[:head], want) {
		t.Fatalf("the section's head is % x, want % x", module[max(0, head-len(want)):head], want)
	}
	plain := bytes.Clone(module[:head-len(want)])
	for at := places; at < end; at += 4 + replaced {
		copy(plain[binary.LittleEndian.Uint32(module[at:]):], module[at+4:at+4+replaced])
	}
	return plain
}

func TestFuse(t *testing.T) {
	cases := []struct {
		name           string
		module, expect []byte
		unfused        []byte
		fused          int
	}{
		{"a product and its sum",
			[]byte{0x20, 1, 0x20, 2, 0xFD, 0xE6, 0x01, 0x20, 3, 0xFD, 0xE4, 0x01, 0x21, 3},
			[]byte{0x20, 1, 0x20, 2, 0x20, 3, 0xFD, 0x85, 0x02, 1, 1, 1, 0x21, 3}, nil, 1},
		{"two in a row",
			[]byte{0xFD, 0xE6, 0x01, 0x20, 3, 0xFD, 0xE4, 0x01, 0xFD, 0xE6, 0x01, 0x20, 4, 0xFD, 0xE4, 0x01},
			[]byte{0x20, 3, 0xFD, 0x85, 0x02, 1, 1, 1, 0x20, 4, 0xFD, 0x85, 0x02, 1, 1, 1}, nil, 2},
		{"nops in between",
			[]byte{0xFD, 0xE6, 0x01, 1, 0x20, 3, 0xFD, 0xE4, 0x01, 1, 0x21, 3},
			[]byte{0x20, 3, 0xFD, 0x85, 0x02, 1, 1, 1, 1, 1, 0x21, 3},
			[]byte{0xFD, 0xE6, 0x01, 0x20, 3, 0xFD, 0xE4, 0x01, 1, 1, 0x21, 3}, 1},
		{"a product that is kept", []byte{0xFD, 0xE6, 0x01, 0x21, 3, 0xFD, 0xE4, 0x01}, nil, nil, 0},
		{"a difference", []byte{0xFD, 0xE6, 0x01, 0x20, 3, 0xFD, 0xE5, 0x01}, nil, nil, 0},
		{"a large index", []byte{0xFD, 0xE6, 0x01, 0x20, 0x80, 1, 0xFD, 0xE4, 0x01}, nil, nil, 0},
		{"an end in between", []byte{0xFD, 0xE6, 0x01, 0x20, 3, 0xFD, 0xE4}, nil, nil, 0},
	}
	for _, c := range cases {
		original := bytes.Clone(c.module)
		got, n, _ := fuse(c.module)
		if n != c.fused {
			t.Errorf("%s: %d fused, want %d", c.name, n, c.fused)
			continue
		}
		if n == 0 {
			if !bytes.Equal(got, original) {
				t.Errorf("%s: % x, want it unchanged", c.name, got)
			}
			continue
		}
		if !bytes.HasPrefix(got, c.expect) {
			t.Errorf("%s: % x, want % x", c.name, got, c.expect)
		}
		want := c.unfused
		if want == nil {
			want = original
		}
		if back := unfuse(t, got); !bytes.Equal(back, want) {
			t.Errorf("%s: undone it is % x, want % x", c.name, back, want)
		}
	}
	if _, err := fuseKernels([]byte{1, 2, 3}); err == nil {
		t.Error("an engine without products gives no error")
	}
}

// products returns the plain code of two products of bytes and their sum.
func products(w, x byte, multiply, add []byte) [][]byte {
	eight, shl, shr := []byte{0x41, 8}, []byte{0xFD, 0x8B, 0x01}, []byte{0xFD, 0x8C, 0x01}
	var code [][]byte
	for _, local := range []byte{w, x} {
		code = append(code, []byte{0x20, local}, eight, shl, eight, shr)
	}
	code = append(code, multiply)
	for _, local := range []byte{w, x} {
		code = append(code, []byte{0x20, local}, eight, shr)
	}
	return append(code, multiply, add)
}

// withNops returns code as the assembler writes it, with a nop after each vector instruction, or with
// all nops at the end.
func withNops(code [][]byte, atEnd bool) (all []byte) {
	var nops []byte
	for _, instruction := range code {
		all = append(all, instruction...)
		if instruction[0] == 0xFD && atEnd {
			nops = append(nops, 1)
		} else if instruction[0] == 0xFD {
			all = append(all, 1)
		}
	}
	return append(all, nops...)
}

// quads and pairs are sums of four products and of two.
func quads(w, x, sum byte) [][]byte {
	add := []byte{0xFD, 0xAE, 0x01}
	return append(products(w, x, []byte{0xFD, 0xBA, 0x01}, add), []byte{0x20, sum}, add)
}

func pairs(w, x byte) [][]byte {
	return products(w, x, []byte{0xFD, 0x95, 0x01}, []byte{0xFD, 0x8E, 0x01})
}

func TestFuseDots(t *testing.T) {
	module := func(atEnd bool) []byte {
		return bytes.Join([][]byte{{0x20, 5}, withNops(quads(1, 2, 3), atEnd), {0x21, 3}, withNops(pairs(4, 2), atEnd), withNops(quads(7, 8, 9), atEnd)}, nil)
	}
	got, sums, dots := fuse(module(false))
	if sums != 0 || dots != 3 {
		t.Fatalf("%d sums and %d dots, want 0 and 3", sums, dots)
	}
	filled := func(plain [][]byte, code ...byte) []byte {
		return append(code, bytes.Repeat([]byte{1}, len(withNops(plain, false))-len(code))...)
	}
	want := bytes.Join([][]byte{
		{0x20, 5}, filled(quads(1, 2, 3), 0x20, 1, 0x20, 2, 0x20, 3, 0xFD, 0x93, 0x02), {0x21, 3},
		filled(pairs(4, 2), 0x20, 4, 0x20, 2, 0xFD, 0x92, 0x02), filled(quads(7, 8, 9), 0x20, 7, 0x20, 8, 0x20, 9, 0xFD, 0x93, 0x02),
	}, nil)
	if !bytes.HasPrefix(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
	if back, want := unfuse(t, got), module(true); !bytes.Equal(back, want) {
		t.Errorf("undone it is % x, want % x", back, want)
	}

	others := withNops(quads(1, 2, 3), false)
	others[bytes.LastIndex(others, []byte{0x20, 2})+1] = 7
	cut := withNops(quads(1, 2, 3), false)
	for name, code := range map[string][]byte{
		"other activations": others, "an end": cut[:len(cut)-3], "no weights": cut[2:], "no sum": withNops(pairs(1, 2), false)[:52],
		"a large index": withNops(quads(0x80, 2, 3), false),
	} {
		if _, _, dots := fuse(code); dots != 0 {
			t.Errorf("%s: fused", name)
		}
	}
}
