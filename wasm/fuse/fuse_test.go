package fuse

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// unfuse undoes Fuse, as wasm/npm/unfuse.js does, and leaves the section away.
func unfuse(t *testing.T, module []byte) []byte {
	t.Helper()
	end := len(module) - 4
	places := end - int(binary.LittleEndian.Uint32(module[end:]))*(4+replaced)
	head := bytes.LastIndex(module[:places], []byte(Section))
	if head+len(Section) != places {
		t.Fatalf("no section %q before its places: % x", Section, module)
	}
	// The kind, the length, the length of the name.
	want := append(binary.AppendUvarint([]byte{0}, uint64(len(module)-head+1)), byte(len(Section)))
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
		unfused        []byte // nil for the module
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
		got, n, _ := Fuse(c.module)
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
	if _, err := Kernels([]byte{1, 2, 3}); err == nil {
		t.Error("an engine without products gives no error")
	}
}

// dotCode is the plain code of a sum of products of bytes, as the assembler writes it.
func dotCode(w, x, sum byte) []byte {
	even := func(local byte) []byte {
		return []byte{0x20, local, 0x41, 8, 0xFD, 0x8B, 0x01, 1, 0x41, 8, 0xFD, 0x8C, 0x01, 1}
	}
	odd := func(local byte) []byte { return []byte{0x20, local, 0x41, 8, 0xFD, 0x8C, 0x01, 1} }
	dot, add := []byte{0xFD, 0xBA, 0x01, 1}, []byte{0xFD, 0xAE, 0x01, 1}
	return bytes.Join([][]byte{even(w), even(x), dot, odd(w), odd(x), dot, add, {0x20, sum}, add}, nil)
}

func TestFuseDots(t *testing.T) {
	two := bytes.Join([][]byte{{0x20, 5}, dotCode(1, 2, 3), {0x21, 3}, dotCode(4, 2, 6), {0x21, 6}}, nil)
	original := bytes.Clone(two)
	got, sums, dots := Fuse(two)
	if sums != 0 || dots != 2 {
		t.Fatalf("%d sums and %d dots, want 0 and 2", sums, dots)
	}
	length := len(dotCode(0, 0, 0))
	fused := func(w, x, sum byte) []byte {
		code := []byte{0x20, w, 0x20, x, 0x20, sum, 0xFD, 0x93, 0x02}
		return append(code, bytes.Repeat([]byte{1}, length-len(code))...)
	}
	if want := bytes.Join([][]byte{{0x20, 5}, fused(1, 2, 3), {0x21, 3}, fused(4, 2, 6), {0x21, 6}}, nil); !bytes.HasPrefix(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
	if back := unfuse(t, got); !bytes.Equal(back, original) {
		t.Errorf("undone it is % x, want % x", back, original)
	}

	others := dotCode(1, 2, 3)
	others[bytes.LastIndex(others, []byte{0x20, 2})+1] = 7 // another local
	cut := dotCode(1, 2, 3)
	for name, code := range map[string][]byte{"other activations": others, "an end": cut[:len(cut)-3], "no weights": cut[2:]} {
		if _, _, dots := Fuse(code); dots != 0 {
			t.Errorf("%s: fused", name)
		}
	}
}
