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
	plain := bytes.Clone(module[:head-3]) // the kind, the length, the length of the name
	if length := int(module[head-2]); module[head-3] != 0 || length != len(module)-head+1 {
		t.Fatalf("the section's head is % x, its length %d", module[head-3:head], len(module)-head+1)
	}
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
		got, n := Fuse(c.module)
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
