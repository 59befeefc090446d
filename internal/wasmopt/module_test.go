package wasmopt

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// sectionOf writes a section.
func sectionOf(kind byte, content ...byte) []byte {
	return append(binary.AppendUvarint([]byte{kind}, uint64(len(content))), content...)
}

// written returns a module of these sections.
func written(sections ...[]byte) []byte {
	return append(bytes.Clone(head), slices.Concat(sections...)...)
}

// joined returns the module of the sections whose data fill that memory.
func joined(sections []section, memory []byte) []byte {
	sections = slices.Clone(sections)
	setData(sections, memory)
	return writeSections(sections)
}

func TestDataGoThereAndBack(t *testing.T) {
	sparse := make([]byte, 100_000)
	for i, at := range []int{7, 8, 40, 63, 64 + 64, 300, 99_000} {
		sparse[at] = byte(i + 1)
	}
	for name, memory := range map[string][]byte{
		"none": {}, "zeros": make([]byte, 1000), "one byte": {5}, "sparse": sparse, "dense": bytes.Repeat([]byte{1, 0, 2}, 5000),
	} {
		module := joined([]section{{codeSection, []byte{0}}, {dataSection, nil}}, memory)
		sections, err := split(module)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		back, err := dataMemory(sections)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want := bytes.TrimRight(memory, "\x00"); !bytes.Equal(back, want) {
			t.Errorf("%s: %d bytes come back, want %d", name, len(back), len(want))
		}
		if !bytes.Equal(joined(sections, back), module) {
			t.Errorf("%s: joined again it differs", name)
		}
	}
	if module := joined([]section{{dataSection, nil}}, sparse); len(module) > 400 {
		t.Errorf("%d bytes for seven that are not zero", len(module))
	}
}

func TestMemoryRefuses(t *testing.T) {
	for name, content := range map[string][]byte{
		"a passive piece":     {1, 1, 1, 'x'},
		"a global's address":  {1, 0, 0x23, 0, opEnd, 1, 'x'},
		"a negative address":  {1, 0, opI32Const, 0x7f, opEnd, 1, 'x'},
		"too high an address": {1, 0, opI32Const, 0xff, 0xff, 0xff, 0xff, 0x07, opEnd, 1, 'x'},
		"no end":              {1, 0, opI32Const, 8, 1, 'x'},
		"too few bytes":       {1, 0, opI32Const, 8, opEnd, 9, 'x'},
		"too few pieces":      {2, 0, opI32Const, 8, opEnd, 1, 'x'},
	} {
		sections := require.Value(split(written(sectionOf(dataSection, content...))))(t)
		if memory, err := dataMemory(sections); err == nil {
			t.Errorf("%s: %d bytes of memory, want an error", name, len(memory))
		}
	}
	if _, err := dataMemory([]section{{dataCountSection, []byte{1}}}); err == nil {
		t.Error("counted data: no error")
	}
}

// FuzzModule: arbitrary bytes give an error, never a panic.
func FuzzModule(f *testing.F) {
	f.Add(written(sectionOf(dataSection, 1, 0, opI32Const, 8, opEnd, 1, 'x')))
	f.Add(written(sectionOf(2, 1, 1, 'm', 1, 'f', 0, 0), sectionOf(codeSection, 1, 2, 0, opEnd), sectionOf(customSection, 4, 'n', 'a', 'm', 'e', 1, 4, 1, 1, 1, 'a')))
	f.Fuzz(func(t *testing.T, data []byte) {
		bombs.Budget(t, 1<<20, 1024, len(data), func() {
			sections, err := split(data)
			if err != nil {
				return
			}
			if memory, err := dataMemory(sections); err == nil {
				if back, err := split(joined(sections, memory)); err != nil || len(back) != len(sections) {
					t.Errorf("joined it is %d sections, want %d (%v)", len(back), len(sections), err)
				}
			}
		})
	})
}

func TestTablesRefuse(t *testing.T) {
	whole := build(t, "GOOS=js", "GOARCH=wasm")
	sections := require.Value(split(whole))(t)
	memory := require.Value(dataMemory(sections))(t)
	at := bytes.Index(memory, tableHead)
	other := bytes.Clone(memory)
	other[at]++
	longer := bytes.Clone(memory)
	longer[at+8]++
	shifted := bytes.Clone(memory)
	shifted[at+8*4]++
	for name, bad := range map[string][]byte{
		"no module":         []byte("MZ"),
		"an empty one":      whole[:8],
		"one cut short":     whole[:len(whole)/2],
		"another toolchain": joined(sections, other),
		"a wrong count":     joined(sections, longer),
		"a longer header":   joined(sections, shifted),
	} {
		if _, err := Optimize(bad, Options{}); err == nil || !strings.HasPrefix(err.Error(), "wasmopt: ") {
			t.Errorf("%s: %v, want an error", name, err)
		}
	}
}

// FuzzTables: arbitrary bytes give an error, never a panic.
func FuzzTables(f *testing.F) {
	sections := require.Value(split(build(f, "GOOS=js", "GOARCH=wasm")))(f)
	memory := require.Value(dataMemory(sections))(f)
	at := bytes.Index(memory, tableHead)
	f.Add(memory[at:at+4000], uint16(20), byte(1))
	f.Add(memory[at:], uint16(100), byte(0xff))
	f.Fuzz(func(t *testing.T, memory []byte, place uint16, value byte) {
		memory = bytes.Clone(memory)
		if int(place) < len(memory) {
			memory[place] = value
		}
		bombs.Budget(t, 4<<20, 64, len(memory), func() {
			if tables, err := find(memory); err == nil {
				if err := tables.clearLines(); err != nil {
					t.Log(err)
				}
			}
		})
	})
}
